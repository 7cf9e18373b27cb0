"""`torchlint merge`: one log out of those of the shards of a run."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from torchlint.cli.options import CLEAN, FAILED, FINDINGS, exit_zero_option, fail_on_option
from torchlint.report.contents import MergeError, SarifTooLargeError
from torchlint.report.merge import is_complete, load_log, merge, severities, write_merged
from torchlint.report.output import OutputError, write_file
from torchlint.settings import parse_severity

_FILE = click.Path(path_type=Path)


@click.command("merge", short_help="Make one SARIF log of those of all shards.")
@click.argument("logs", nargs=-1, required=True, type=_FILE)
@click.option("--output-file", type=_FILE, help="Write the log there.  [default: standard output]")
@fail_on_option
@exit_zero_option
def merge_command(logs: tuple[Path, ...], output_file: Path | None, fail_on: str, *, exit_zero: bool) -> int:
    """Make one SARIF log of LOGS, which `check --shard I/N` or runs over different folders of a repository wrote: each
    finding once, as one run over all files gives it.

    Exit codes: as of `check`.
    """
    try:
        log = merge([load_log(path) for path in logs])
        if output_file is None:
            write_merged(log, sys.stdout)
        else:
            write_file(output_file, lambda stream: write_merged(log, stream))
    except (OutputError, SarifTooLargeError) as error:
        raise MergeError(str(error)) from error
    if not is_complete(log):
        return FAILED
    fails = any(one.rank >= parse_severity(fail_on).rank for one in severities(log))
    return FINDINGS if fails and not exit_zero else CLEAN
