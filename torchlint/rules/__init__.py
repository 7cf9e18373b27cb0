"""The rules: one file each. A rule asks the model and yields hits; its page in rules/ holds the sentences."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from torchlint.findings import Hit

Judge = Callable[[Any], Iterator[Hit]]
Helpers = Literal["written out", "own lines", "as called"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as registered: what it is asked about (a class, a function, either, the project), and what judges.

    outranks: the rules that say less of an attribute on the same line; one assignment gets one code. helpers: whether
    functions are judged with their helpers written out too ("written out"), and then in their own lines only
    ("own lines"), or only as they are, since the rule follows calls itself ("as called").
    """

    code: str
    subject: str
    judge: Judge
    outranks: tuple[str, ...] = ()
    helpers: Helpers = "written out"


_RULES: dict[str, Rule] = {}


def class_rule(code: str, *, outranks: tuple[str, ...] = ()) -> Callable[[Judge], Judge]:
    """Register a rule that is asked about each nn.Module class."""
    return _register(code, "class", outranks)


def function_rule(
    code: str, *, outranks: tuple[str, ...] = (), helpers: Helpers = "written out"
) -> Callable[[Judge], Judge]:
    """Register a rule that is asked about each function and method, in modules and in plain code."""
    return _register(code, "function", outranks, helpers)


def definition_rule(code: str, *, outranks: tuple[str, ...] = ()) -> Callable[[Judge], Judge]:
    """Register a rule that is asked about each nn.Module class, and about each function and method."""
    return _register(code, "definition", outranks)


def project_rule(code: str) -> Callable[[Judge], Judge]:
    """Register a rule that is asked once about the whole project."""
    return _register(code, "project")


def suppression_rule(code: str) -> Callable[[Judge], Judge]:
    """Register a rule that is asked about each suppression that silences less than it says."""
    return _register(code, "suppression")


def _register(
    code: str, subject: str, outranks: tuple[str, ...] = (), helpers: Helpers = "written out"
) -> Callable[[Judge], Judge]:
    def register(judge: Judge) -> Judge:
        if code in _RULES:
            raise ValueError(f"two rules are called {code}: {_RULES[code].judge.__module__} and {judge.__module__}")
        _RULES[code] = Rule(code, subject, judge, outranks, helpers)
        return judge

    return register


def load() -> dict[str, Rule]:
    """Import every rule file of this folder and return the rules by code, in order."""
    import importlib
    import pkgutil

    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return dict(sorted(_RULES.items()))


@cache
def codes() -> tuple[str, ...]:
    """The codes of all rules, in order, by the names of their files; no rule is imported."""
    files = (entry.name for folder in __path__ for entry in os.scandir(folder) if entry.name.startswith("tl"))
    return tuple(sorted(name.partition("_")[0].upper() for name in files))


def judge(rules: Iterable[Rule], project: Any, paths: Iterable[str]) -> Iterator[tuple[str, Hit]]:
    """Ask the rules about what the files `paths` define and yield (code, hit).

    A class is asked about as itself and as a base of others, so one place can be hit twice: within a file the first hit
    is kept. A hit may lie in another file than the one judged, where a class there is a base.
    """
    rules = list(rules)
    for path in paths:
        yield from _without_outranked(list(_hits_in(path, rules, project)), rules)
        project.forget_evaluations(path)
    for rule in rules:
        if rule.subject == "project":
            yield from ((rule.code, found) for found in rule.judge(project))


def needed(enabled: Container[str], rules: Iterable[Rule]) -> list[Rule]:
    """The rules to ask where some are enabled: also those whose hits would take the place of an enabled one's."""
    return [rule for rule in rules if rule.code in enabled or any(code in enabled for code in rule.outranks)]


def _hits_in(path: str, rules: Iterable[Rule], project: Any) -> Iterator[tuple[str, Hit]]:
    from torchlint.rules.said import Said

    seen: set[tuple[object, ...]] = set()
    classes, functions = list(project.modules_in(path)), list(project.functions_to_judge(path))
    said = Said(functions)
    subjects: dict[str, list[Any]] = {"class": classes, "function": functions, "definition": [*classes, *functions]}
    for rule in rules:
        for subject in subjects.get(rule.subject, ()):
            if rule.helpers == "as called" and said.is_written_out(subject):
                continue
            for hit in rule.judge(subject):
                is_here = rule.subject == "class" or path in (hit.span.path, subject.path)
                found = said.kept(hit, rule, subject) if is_here else None
                identity = (rule.code, hit.span, hit.symbol)
                if found is not None and identity not in seen:
                    seen.add(identity)
                    yield rule.code, found


def _without_outranked(hits: list[tuple[str, Hit]], rules: Iterable[Rule]) -> Iterator[tuple[str, Hit]]:
    outranked = {
        (found.span.path, found.span.line, found.symbol, lesser)
        for rule in rules
        for code, found in hits
        if code == rule.code
        for lesser in rule.outranks
    }
    return ((c, found) for c, found in hits if (found.span.path, found.span.line, found.symbol, c) not in outranked)
