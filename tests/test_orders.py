"""What torchlint says does not depend on the order in which it asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

from torchlint.examine import examine
from torchlint.imported import ImportedFiles
from torchlint.model.evaluation.fixpoints import Fixpoints, Open
from torchlint.model.project import Project
from torchlint.model.values import UNKNOWN, Kind, TensorValue, bounded
from torchlint.rules import Rule, load
from torchlint.settings import Settings

# State that is computed from its own last value, where an answer may need itself.
FOLDERS = ("TL102", "TL117", "TL121", "TL122")
ROOT = Path(__file__).parent / "rules"

One = TypeVar("One")
Order = Callable[[Sequence[Any]], Sequence[Any]]


def _hits(folder: str, of_files: Order, of_rules: Order, *, forgets: bool) -> list[tuple[Any, ...]]:
    files = [str(path) for path in sorted((ROOT / folder).glob("*.py"))]
    facts = {path: found for path in files if (found := examine(path, cache=None).facts) is not None}
    project = Project(facts, ImportedFiles(lambda _: Settings(), cache=None))
    hits = []
    for path in of_files(list(facts)):
        for rule in of_rules(list(load().values())):
            hits += [(rule.code, hit.span, hit.symbol, hit.when) for hit in _judged(rule, project, path)]
        if forgets:
            project.forget_evaluations(path)
    return sorted(hits)


def _judged(rule: Rule, project: Project, path: str) -> list[Any]:
    subjects: list[Any] = []
    if rule.subject in ("class", "definition"):
        subjects += project.modules_in(path)
    if rule.subject in ("function", "definition"):
        subjects += project.functions_in(path)
    return [hit for subject in subjects for hit in rule.judge(subject)]


def _forwards(some: Sequence[One]) -> Sequence[One]:
    return some


def _backwards(some: Sequence[One]) -> Sequence[One]:
    return some[::-1]


@pytest.mark.parametrize("folder", FOLDERS)
def test_findings_are_the_same_in_any_order_of_rules_and_files(folder: str) -> None:
    hits = _hits(folder, _forwards, _forwards, forgets=True)
    assert {code for code, *_ in hits} >= {folder}
    assert _hits(folder, _forwards, _backwards, forgets=True) == hits
    assert _hits(folder, _backwards, _backwards, forgets=False) == hits


def _as_it_is(answer: Any) -> Any:
    return answer


class _Sums:
    """The least numbers that satisfy equations: a number and the names that are added to it, at most a limit."""

    def __init__(self, **equations: tuple[int, str]) -> None:
        self.equations = equations
        self.fixpoints = Fixpoints(_as_it_is)
        self.known: dict[str, int | Open[int]] = {}
        self.asked: list[str] = []

    def of(self, name: str) -> int:
        known = self.known.get(name)
        if known is not None:
            return self.fixpoints.needed(known) if isinstance(known, Open) else known
        return self.fixpoints.settle(self.known, name, 0, self._find, name)

    def _find(self, name: str) -> int:
        self.asked.append(name)
        number, others = self.equations[name]
        return max([number, *map(self.of, others)])


def test_an_answer_that_needs_nothing_is_worked_out_once() -> None:
    sums = _Sums(a=(1, "b"), b=(2, ""))
    assert (sums.of("a"), sums.of("b"), sums.of("a")) == (2, 2, 2)
    assert sums.asked == ["a", "b"]


@pytest.mark.parametrize("names", ["abcd", "dcba", "bdac", "cabd"])
def test_a_circle_has_one_answer_wherever_it_is_entered(names: str) -> None:
    sums = _Sums(a=(1, "b"), b=(0, "ca"), c=(3, "ad"), d=(2, "b"))
    assert [sums.of(name) for name in names] == [3, 3, 3, 3]
    assert sums.known == dict.fromkeys("abcd", 3)
    assert sums.fixpoints.depth == 0


def test_a_circle_inside_a_circle_is_settled_with_the_outer_one() -> None:
    sums = _Sums(a=(0, "b"), b=(0, "cb"), c=(5, "ba"))
    assert sums.of("a") == 5
    assert sums.known == {"a": 5, "b": 5, "c": 5}


def test_what_does_not_come_to_rest_ends_all_the_same() -> None:
    fixpoints = Fixpoints(_as_it_is)
    known: dict[str, Any] = {}

    def grows() -> int:
        return int(fixpoints.needed(known["a"])) + 1

    assert fixpoints.settle(known, "a", 0, grows) == 7
    assert known == {"a": 7}


def test_an_answer_that_nests_in_itself_is_bounded_before_anything_rests_on_it() -> None:
    fixpoints = Fixpoints(bounded)
    known: dict[str, Any] = {}

    def nests() -> TensorValue:
        return TensorValue(Kind.CONTAINER, element=fixpoints.needed(known["a"]))

    found = fixpoints.settle(known, "a", UNKNOWN, nests)
    depth = 0
    while found.element is not None:
        found, depth = found.element, depth + 1
    assert depth == 4
    assert fixpoints.depth == 0


def test_what_was_asked_too_early_is_dropped_also_where_it_rests_on_what_is_open() -> None:
    sums = _Sums(a=(1, "b"), b=(0, "ca"), c=(2, "b"))
    find = sums._find

    def early(name: str) -> int:
        found = find(name)
        if name == "b" and sums.asked.count("b") == 1:
            sums.fixpoints.retract(sums.known, ["c"])
        return found

    sums._find = early  # type: ignore[method-assign]
    assert [sums.of(name) for name in "abc"] == [2, 2, 2]
    assert sums.known == dict.fromkeys("abc", 2)


def test_an_error_leaves_nothing_open() -> None:
    sums = _Sums(a=(1, "b"), b=(0, "ac"))
    with pytest.raises(KeyError, match="c"):
        sums.of("a")
    assert (sums.known, sums.fixpoints.depth) == ({}, 0)
    sums.equations["c"] = (7, "")
    assert sums.of("b") == 7
