"""How many faults torchlint sees that we put into good code ourselves; prints Markdown.

    python -m tests.benchmarks.mutants [--rule TL101] [--verbose]
    python -m tests.benchmarks.mutants --corpus DIR [--seed 2026] [--count 150]

Each mutant has one change, which brings back the fault of one rule. Without --corpus the good examples of the pages are
changed, and the definitions of the fixtures that are marked `ok` for the rule. With it, definitions of real code in
which the rule finds nothing. A mutant is caught when the rule, or one that outranks it, says of a symbol what it did
not say before; a note counts.
"""

from __future__ import annotations

import ast
import difflib
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

import click

from tests.benchmarks.mutations import EDITS, GENERIC, MUTATIONS, STILL_RIGHT
from tests.benchmarks.mutations_syntax import Definition, Mutation, mutant
from tests.samples import PAGES, RULES, fixtures
from torchlint.engine import Request, check
from torchlint.model import Project
from torchlint.reading.reader import read
from torchlint.rules import judge
from torchlint.settings import Overrides
from torchlint.source import SourceFile

_EXAMPLE = "/example/good.py"
# One cache may be told of by either: the event that does not drop it, or the test that leaves something out.
_STANDS_IN = {"TL103": {"TL104"}, "TL104": {"TL103"}}
Said = Counter[tuple[str, str]]


@dataclass(frozen=True)
class Mutant:
    """A broken program. origin: the file or example; before: its text as good as it was, in the same layout."""

    code: str
    name: str
    origin: str
    before: str
    after: str


def said(text: str) -> Said:
    """How often each rule speaks of each symbol of a program."""
    return _said(text.encode())


@cache
def _said(data: bytes) -> Said:
    facts = read(SourceFile(_EXAMPLE, data), ast.parse(data))
    found = judge(RULES, Project({_EXAMPLE: facts}), [_EXAMPLE])
    return Counter((code, hit.symbol) for code, hit in found)


def is_caught(code: str, before: Said, after: Said) -> bool:
    """Whether the rule, or one in its place, says more of something after the change."""
    heard = {rule.code for rule in RULES if code in rule.outranks} | {code} | _STANDS_IN.get(code, set())
    return any(count > before[one] for one, count in after.items() if one[0] in heard)


def mutants_of_examples() -> Iterator[Mutant]:
    """All mutants of pages and fixtures."""
    for edit in EDITS:
        text = PAGES[edit.code].good[edit.example - 1]
        yield Mutant(edit.code, edit.name, f"{edit.code} good {edit.example}", text, edit.applied(text))
    for mutation in MUTATIONS:
        for origin, text, definitions in _seeds(mutation):
            tree = ast.parse(text)
            names = {name for name in definitions if (mutation.code, mutation.name, name) not in STILL_RIGHT}
            chosen = [node for node in tree.body if isinstance(node, Definition) and node.name in names]
            yield from _mutants(mutation, origin, tree, chosen)


def _mutants(mutation: Mutation, origin: str, tree: ast.Module, definitions: list[Definition]) -> Iterator[Mutant]:
    before = ast.unparse(tree)
    for definition in definitions:
        for swap in mutation.swaps(definition):
            yield Mutant(mutation.code, mutation.name, f"{origin} {definition.name}", before, mutant(tree, swap))


def _seeds(mutation: Mutation) -> Iterator[tuple[str, str, set[str]]]:
    """The programs for a mutation, each with the names of the definitions that may be changed."""
    for code, page in PAGES.items():
        if code == mutation.code or (mutation.anywhere and code.startswith(mutation.code[:3])):
            for number, text in enumerate(page.good, 1):
                yield f"{code} good {number}", text, _names(text)
    for sample in fixtures():
        if sample.name.startswith(mutation.code):
            (text,) = sample.files.values()
            yield sample.name, text, _marked_ok(text, mutation.code)


def _names(text: str) -> set[str]:
    return {node.name for node in ast.parse(text).body if isinstance(node, Definition)}


def _marked_ok(text: str, code: str) -> set[str]:
    """The definitions with a line that is `ok` for the rule, and none that is not."""
    lines = text.splitlines()
    names = set()
    for node in ast.parse(text).body:
        if isinstance(node, Definition):
            block = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            others = re.search(rf"# (expect|note|todo): (?:\w+ )?[^\n#]*{code}", block)
            if re.search(rf"# ok: [^\n]*{code}", block) and not others:
                names.add(node.name)
    return names


def mutants_of_corpus(folder: Path, seed: int, count: int, code: str) -> Iterator[tuple[Mutant, Path]]:
    """At most `count` mutants of real code for each generic mutation, and the file that each stands for."""
    files = [(path, path.read_bytes()) for path in sorted(folder.rglob("*.py")) if "test" not in path.name]
    for mutation in MUTATIONS:
        word = GENERIC.get((mutation.code, mutation.name))
        if word is not None and mutation.code.startswith(code):
            paths = [path for path, data in files if word in data and b"torch" in data]
            random.Random(seed).shuffle(paths)
            yield from islice(_mutants_of_files(mutation, paths, folder, random.Random(seed)), count)


def _mutants_of_files(
    mutation: Mutation, paths: list[Path], folder: Path, draw: random.Random
) -> Iterator[tuple[Mutant, Path]]:
    """One mutant, drawn from all, of each definition in which the rule finds nothing."""
    for path in paths:
        tree = _parsed(path)
        for definition in _definitions(tree) if tree else ():
            found = list(_mutants(mutation, str(path.relative_to(folder)), tree, [definition])) if tree else []
            if found and not any(
                one[0] == mutation.code for one in _said_of_file(found[0].before, path, definition.name)
            ):
                yield draw.choice(found), path


def _parsed(path: Path) -> ast.Module | None:
    try:
        return ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return None


def _definitions(tree: ast.Module) -> list[Definition]:
    """The definitions at the top of a file whose names are given once."""
    found = [node for node in tree.body if isinstance(node, Definition)]
    names = Counter(node.name for node in found)
    return [node for node in found if names[node.name] == 1]


@cache
def _said_of_file(text: str, path: Path, definition: str) -> Said:
    """What a whole run says of a definition of the file, were `text` its content."""
    source = SourceFile(str(path.resolve()), text.encode())
    report = check(Request((), Overrides(select=("ALL",)), isolated=True, stdin=source), lambda done, total: None)
    found = [(one.code, one.symbol) for one in report.findings]
    return Counter(one for one in found if one[1].partition(".")[0] == definition)


class Tally:
    """Mutants made and caught, by rule and transformation. missed: the mutants that no rule spoke about."""

    def __init__(self) -> None:
        self.made: Counter[tuple[str, str]] = Counter()
        self.caught: Counter[tuple[str, str]] = Counter()
        self.missed: list[Mutant] = []

    def add(self, one: Mutant, *, caught: bool) -> None:
        """Count one mutant."""
        self.made[one.code, one.name] += 1
        self.caught[one.code, one.name] += caught
        if not caught:
            self.missed.append(one)

    def table(self) -> str:
        """The counts as Markdown."""
        lines = ["| rule | transformation | mutants | caught |", "|---|---|---:|---:|"]
        lines += [
            f"| {code} | {name} | {made} | {self.caught[code, name]} |"
            for (code, name), made in sorted(self.made.items())
        ]
        lines.append(f"| all | {len(self.made)} transformations | {self.made.total()} | {self.caught.total()} |")
        return "\n".join(lines)


def count_examples(code: str) -> Tally:
    """The tally over pages and fixtures; `code`: only rules that begin with it."""
    tally = Tally()
    for one in mutants_of_examples():
        if one.code.startswith(code):
            tally.add(one, caught=is_caught(one.code, said(one.before), said(one.after)))
    return tally


def count_corpus(folder: Path, seed: int, count: int, code: str) -> Tally:
    """The tally over real code."""
    tally = Tally()
    for one, path in mutants_of_corpus(folder, seed, count, code):
        name = one.origin.rpartition(" ")[2]
        before, after = (_said_of_file(text, path, name) for text in (one.before, one.after))
        tally.add(one, caught=is_caught(one.code, before, after))
    return tally


def _change(one: Mutant) -> str:
    """The lines that differ."""
    lines = list(difflib.unified_diff(one.before.splitlines(), one.after.splitlines(), n=0, lineterm=""))[2:]
    return "\n".join(line for line in lines if not line.startswith("@@"))


@click.command()
@click.option("--rule", default="", metavar="CODE", help="Only the rules whose code begins so.")
@click.option("--corpus", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Mutate real code.")
@click.option("--seed", default=2026, show_default=True, help="Of the draw.")
@click.option("--count", default=150, show_default=True, help="Mutants for each transformation of real code.")
@click.option("--verbose", is_flag=True, help="List the mutants that are missed.")
def main(rule: str, corpus: Path | None, seed: int, count: int, verbose: bool) -> None:
    """Print how many mutants are made and caught."""
    tally = count_corpus(corpus, seed, count, rule) if corpus else count_examples(rule)
    click.echo(tally.table())
    for one in tally.missed if verbose else ():
        click.echo(f"\nmissed: {one.code} {one.name}: {one.origin}")
        click.echo(_change(one))


if __name__ == "__main__":
    main()
