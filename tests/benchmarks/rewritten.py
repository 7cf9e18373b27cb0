"""Findings in programs written another way; prints Markdown.

    python -m tests.benchmarks.rewritten [FOLDER...] [--only NAME] [--verbose] [--keep FOLDER]

Each case file is rewritten by a program (tests/benchmarks/rewrites.py); torch runs what comes out, and where its
demonstrate() does not pass any more the rewrite is left out. A finding of the first program is kept where the same rule
speaks of a statement that was made of the same statement; where a rule speaks of another one, that is new.
"""

from __future__ import annotations

import ast
import os
import re
import signal
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import click

from tests.benchmarks.rewrites import REWRITES, Rewrite, as_it_is
from tests.benchmarks.rewrites_names import origins
from tests.benchmarks.tool import check
from tests.case_files import EXPECTED_AS_NOTE, LATER_CASES, read_case

_SELF_CHECK = re.compile(r"^(def demonstrate|# ---- demonstration)", re.MULTILINE)
_LIMIT_SECONDS = 60
_FOLDER = click.Path(exists=True, path_type=Path)

Place = tuple[str, int, str]


@dataclass(frozen=True)
class Written:
    """A program after a rewrite. origins: for each of its lines, the lines of the first program that it was made of."""

    text: str
    origins: dict[int, frozenset[int]]


@click.command()
@click.argument("folders", nargs=-1, type=_FOLDER)
@click.option("--only", multiple=True, help="The rewrites to do, by name.")
@click.option("--verbose", is_flag=True, help="List what is lost and what is new.")
@click.option("--keep", type=click.Path(path_type=Path), help="Leave the programs in this folder.")
@click.option("--every", default=1, help="Only each so many-th program.")
def main(folders: tuple[Path, ...], only: tuple[str, ...], verbose: bool, keep: Path | None, every: int) -> None:
    """Findings in programs written another way; prints Markdown."""
    paths = [path for folder in folders or (LATER_CASES,) for path in sorted(folder.rglob("*.py"))][::every]
    click.echo("| rewrite | programs | findings | kept | new |\n|---|---:|---:|---:|---:|")
    before: set[Place] = set()
    with tempfile.TemporaryDirectory() as scratch:
        for rewrite in REWRITES:
            if only and rewrite.__name__ not in only and rewrite is not as_it_is:
                continue
            programs = dict(_rewritten(paths, rewrite))
            found = _findings(programs, (keep or Path(scratch)) / rewrite.__name__)
            before = before if before or rewrite is not as_it_is else found
            first = {place for place in before if place[0] in programs}
            kept, new = _compared(first, found)
            share = f"{len(kept)} ({len(kept) / len(first):.1%})" if first else "-"
            click.echo(f"| {rewrite.__name__} | {len(programs)} | {len(first)} | {share} | {len(new)} |")
            for word, places in (("lost", first - kept), ("new", new)) if verbose else ():
                for name, line, code in sorted(places):
                    click.echo(f"    {word}: {rewrite.__name__}/{name}: {code} of line {line}")


def _rewritten(paths: list[Path], rewrite: Rewrite) -> Iterator[tuple[str, Written]]:
    for path in paths:
        text = path.read_text(encoding="utf-8")
        program = read_case(path).program
        start = _SELF_CHECK.search(text)
        if start is None:
            continue
        try:
            written = _written(program, rewrite)
        except (AttributeError, IndexError, SyntaxError) as error:
            click.echo(f"{path.name} was not rewritten by {rewrite.__name__}: {error!r}", err=True)
            continue
        if rewrite is as_it_is or (
            written.text != _written(program, as_it_is).text and _runs(path, written, text[start.start() :])
        ):
            yield f"{path.parent.name}_{path.stem}", written


def _written(program: str, rewrite: Rewrite) -> Written:
    tree = ast.parse(program)
    rewrite(tree)
    # unparse() reads the places of nothing; what has no line takes that of what is around it.
    text = ast.unparse(ast.fix_missing_locations(tree))
    lines: dict[int, frozenset[int]] = {}
    for old, new in zip(_statements(tree), _statements(ast.parse(text)), strict=True):
        for line in range(new.lineno, (new.end_lineno or new.lineno) + 1):
            # Outer statements come first, so that the innermost one has the last word.
            lines[line] = origins(old)
        for decorator in getattr(new, "decorator_list", ()):
            lines[decorator.lineno] = origins(old)
    return Written(text + "\n", lines)


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        yield from _statements(child)


def _runs(path: Path, written: Written, self_check: str) -> bool:
    """Whether the self-check passes. In a process of its own, forked from this one, which has torch."""
    import torch

    sys.stdout.flush()
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    try:
        torch.set_num_threads(1)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        signal.alarm(_LIMIT_SECONDS)
        names = {"__name__": "rewritten_case", "__file__": str(path)}
        sys.modules["rewritten_case"] = type(sys)("rewritten_case")
        sys.modules["rewritten_case"].__dict__.update(names)
        names = sys.modules["rewritten_case"].__dict__
        exec(compile(written.text + "\n" + self_check, str(path), "exec"), names)
        names["demonstrate"]()
    except BaseException:  # whatever stops the program, an exit too: it did not run through
        os._exit(1)
    os._exit(0)


def _findings(programs: dict[str, Written], folder: Path) -> set[Place]:
    """The findings by program, line of the first program and rule."""
    for name, written in programs.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "program.py").write_text(written.text, encoding="utf-8")
    found = set()
    names = iter(sorted(programs))
    while group := list(islice(names, 40)):
        for result in check([folder / name for name in group], folder, "--select", "ALL").results:
            name = Path(result.path).parent.name
            if not result.is_note or result.code in EXPECTED_AS_NOTE:
                found |= {(name, line, result.code) for line in programs[name].origins[result.line]}
    return found


def _compared(before: set[Place], found: set[Place]) -> tuple[set[Place], set[Place]]:
    return before & found, found - before


if __name__ == "__main__":
    main()
