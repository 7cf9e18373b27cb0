"""How often torchlint is right, measured through its command line and its SARIF; prints Markdown.

    python -m tests.benchmarks.accuracy cases [DIR...]
    python -m tests.benchmarks.accuracy labels CSV --corpus DIR
    python -m tests.benchmarks.accuracy files CSV LIST --corpus DIR
    python -m tests.benchmarks.accuracy counts DIR
    python -m tests.benchmarks.accuracy sample DIR --seed 2026 --count 30

A finding answers a labelled site when the rule is the same and the lines are at most 2 apart (cases: the same line).
Weak sites count neither way. A note is never false. docs/accuracy.md holds the figures.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from tests.benchmarks.labels import Labels, read_files, read_labels
from tests.benchmarks.scoring import Expectations, Score, Site, score, table
from tests.benchmarks.tool import Result, Run, check
from tests.case_files import CASES, Case, cases_in

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_verbose = click.option("--verbose", is_flag=True, help="List what was missed, and what is false.")
_corpus = click.option("--corpus", type=_FOLDER, required=True, help="Where the packages or repositories lie.")


@click.group()
def main() -> None:
    """How often torchlint is right, measured through its command line and its SARIF; prints Markdown."""


@main.command()
@click.argument("folders", nargs=-1, type=_FOLDER)
@_verbose
def cases(folders: tuple[Path, ...], verbose: bool) -> None:
    """Case files, whose marks say what is expected on each line."""
    with tempfile.TemporaryDirectory() as scratch:
        programs = _write_programs(cases_in(*(folders or (CASES,))), Path(scratch).resolve())
        run = check(programs, Path(scratch), "--select", "ALL")
    graded = [one for one in run.results if one.code in programs[Path(one.path)].codes]
    expectations = Expectations(
        expected=_sites(programs, lambda case: {one for one in case.expected if one[1] in run.codes}),
        neutral=_sites(programs, lambda case: case.surfaces),
        wrong=None,
    )
    _report(score(graded, expectations), verbose=verbose)


@main.command("labels")
@click.argument("csv", type=_FILE)
@_corpus
@_verbose
def labelled_sites(csv: Path, corpus: Path, verbose: bool) -> None:
    """Labelled sites of real code; what lies elsewhere is not graded."""
    labels = _present(read_labels(csv, corpus))
    run = check(labels.files, corpus, "--select", "ALL")
    _report(score(run.results, labels.expectations(whole_files=False)), verbose=verbose)


@main.command()
@click.argument("csv", type=_FILE)
@click.argument("listing", metavar="LIST", type=_FILE)
@_corpus
@_verbose
def files(csv: Path, listing: Path, corpus: Path, verbose: bool) -> None:
    """Files that are labelled whole: every other finding is false."""
    labels = _present(read_labels(csv, corpus))
    run = check(read_files(listing, corpus), corpus, "--select", "ALL")
    _report(score(run.results, labels.expectations(whole_files=True)), verbose=verbose)


@main.command()
@click.argument("folder", type=_FOLDER)
def counts(folder: Path) -> None:
    """The findings of each rule in each package of a folder: errors and warnings, then notes in parentheses."""
    runs = dict(_runs(folder, "--show-notes"))
    codes = sorted({code for run in runs.values() for code in run.codes})
    click.echo("| package | files | modules | " + " | ".join(codes) + " | not analysed |")
    click.echo("|---|" + "---:|" * (len(codes) + 3))
    for name, run in runs.items():
        click.echo(_count_row(name, [run], codes))
    click.echo(_count_row("all", list(runs.values()), codes))


@main.command()
@click.argument("folder", type=_FOLDER)
@click.option("--seed", type=int, default=2026)
@click.option("--count", type=int, default=30)
def sample(folder: Path, seed: int, count: int) -> None:
    """A random sample of the errors and warnings of a default run, to be read and judged."""
    found = [one for _, run in _runs(folder) for one in run.results if not one.is_note]
    chosen = sorted(random.Random(seed).sample(found, min(count, len(found))))
    click.echo(f"{len(chosen)} of {len(found)} errors and warnings, seed {seed}\n")
    for number, result in enumerate(chosen, 1):
        click.echo(_shown(number, result, folder))


def _runs(folder: Path, *options: str) -> Iterator[tuple[str, Run]]:
    """A run over each package of `folder`, as a user of that package would run it."""
    for package in sorted(path for path in folder.resolve().iterdir() if path.is_dir() and path.name[0] != "."):
        yield package.name, check([Path()], package, *options)


def _write_programs(cases: list[Case], folder: Path) -> dict[Path, Case]:
    """Write what is graded of each case, each into a folder of its own, so that no case imports another."""
    programs: dict[Path, Case] = {}
    for number, case in enumerate(cases):
        path = folder / str(number) / case.path.name
        path.parent.mkdir()
        path.write_text(case.program, encoding="utf-8")
        programs[path] = case
    return programs


def _sites(programs: dict[Path, Case], places: Callable[[Case], Any]) -> frozenset[Site]:
    return frozenset(Site(str(path), line, code) for path, case in programs.items() for line, code in places(case))


def _present(labels: Labels) -> Labels:
    """The labels, when the corpus holds four fifths of their files or more; says what is left out."""
    if len(labels.absent) * 5 > len(labels.rows) + len(labels.absent):
        raise click.ClickException(f"the corpus lacks {len(labels.absent)} labelled places, such as {labels.absent[0]}")
    if labels.absent:
        click.echo(f"{len(labels.absent)} labels left out: their files are not in the corpus", err=True)
    return labels


def _report(score: Score, *, verbose: bool) -> None:
    click.echo(table(score))
    if verbose:
        for word, sites in (("missed", score.missed), ("false", score.false)):
            for site in sorted(sites):
                click.echo(f"{word} {site.code} {site.path}:{site.line}")


def _count_row(name: str, runs: list[Run], codes: list[str]) -> str:
    results = [one for run in runs for one in run.results]
    loud = Counter(one.code for one in results if not one.is_note)
    notes = Counter(one.code for one in results if one.is_note)
    cells = [f"{loud[code]} ({notes[code]})" if notes[code] else str(loud[code]) for code in codes]
    read = [f"{sum(run.file_count for run in runs):,}", f"{sum(run.module_count for run in runs):,}"]
    not_analysed = str(sum(run.notification_count for run in runs))
    return "| " + " | ".join([name, *read, *cells, not_analysed]) + " |"


def _shown(number: int, result: Result, folder: Path) -> str:
    path = Path(result.path)
    line = path.read_text(encoding="utf-8", errors="replace").splitlines()[result.line - 1].strip()
    place = f"{path.relative_to(folder.resolve()).as_posix()}:{result.line}"
    return f"{number}. {result.code} {result.level} `{place}`\n   `{line}`\n   {result.message}\n"


if __name__ == "__main__":
    main()
