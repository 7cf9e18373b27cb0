"""How cost grows: with the number of files, with the size of a file, with the number of findings; prints Markdown.

    python -m tests.benchmarks.growth DIR FILE [--rounds 3] [--many 10000]

DIR is checked once, twice and four times side by side as packages of their own; FILE alone and with its definitions
repeated under other names; and a made-up project of `--many` files with five findings each is written as SARIF.
Times are CPU seconds of a cold check in one process. docs/speed.md holds the figures.
"""

from __future__ import annotations

import ast
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from tests.benchmarks.speed import Cost, check_cold, hundredths, spread, torchlint, whole

_TIMES = (1, 2, 4)
_BYTES_PER_MB = 1_000_000
_FIVE_FINDINGS = '''"""Five plain tensors."""

import torch
from torch import nn


class Scaled{number}(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.a = torch.ones(width)
        self.b = torch.zeros(width)
        self.c = torch.arange(width)
        self.d = torch.linspace(0, 1, width)
        self.e = torch.eye(width)

    def forward(self, x):
        return (x * self.a + self.b + self.c + self.d) @ self.e
'''


def copies(folder: Path, target: Path, times: int) -> Path:
    """`folder` several times below `target`, each copy a tree of its own."""
    for number in range(times):
        shutil.copytree(folder, target / f"copy_{number}")
    return target


def repeated(file: Path, target: Path, times: int) -> Path:
    """A folder with one file: that of `file` with its top-level definitions repeated under other names."""
    text = file.read_text(encoding="utf-8")
    statements = ast.parse(text).body
    names = [one.name for one in statements if isinstance(one, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)]
    name = re.compile(rf"\b({'|'.join(names)})\b") if names else re.compile(r"(?!)")
    # An import from __future__ must come first: only the copies that follow the first leave theirs out.
    again = re.sub(r"(?m)^from __future__ .*$", "", text)
    parts = [text, *(name.sub(rf"\1_{number}", again) for number in range(1, times))]
    target.mkdir(exist_ok=True)
    (target / file.name).write_text("\n\n".join(parts), encoding="utf-8")
    return target


def many(target: Path, count: int) -> Path:
    """`count` files with five findings each, a hundred in a package."""
    for number in range(count):
        package = target / f"package_{number // 100}"
        package.mkdir(exist_ok=True)
        (package / f"module_{number}.py").write_text(_FIVE_FINDINGS.format(number=number), encoding="utf-8")
    return target


def size_mb(folder: Path) -> float:
    """The size of the Python files below `folder`, in MB."""
    return sum(file.stat().st_size for file in folder.rglob("*.py")) / _BYTES_PER_MB


def rows(kind: str, folders: Sequence[Path], rounds: int) -> Iterator[str]:
    """A row for each folder: its size, its cost, the cost of a MB beside that of the first, the memory."""
    costs: list[list[Cost]] = [[] for _ in folders]
    for _ in range(rounds):
        for folder, some in zip(folders, costs, strict=True):
            some.append(check_cold(folder))
    base = [cost.cpu_seconds / size_mb(folders[0]) for cost in costs[0]]
    for times, folder, some in zip(_TIMES, folders, costs, strict=True):
        size = size_mb(folder)
        cpu = spread([cost.cpu_seconds for cost in some], hundredths)
        relative = spread([c.cpu_seconds / size / b for c, b in zip(some, base, strict=True)], hundredths)
        peak = spread([cost.peak_mib for cost in some], whole)
        yield f"| {kind}, {times} x | {size:.2f} | {cpu} | {relative} | {peak} |"


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--rounds", type=click.IntRange(min=1), default=3, help="How often each is measured.")
@click.option("--many", "count", type=click.IntRange(min=0), default=10_000, help="Files of the made-up project.")
def main(folder: Path, file: Path, rounds: int, count: int) -> None:
    """Measure how the cost of a check grows, with FOLDER and FILE as examples."""
    click.echo("| what | MB | check, CPU s | CPU of a MB beside 1 x | peak, MiB |\n|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as place:
        room = Path(place)
        trees = [copies(folder, room / f"folders_{times}", times) for times in _TIMES]
        click.echo("\n".join(rows(folder.name, trees, rounds)))
        files = [repeated(file, room / f"file_{times}", times) for times in _TIMES]
        click.echo("\n".join(rows(file.name, files, rounds)))
        if count:
            click.echo(_sarif_of_many(many(_made(room / "many"), count), room / "many.sarif"))


def _sarif_of_many(folder: Path, log: Path) -> str:
    options = ("--isolated", "--no-cache", "--jobs", "1", "--quiet", "--exit-zero")
    cost = torchlint("check", str(folder), *options, "--output-format", "sarif", "--output-file", str(log))
    findings = log.read_text(encoding="utf-8").count('"ruleIndex"')
    return f"\nSARIF of {findings:,} findings: {cost.cpu_seconds:.1f} CPU s, {cost.peak_mib:.0f} MiB"


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


if __name__ == "__main__":
    main()
