"""`torchlint clean`: remove the cache."""

from __future__ import annotations

from pathlib import Path

import click

from torchlint.cache.store import StoreError, clean, usual_folder
from torchlint.cli.options import cache_dir_option


@click.command("clean", short_help="Remove the cache.")
@cache_dir_option
def clean_command(cache_dir: Path | None) -> None:
    """Remove all that torchlint keeps of earlier runs. It costs the next run its time and nothing else.

    Exit codes: 0 there is no cache any more, 2 the folder is not torchlint's.
    """
    folder = cache_dir or usual_folder()
    try:
        is_gone = clean(folder)
    except StoreError as error:
        raise click.UsageError(str(error)) from error
    click.echo(f"removed {folder}" if is_gone else f"there is no cache in {folder}")
