"""Options that several commands share."""

from __future__ import annotations

import os
from pathlib import Path

import click

from torchlint.settings import SEVERITIES, SettingsError, parse_python

# What `check` and what follows it exit with.
CLEAN = 0
FINDINGS = 1
FAILED = 2


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

cache_dir_option = click.option(
    "--cache-dir",
    metavar="DIR",
    callback=lambda _context, _parameter, value: Path.cwd() / value if value else None,
    help="Keep what was read and found there.  [default: the user's folder of caches]",
)


fail_on_option = click.option(
    "--fail-on", type=click.Choice(SEVERITIES), default="note", help="Exit 1 from this severity on.  [default: note]"
)

exit_zero_option = click.option("--exit-zero", is_flag=True, help="Exit 0 although there are findings.")


def core_count() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
