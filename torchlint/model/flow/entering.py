"""Entering: which functions the methods of a class may run on its object, by names alone. No term is evaluated, so it
is a cheap bound: what is not found here no walk enters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated, Event, ItemWrite, Write
from torchlint.model.facts import Function
from torchlint.model.frames import self_use
from torchlint.model.terms import Argument, Attribute, Call, Captured, Term

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_Entered = tuple[frozenset[str], tuple[Term, ...]]


class Entering:
    """Who may enter whom, for the methods of one class and the helpers that get its object."""

    def __init__(self, view: ModuleClass) -> None:
        self._view = view
        self._next: dict[int, list[Function]] = {}

    def leading_to(self, starts: Iterable[Function], wanted: Callable[[Function], bool]) -> set[int]:
        """The identities of the functions, among `starts` and all that they reach, that may enter a wanted one."""
        before: dict[int, list[int]] = {}
        waiting, seen, found = list(starts), set[int](), list[int]()
        while waiting:
            function = waiting.pop()
            if id(function) in seen:
                continue
            seen.add(id(function))
            for one in self._entered_by(function):
                before.setdefault(id(one), []).append(id(function))
                waiting.append(one)
                if wanted(one):
                    found.append(id(function))
        return _all_before(found, before)

    def leading_into(self, starts: Iterable[Function], wanted: frozenset[int]) -> set[int]:
        """The same for functions whose identities are wanted."""
        return self.leading_to(starts, lambda one: id(one) in wanted) if wanted else set[int]()

    def nearest_first(self, starts: Iterable[Function], wanted: frozenset[int]) -> list[Function]:
        """`starts`, those first that may themselves enter a function whose identity is wanted."""
        return sorted(starts, key=lambda function: not any(id(one) in wanted for one in self._entered_by(function)))

    def _entered_by(self, function: Function) -> list[Function]:
        if id(function) not in self._next:
            names, callees = _entered_names(function)
            found = [body for name in names for body in self._bodies.get(name, ())]
            targets = (self._view.project.names.of_term(callee, function.path) for callee in callees)
            self._next[id(function)] = found + [target for target in targets if isinstance(target, Function)]
        return self._next[id(function)]

    @cached_property
    def _bodies(self) -> dict[str, list[Function]]:
        """The methods of each name, of the class and all its bases: which one runs is not asked."""
        found: dict[str, list[Function]] = {}
        for ancestor in self._view.ancestors:
            for name, method in ancestor.facts.methods.items():
                found.setdefault(name, []).append(method)
        return found


def _all_before(found: list[int], before: dict[int, list[int]]) -> set[int]:
    """`found`, and what comes before it in any number of steps."""
    leading = set[int]()
    while found:
        one = found.pop()
        if one not in leading:
            leading.add(one)
            found += before.get(one, ())
    return leading


def _entered_names(function: Function) -> _Entered:
    """The names of the methods that a function may run, and what it calls that may get the object; found once."""
    known: _Entered | None = function.derived.get("entered names")
    if known is None:
        steps = self_use(function).steps
        names = frozenset(name for step in steps for name in _methods_run(step))
        callees = (callee for step in steps if (callee := _callee_given_object(step)) is not None)
        known = function.derived["entered names"] = (names, tuple(callees))
    return known


def _methods_run(step: Event) -> tuple[str, ...]:
    """The names under which an event may run a method of the object."""
    if isinstance(step, Write):
        return (f"{step.attribute}.setter", "__setattr__") if isinstance(step.attribute, str) else ()
    if isinstance(step, ItemWrite):
        return ("__setitem__",)
    callee = step.term.callee if isinstance(step, Evaluated) and isinstance(step.term, Call) else None
    return (callee.name,) if isinstance(callee, Attribute) else ()


def _callee_given_object(step: Event) -> Term | None:
    """What a call runs that may get the object as an argument."""
    call = step.term if isinstance(step, Evaluated) else None
    if isinstance(call, Call) and any(isinstance(part, (Argument, Captured)) for part in call.inputs):
        return call.callee
    return None
