"""What the index costs, how much of a project one file needs, and whether a file alone gives what the whole gives.

    python -m tests.benchmarks.index cost DIR
    python -m tests.benchmarks.index reads FILE...
    python -m tests.benchmarks.index alone DIR [--count 40] [--seed 2026]

docs/accuracy.md and docs/speed.md hold the figures.
"""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable
from pathlib import Path

import click

from torchlint.engine import Request, check
from torchlint.imported import ImportedFiles
from torchlint.model.facts import FileFacts, Outline
from torchlint.model.project import Project
from torchlint.reading.gate import read_safely
from torchlint.rules import judge, load
from torchlint.settings import Overrides, Settings
from torchlint.source import SourceFile

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)

Finding = tuple[str, int, str, str]


@click.group()
def main() -> None:
    """What the index costs, how much of a project one file needs, and what a file alone gives."""


@main.command()
@click.argument("folder", type=_FOLDER)
def cost(folder: Path) -> None:
    """CPU time of the outlines of all files, and of asking which classes are modules, against parsing with LibCST."""
    import libcst

    paths = [str(path) for path in sorted(folder.resolve().rglob("*.py"))]
    project = Project({}, ImportedFiles(lambda _: Settings(), cache=None))
    gc.disable()
    outlines = _seconds(lambda: [project.classes_in(path) for path in paths])
    views = [view for path in paths for view in project.classes_in(path)]
    modules = [False]
    linking = _seconds(lambda: modules.__setitem__(slice(None), [view.is_certain for view in views]))
    parsing = _seconds(lambda: [libcst.parse_module(Path(path).read_bytes()) for path in paths])
    click.echo(f"{len(paths):,} files, {len(views):,} classes, {sum(modules):,} modules")
    click.echo(
        f"outlines {outlines / parsing:.3f} x parsing; with what each class is, {(outlines + linking) / parsing:.3f} x"
    )


@main.command()
@click.argument("files", nargs=-1, required=True, type=_FILE)
def reads(files: tuple[Path, ...]) -> None:
    """Of each file judged alone by all rules: the other files that were opened, and how much LibCST parsed of them."""
    for file in files:
        path = str(file.resolve())
        counted = _CountedFiles(lambda _: Settings(), cache=None)
        facts = read_safely(SourceFile.load(Path(path)))
        if facts is None:
            raise click.ClickException(f"{file} cannot hold a module")
        for _ in judge(load().values(), Project({path: facts}, counted), [path]):
            pass
        opened, parsed = sum(counted.lines.values()), sum(counted.parsed.values())
        click.echo(
            f"{file.name}: {len(counted.lines)} files opened, {parsed:,} of their {opened:,} lines parsed by LibCST"
        )


class _CountedFiles(ImportedFiles):
    """ImportedFiles that counts. lines: of each file opened. parsed: the lines of the parts that were read, by file."""

    def __init__(self, settings_of: Callable[[Path], Settings], *, cache: bool) -> None:
        super().__init__(settings_of, cache=cache)
        self.lines: dict[str, int] = {}
        self.parsed: dict[str, int] = {}

    def outline(self, path: str) -> Outline | FileFacts | None:
        self.lines[path] = Path(path).read_bytes().count(b"\n")
        return super().outline(path)

    def part(self, path: str, outline: Outline, group: int) -> FileFacts | None:
        count = sum(last - first + 1 for first, last in outline.groups[group])
        self.parsed[path] = self.parsed.get(path, 0) + count
        return super().part(path, outline, group)


@main.command()
@click.argument("folder", type=_FOLDER)
@click.option("--count", default=40, help="How many files without findings are checked alone too.")
@click.option("--seed", default=2026)
def alone(folder: Path, count: int, seed: int) -> None:
    """Check a package as a whole and then files alone: those with findings, and others drawn at random."""
    whole = _findings(folder.resolve())
    files = sorted(str(path) for path in folder.resolve().rglob("*.py") if b"torch" in path.read_bytes())
    others = random.Random(seed).sample(
        [file for file in files if file not in whole], min(count, len(files) - len(whole))
    )
    different = 0
    for file in (*whole, *others):
        found = _findings(Path(file)).get(file, set())
        if found != whole.get(file, set()):
            different += 1
            click.echo(
                f"{file}: only as a whole {whole.get(file, set()) - found}; only alone {found - whole.get(file, set())}"
            )
    click.echo(
        f"{folder.name}: {sum(map(len, whole.values()))} findings in {len(whole)} files; "
        f"{len(whole) + len(others)} files alone, {different} different"
    )


def _findings(path: Path) -> dict[str, set[Finding]]:
    overrides = Overrides(select=("ALL",), show_notes=True)
    report = check(Request((str(path),), overrides, isolated=True), lambda *_: None)
    found: dict[str, set[Finding]] = {}
    for one in report.findings:
        found.setdefault(one.span.path, set()).add((one.code, one.span.line, one.severity.value, one.message))
    return found


def _seconds(work: Callable[[], object]) -> float:
    """CPU seconds of `work`."""
    start = time.process_time()
    work()
    return time.process_time() - start


if __name__ == "__main__":
    main()
