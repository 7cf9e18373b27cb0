"""How much memory a check takes: a made-up project of many files, and a file of growing size; prints Markdown.

    python -m tests.benchmarks.memory FILE [--files 10000] [--jobs 2]

The made-up project has five findings in each file. It is written as JSON, and half of it as SARIF, since no more than
25,000 results may stand in a log. FILE is checked with its definitions repeated under other names.
Peaks are resident sets: of the first process, and the largest of its workers. docs/speed.md holds the figures.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click

from tests.benchmarks.growth import many, repeated, size_mb

_TIMES = (1, 2, 4)
_SARIF_FILES = 5_000

_CHECK = """
import resource, sys

if __name__ == "__main__":
    from torchlint.cli import main

    try:
        main()
    finally:
        peaks = (resource.getrusage(who).ru_maxrss // 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        print(*peaks, file=sys.stderr)
"""


def peaks(room: Path, arguments: Sequence[str]) -> tuple[int, int]:
    """The peaks of a check in MiB: of its first process, and of its largest worker (0 where there is none)."""
    program = room / "check.py"
    program.write_text(_CHECK, encoding="utf-8")
    command = [sys.executable, str(program), "check", "--isolated", "--no-cache", "--quiet", "--exit-zero", *arguments]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    own, workers = done.stderr.splitlines()[-1].split()
    return int(own), int(workers)


def row(what: str, room: Path, folder: Path, arguments: Sequence[str]) -> str:
    """The table row of one check."""
    own, workers = peaks(room, [str(folder), *arguments])
    return f"| {what} | {size_mb(folder):.2f} | {own:,} | {workers:,} |"


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--files", "count", type=click.IntRange(min=0), default=10_000, help="Files of the made-up project.")
@click.option("--jobs", type=click.IntRange(min=1), default=2, help="Processes.")
def main(file: Path, count: int, jobs: int) -> None:
    """Measure the memory of a check, with FILE as an example of a long file."""
    click.echo("| what | MB | first process, MiB | largest worker, MiB |\n|---|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as place:
        room = Path(place)
        for times in _TIMES:
            folder = repeated(file, room / f"file_{times}", times)
            click.echo(row(f"{file.name}, {times} x", room, folder, ["--jobs", "1"]))
        for kind, number in (("sarif", min(count, _SARIF_FILES)), ("json", count)):
            folder = room / kind
            folder.mkdir()
            options = ["--jobs", str(jobs), "--output-format", kind, "--output-file", str(room / f"log.{kind}")]
            click.echo(row(f"{number:,} files as {kind}", room, many(folder, number), options))


if __name__ == "__main__":
    main()
