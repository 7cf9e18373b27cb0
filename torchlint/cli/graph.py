"""`torchlint graph`: show a class as torchlint sees it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from torchlint.cli.options import cache_dir_option, python_option
from torchlint.cli.outputs import JSON, never_fail_to_print, palette_for
from torchlint.engine import Request
from torchlint.graph import draw
from torchlint.report.graph import write_json, write_text
from torchlint.report.text import sentence
from torchlint.settings import Overrides

TEXT = "text"
FAILED = 2

_FILE = click.Path(path_type=Path)


@click.command(short_help="Show a class as torchlint sees it.")
@click.argument("name", metavar="CLASS")
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--output-format", type=click.Choice((TEXT, JSON)), default=TEXT, help="For people, or for programs.")
@click.option("--config", type=_FILE, help="Take the settings from this file for all files.")
@click.option("--isolated", is_flag=True, help="Use no configuration file.")
@python_option
@click.option("--color", type=click.Choice(("auto", "always", "never")), default="auto", help="Colour the text.")
@click.option("--no-cache", is_flag=True, help="Read every file anew.")
@cache_dir_option
def graph(name: str, paths: tuple[str, ...], output_format: str, color: str, **options: Any) -> int:
    """Show CLASS as torchlint sees it: bases, attributes, what renews them, and what is not known.

    CLASS is a name (Scale), a qualified one (Outer.Scale), a dotted path (package.layers.Scale) or layers.py:Scale. It
    is looked for in PATHS (default: this folder), in the files that `check` would check.

    Exit codes: 0 shown, 2 not found, or a path is missing.
    """
    never_fail_to_print()
    found = draw(_request(paths, options), name)
    if output_format == JSON:
        write_json(found, sys.stdout)
    else:
        write_text(found, sys.stdout, palette_for(color, sys.stdout))
    fatal = [note for note in found.notes if note.fatal]
    for note in fatal:
        click.echo(sentence(note), err=True)
    return FAILED if fatal else 0


def _request(paths: tuple[str, ...], options: dict[str, Any]) -> Request:
    if options["config"] and options["isolated"]:
        raise click.UsageError("--config and --isolated exclude each other")
    return Request(
        paths=paths or (".",),
        overrides=Overrides(python=options["python"]),
        config=options["config"] and options["config"].absolute(),
        isolated=options["isolated"],
        cache=not options["no_cache"],
        cache_folder=options["cache_dir"],
    )
