"""The rules: one file each. A rule asks the model and yields hits; its page in rules/ holds the sentences."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from torchlint.findings import Hit

Judge = Callable[[Any], Iterator[Hit]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as registered: what it is asked about (a class, a function, the project), and the function that judges."""

    code: str
    subject: str
    judge: Judge


_RULES: dict[str, Rule] = {}


def class_rule(code: str) -> Callable[[Judge], Judge]:
    """Register a rule that is asked about each nn.Module class."""
    return _register(code, "class")


def function_rule(code: str) -> Callable[[Judge], Judge]:
    """Register a rule that is asked about each function and method, in modules and in plain code."""
    return _register(code, "function")


def project_rule(code: str) -> Callable[[Judge], Judge]:
    """Register a rule that is asked once about the whole project."""
    return _register(code, "project")


def suppression_rule(code: str) -> Callable[[Judge], Judge]:
    """Register a rule that is asked about each suppression that silences less than it says."""
    return _register(code, "suppression")


def _register(code: str, subject: str) -> Callable[[Judge], Judge]:
    def register(judge: Judge) -> Judge:
        if code in _RULES:
            raise ValueError(f"two rules are called {code}: {_RULES[code].judge.__module__} and {judge.__module__}")
        _RULES[code] = Rule(code, subject, judge)
        return judge

    return register


def load() -> dict[str, Rule]:
    """Import every rule file of this folder and return the rules by code, in order."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return dict(sorted(_RULES.items()))


def judge(rules: Iterable[Rule], project: Any, paths: Iterable[str]) -> Iterator[tuple[str, Hit]]:
    """Ask the rules about what the files `paths` define and yield (code, hit).

    A class is asked about as itself and as a base of others, so one place can be hit twice: within a file the first hit
    is kept. A hit may lie in another file than the one judged, where a class there is a base.
    """
    rules = list(rules)
    for path in paths:
        seen: set[tuple[object, ...]] = set()
        subjects = {"class": list(project.modules_in(path)), "function": list(project.functions_in(path))}
        for rule in rules:
            for subject in subjects.get(rule.subject, ()):
                for found in rule.judge(subject):
                    identity = (rule.code, found.span, found.symbol)
                    if identity not in seen:
                        seen.add(identity)
                        yield rule.code, found
        project.forget_evaluations()
    for rule in rules:
        if rule.subject == "project":
            yield from ((rule.code, found) for found in rule.judge(project))
