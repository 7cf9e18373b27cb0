"""How much the model knows of the values that programs have when they run, and where torch contradicts it; prints
Markdown.

    python -m tests.benchmarks.known [FOLDER...] [--verbose]

Each case file runs once with every expression watched. Of each expression that was a tensor or an nn.Module whenever it
ran, and is no bare argument, the model is asked. A tensor counts as known by its dtype, or by "floating" where that is
all there is to say before anybody converts the module; a module by being one. A contradiction is another kind of
thing, another category of dtype, another number of dimensions, or a class that is none of the object's.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import click

from tests.benchmarks.known_record import WATCHED, Place, Seen, place, recorded
from tests.case_files import CASES, LATER_CASES
from torchlint.model.frames import Frame
from torchlint.model.project import Project
from torchlint.model.terms import Term
from torchlint.model.values import Kind, TensorValue
from torchlint.reading.expressions import ExpressionReader
from torchlint.reading.reader import read
from torchlint.source import SourceFile

_CATEGORIES = {"floating": ("float", "bfloat"), "integral": ("int", "uint", "bool"), "complex": ("complex",)}
_FOLDER = click.Path(exists=True, path_type=Path)


@click.command()
@click.argument("folders", nargs=-1, type=_FOLDER)
@click.option("--verbose", is_flag=True, help="List the contradictions, and where knowledge is lost.")
def main(folders: tuple[Path, ...], verbose: bool) -> None:
    """How much the model knows of the values that programs have when they run; prints Markdown."""
    click.echo("| programs | expressions | known | not known | contradicted |\n|---|---:|---:|---:|---:|")
    for folder in folders or (CASES / "state", CASES / "dtype", LATER_CASES / "state", LATER_CASES / "dtype"):
        said: Counter[str] = Counter()
        for path in sorted(folder.rglob("*.py")) if folder.is_dir() else [folder]:
            said += _of_program(path, verbose)
        total = said.total()
        shares = (f"{said[one]:,} ({said[one] / total:.1%})" for one in ("known", "not known", "contradicted"))
        click.echo(f"| {folder.parent.name}/{folder.name} | {total:,} | {' | '.join(shares)} |")


def _of_program(path: Path, verbose: bool) -> Counter[str]:
    seen = recorded(path)
    program = Program(path)
    answers = {where: program.answer(where, seen[where]) for where in program.asked if where in seen}
    found = {where: answer for where, answer in answers.items() if answer is not None}
    for where, answer in found.items() if verbose else ():
        if answer.verdict == "contradicted" or (answer.verdict == "not known" and program.begins_at(where, found)):
            text = ast.unparse(program.asked[where].node)
            click.echo(f"{path}:{where[0]}: {answer.verdict}: {text} is {seen[where][0]}, the model: {answer.said}")
    return Counter(answer.verdict for answer in found.values())


@dataclass(frozen=True)
class Answer:
    """verdict: "known", "not known" or "contradicted"; said: what the model says."""

    verdict: str
    said: str


@dataclass
class _Asked:
    """An expression and the line of the function around it (0 for none). inner: the expressions in it."""

    node: ast.expr
    scope: int
    inner: list[Place] = field(default_factory=list)


class Program:
    """The model of one file, asked by the places of its expressions."""

    def __init__(self, path: Path) -> None:
        source = SourceFile.load(path)
        tree = ast.parse(source.data)
        with _listening() as self._terms:
            facts = read(source, tree)
        self._frames: dict[int, list[Frame]] = {}
        for frame in Project({str(path): facts}).functions_to_judge(str(path)):
            scope = 0 if frame.function.name == "<module>" else frame.function.place[0]
            self._frames.setdefault(scope, []).append(frame)
        self.asked = {place(one.node): one for one in _expressions(tree)}

    def answer(self, where: Place, seen: list[Seen]) -> Answer | None:
        """What the model says of an expression; None where there is nothing to ask. Where a method runs in several
        classes, the best answer counts."""
        present = [one for one in seen if one.kind != "NoneType"]
        term = self._terms.get(where)
        if {one.kind for one in present} not in ({"tensor"}, {"nn.Module"}) or term is None:
            return None
        answers = [_compared(frame.value(term), present) for frame in self._frames.get(self.asked[where].scope, ())]
        ranks = ("known", "not known", "contradicted")
        return min(answers, key=lambda one: ranks.index(one.verdict), default=None)

    def begins_at(self, where: Place, answers: dict[Place, Answer]) -> bool:
        """True where knowledge is lost in an expression: all in it that could be asked is known."""
        inner = (answers[one] for one in self.asked[where].inner if one in answers)
        return all(one.verdict == "known" for one in inner)


@contextmanager
def _listening() -> Iterator[dict[Place, Term]]:
    """Collect the terms that the reader makes, by the places of their expressions."""
    terms: dict[Place, Term] = {}
    original = ExpressionReader.read

    def read_and_note(reader: ExpressionReader, node: object, tree: ast.AST | None) -> Term:
        term = original(reader, node, tree)  # type: ignore[arg-type]
        if isinstance(tree, ast.expr):
            terms[place(tree)] = term
        return term

    ExpressionReader.read = read_and_note  # type: ignore[method-assign]
    try:
        yield terms
    finally:
        ExpressionReader.read = original  # type: ignore[method-assign]


def _expressions(tree: ast.AST, scope: int = 0, given: frozenset[str] = frozenset()) -> Iterator[_Asked]:
    """The expressions to ask about: outside of lambdas and of the demonstration, and no bare arguments."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Lambda) or (isinstance(node, ast.FunctionDef) and node.name == "demonstrate"):
            continue
        if isinstance(node, ast.FunctionDef):
            names = frozenset(one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg))
            yield from _expressions(node, node.lineno, names)
            continue
        if isinstance(node, WATCHED) and not (isinstance(node, ast.Name) and node.id in given):
            inner = [place(one) for one in ast.walk(node) if isinstance(one, WATCHED) and one is not node]
            yield _Asked(node, scope, inner)
        yield from _expressions(node, scope, given)


def _compared(value: TensorValue, seen: list[Seen]) -> Answer:
    names = {name for one in seen for name in one.names}
    said = f"{value.kind.value} {value.dtype or getattr(value.of, 'name', '') or ''}".strip()
    if value.kind in (Kind.UNKNOWN, Kind.OTHER, Kind.NONE):
        return Answer("not known", said)
    if seen[0].kind == "nn.Module":
        return Answer(_of_module(value, names), said)
    if not value.is_tensor or not _may_be(value, seen, names):
        return Answer("contradicted", said)
    return Answer("known" if value.dtype is not None else "not known", said)


def _of_module(value: TensorValue, names: set[str]) -> str:
    if value.kind is not Kind.MODULE:
        return "not known" if value.kind is Kind.OBJECT else "contradicted"
    name = getattr(value.of, "qualname", None)
    return "known" if name is None or name.rpartition(".")[2] in names else "contradicted"


def _may_be(value: TensorValue, seen: list[Seen], names: set[str]) -> bool:
    """False where the dtype is of another category, or the number of dimensions another one."""
    if value.ndim is not None and all(one.ndim != value.ndim for one in seen):
        return False
    said = next((starts for starts in _CATEGORIES.values() if (value.dtype or "").startswith(starts)), None)
    starts = said or _CATEGORIES.get(value.dtype or "")
    return starts is None or any(name.startswith(starts) for name in names)


if __name__ == "__main__":
    main()
