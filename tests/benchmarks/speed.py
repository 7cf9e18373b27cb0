"""What a cold run costs beside parsing the same files with LibCST; prints Markdown.

    python -m tests.benchmarks.speed DIR... [--rounds 5]

Each round measures, one after the other and each in a process: `torchlint check --no-cache --jobs 1` over a folder,
`libcst.parse_module` of those of its files that mention torch, and of all its files. Times are CPU seconds, user and
system. The whole run of torchlint counts, its start too; of the parsing only the calls count, without the start of
Python and the import of LibCST. So the ratio is the hardest that one can ask for. docs/speed.md holds the figures.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import click

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_KIB_PER_MIB = 1024

_PARSE = """
import pathlib, sys, time
import libcst
contents = [pathlib.Path(name).read_bytes() for name in pathlib.Path(sys.argv[1]).read_text().splitlines()]
start = time.process_time()
for content in contents:
    try:
        libcst.parse_module(content)
    except (libcst.ParserSyntaxError, UnicodeDecodeError):
        pass
print(time.process_time() - start)
"""


@dataclass(frozen=True)
class Cost:
    """What a process and its children used. peak_mib: the largest resident set of any of them."""

    cpu_seconds: float
    wall_seconds: float
    peak_mib: float
    output: str


@dataclass(frozen=True)
class Round:
    """One round over one folder. parse_seconds: of the files that mention torch, and of all files, CPU."""

    check: Cost
    parse_seconds: float
    parse_all_seconds: float


def run(command: Sequence[str], *, may_fail: bool = False) -> Cost:
    """Run `command` to its end. Raises subprocess.CalledProcessError when it fails, unless it `may_fail`."""
    read_end, write_end = os.pipe()
    with os.fdopen(read_end) as output:
        started = os.times().elapsed
        process = subprocess.Popen(command, stdout=write_end, stderr=subprocess.DEVNULL)
        os.close(write_end)
        text = output.read()
        # wait4 reports what the process and its own children used, where Popen.wait would throw it away.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall_seconds = os.times().elapsed - started
    if process.returncode and not may_fail:
        raise subprocess.CalledProcessError(process.returncode, list(command))
    return Cost(usage.ru_utime + usage.ru_stime, wall_seconds, usage.ru_maxrss / _KIB_PER_MIB, text)


def torchlint(*arguments: str) -> Cost:
    """Run the tool."""
    return run([sys.executable, "-m", "torchlint", *arguments])


def check_cold(folder: Path) -> Cost:
    """Check `folder` as on a machine that has never seen it, in one process."""
    return torchlint("check", str(folder), "--isolated", "--no-cache", "--jobs", "1", "--quiet", "--exit-zero")


def parse(files: Sequence[Path]) -> float:
    """The CPU seconds that `libcst.parse_module` takes for `files`, which are in memory by then."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as listing:
        listing.write("".join(f"{file}\n" for file in files))
        listing.flush()
        return float(run([sys.executable, "-c", _PARSE, listing.name]).output)


def measure(folder: Path, rounds: int) -> list[Round]:
    """Interleave the measurements, so that a busy machine slows all of them."""
    files = sorted(folder.rglob("*.py"))
    of_torch = [file for file in files if b"torch" in file.read_bytes()]
    return [Round(check_cold(folder), parse(of_torch), parse(files)) for _ in range(rounds)]


def spread(values: Sequence[float], shown: Callable[[float], str]) -> str:
    """The median, and the least and the greatest value in parentheses."""
    return f"{shown(statistics.median(values))} ({shown(min(values))} to {shown(max(values))})"


def hundredths(value: float) -> str:
    return f"{value:.2f}"


def whole(value: float) -> str:
    return f"{value:,.0f}"


@click.command()
@click.argument("folders", nargs=-1, required=True, type=_FOLDER)
@click.option("--rounds", type=click.IntRange(min=1), default=5, help="How often each is measured.")
def main(folders: tuple[Path, ...], rounds: int) -> None:
    """Measure a cold check of each of FOLDERS against parsing it, and the start of the tool."""
    click.echo(
        f"Python {platform.python_version()}, libcst {version('libcst')}, {platform.machine()}, "
        f"{os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}, {rounds} rounds: median (least to greatest)\n"
    )
    click.echo(
        "| folder | files | check, CPU s | parse, CPU s | ratio | parse all files, CPU s | ratio | peak, MiB |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|"
    )
    for folder in folders:
        click.echo(_row(folder, measure(folder, rounds)))
    click.echo(f"\n`torchlint --version`: {_start(rounds)}; Python alone: {_bare_start(rounds)}")


def _row(folder: Path, rounds: list[Round]) -> str:
    cells = (
        folder.name,
        whole(sum(1 for _ in folder.rglob("*.py"))),
        spread([one.check.cpu_seconds for one in rounds], hundredths),
        spread([one.parse_seconds for one in rounds], hundredths),
        spread([one.check.cpu_seconds / one.parse_seconds for one in rounds], hundredths),
        spread([one.parse_all_seconds for one in rounds], hundredths),
        spread([one.check.cpu_seconds / one.parse_all_seconds for one in rounds], hundredths),
        spread([one.check.peak_mib for one in rounds], whole),
    )
    return "| " + " | ".join(cells) + " |"


def _start(rounds: int) -> str:
    return _costs([torchlint("--version") for _ in range(rounds)])


def _bare_start(rounds: int) -> str:
    return _costs([run([sys.executable, "-c", ""]) for _ in range(rounds)])


def _costs(costs: Sequence[Cost]) -> str:
    cpu = spread([one.cpu_seconds * 1000 for one in costs], whole)
    wall = spread([one.wall_seconds * 1000 for one in costs], whole)
    return f"{cpu} ms CPU, {wall} ms wall"


if __name__ == "__main__":
    main()
