"""What torchlint costs beside other analyzers, in one table of ratios; prints Markdown.

    python -m venv ../peers && ../peers/bin/pip install torchfix ruff pylint fixit
    python -m tests.benchmarks.peers ../peers/bin DIR... [--rounds 5] [--plot docs/images/speed.svg]

Each round runs, one after the other and each as a process of its own: `libcst.parse_module` of all files of a folder
(only the calls count), `torchlint check` without a cache and with a full one, and each analyzer found in the first
folder. Times are CPU seconds, user and system, of the process and its children. docs/speed.md holds the figures.
"""

from __future__ import annotations

import os
import platform
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path

import click

from tests.benchmarks.bars import bars
from tests.benchmarks.speed import check_cold, hundredths, parse, run, spread, torchlint

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_PARSE = "libcst.parse_module"
_WARM = "torchlint, warm"

# Each as its own README runs it on a folder, without a cache, and in one process where it can be said.
_ANALYZERS: Mapping[str, Sequence[str]] = {
    "torchfix": ("--select=ALL",),
    "ruff": ("check", "--isolated", "--no-cache"),
    "pylint": ("--jobs=1", "--rcfile=/dev/null"),
    "fixit": ("--quiet", "lint"),
}

Seconds = Callable[[Path], float]


def analyzer(command: Path, arguments: Sequence[str], folder: Path) -> float:
    """The CPU seconds of an analyzer over `folder`; what it finds is not looked at."""
    return run([str(command), *arguments, str(folder)], may_fail=True).cpu_seconds


def parse_all(folder: Path) -> float:
    """The CPU seconds of parsing every file of `folder`."""
    return parse(sorted(folder.rglob("*.py")))


def check_warm(cache: Path, folder: Path) -> float:
    """The CPU seconds of a check that finds all its work done; `cache` is filled first where it is empty."""
    command = ("check", str(folder), "--isolated", "--cache-dir", str(cache), "--jobs", "1", "--quiet", "--exit-zero")
    if not any(cache.iterdir()):
        torchlint(*command)
    return torchlint(*command).cpu_seconds


def competitors(programs: Path, cache: Path) -> Iterator[tuple[str, Seconds]]:
    """What is measured, by the name that the table shows."""
    yield _PARSE, parse_all
    yield "torchlint, cold", lambda folder: check_cold(folder).cpu_seconds
    yield _WARM, partial(check_warm, cache)
    for name, arguments in _ANALYZERS.items():
        if (programs / name).exists():
            yield name, partial(analyzer, programs / name, arguments)


def measure(folder: Path, programs: Path, rounds: int) -> dict[str, list[float]]:
    """Interleave the measurements, so that a busy machine slows all of them."""
    seconds: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as cache:
        for _ in range(rounds):
            for name, cost in competitors(programs, Path(cache)):
                seconds[name].append(cost(folder))
    return seconds


def ratios(seconds: Mapping[str, Sequence[float]]) -> dict[str, list[float]]:
    """Each time as a multiple of the parsing in the same round."""
    return {name: [a / b for a, b in zip(some, seconds[_PARSE], strict=True)] for name, some in seconds.items()}


@click.command()
@click.argument("programs", type=_FOLDER)
@click.argument("folders", nargs=-1, required=True, type=_FOLDER)
@click.option("--rounds", type=click.IntRange(min=1), default=5, help="How often each is measured.")
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help="Write the ratios as bars, in SVG.")
def main(programs: Path, folders: tuple[Path, ...], rounds: int, plot: Path | None) -> None:
    """Measure torchlint and the analyzers of PROGRAMS, a folder with commands, over each of FOLDERS."""
    click.echo(
        f"Python {platform.python_version()}, libcst {version('libcst')}, {platform.machine()}, {os.cpu_count()} CPUs, "
        f"load {os.getloadavg()[0]:.1f}, {rounds} rounds: median (least to greatest)\n"
    )
    click.echo("| folder | what runs | CPU s | multiple of parsing |\n|---|---|---:|---:|")
    shown: dict[str, dict[str, float]] = {}
    for folder in folders:
        seconds = measure(folder, programs, rounds)
        multiples = ratios(seconds)
        for name, some in seconds.items():
            click.echo(
                f"| {folder.name} | {name} | {spread(some, hundredths)} | {spread(multiples[name], hundredths)} |"
            )
        shown[folder.name] = {name: statistics.median(some) for name, some in multiples.items()}
    if plot is not None:
        plot.write_text(bars("CPU time as a multiple of libcst.parse_module", shown), encoding="utf-8")
        click.echo(f"\nwrote {plot}", file=sys.stderr)


if __name__ == "__main__":
    main()
