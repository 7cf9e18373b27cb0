"""The command line: one file a command. Exit 0 clean, 1 findings, 2 not done as asked, 130 interrupted."""

from __future__ import annotations

import sys

import click

from torchlint import __version__
from torchlint.source import CommandError

FAILED = 2
INTERRUPTED = 130


# Each is imported when it is asked for, because a run of one need not wait for the others.
COMMANDS = {
    "check": "check:check",
    "clean": "clean:clean_command",
    "confirm": "check:confirm",
    "explain": "rule:explain",
    "graph": "graph:graph",
    "merge": "merge:merge_command",
    "rule": "rule:rule",
}


class Commands(click.Group):
    """The commands of COMMANDS."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names, sorted."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name; None where there is none."""
        if cmd_name not in COMMANDS:
            return None
        from importlib import import_module

        file, _, name = COMMANDS[cmd_name].partition(":")
        found: click.Command = getattr(import_module(f"{__name__}.{file}"), name)
        return found


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="torchlint", message="%(prog)s %(version)s")
def commands() -> None:
    """Find state and dtype hazards in PyTorch modules without running them."""


def main() -> None:
    """Run the command line and leave the process with its exit code."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """The exit code of the command line `arguments`; what goes wrong is said on standard error."""
    try:
        return commands.main(arguments, prog_name="torchlint", standalone_mode=False) or 0
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except CommandError as error:
        click.echo(f"torchlint: {error}", err=True)
        return FAILED
    except (click.Abort, KeyboardInterrupt):
        click.echo("torchlint: interrupted", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough; Python must not try to flush the rest at exit.
        sys.stdout = None
        return FAILED
    except OSError as error:
        sys.stdout = None
        click.echo(f"torchlint: cannot write standard output: {(error.strerror or str(error)).lower()}", err=True)
        return FAILED
