"""The command line: one file a command. Exit 0 clean, 1 findings, 2 not done as asked, 130 interrupted."""

from __future__ import annotations

import sys

import click

from torchlint import __version__
from torchlint.cli.check import check, confirm
from torchlint.cli.graph import graph
from torchlint.cli.rule import explain, rule
from torchlint.pages import PageError
from torchlint.seek import SeekError
from torchlint.settings import SettingsError

FAILED = 2
INTERRUPTED = 130


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="torchlint", message="%(prog)s %(version)s")
def commands() -> None:
    """Find state and dtype hazards in PyTorch modules without running them."""


commands.add_command(check)
commands.add_command(confirm)
commands.add_command(graph)
commands.add_command(rule)
commands.add_command(explain)


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
    except (SettingsError, PageError, SeekError) as error:
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
