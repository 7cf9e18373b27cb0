"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path

import click

from torchlint.settings import SettingsError, parse_python


def _parsed(_context: click.Context, _parameter: click.Parameter, value: str | None) -> Path | None:
    try:
        return None if value is None else parse_python(value, Path.cwd())
    except SettingsError as error:
        raise click.BadParameter(str(error)) from error


python_option = click.option(
    "--python",
    metavar="PATH",
    callback=_parsed,
    help="Find installed packages by this python, environment or site-packages.  [default: the active environment]",
)
