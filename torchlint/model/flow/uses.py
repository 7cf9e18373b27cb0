"""What becomes of a value inside a function: the terms and events that it flows into."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from torchlint.knowledge.lookup import is_metadata, is_view
from torchlint.model.devices.placements import is_device
from torchlint.model.events import Evaluated, Event, ItemWrite, Return, Write
from torchlint.model.facts import Function
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Closure,
    Comprehension,
    Constant,
    Display,
    Element,
    Global,
    Imported,
    Item,
    Operation,
    Starred,
    Subscript,
    Term,
    children,
)

if TYPE_CHECKING:
    from torchlint.model.project import Project

Parent = Term | Event
_UNSEEN_BY_EVENTS = (Choice, Display, Item, Element, Starred, Comprehension, Closure, Captured)
_LOOKS = frozenset("len isinstance int float bool str repr type id hasattr callable print issubclass".split())
_TESTS = frozenset(("is", "is not", "not", "f-string", "in", "not in"))
_PASSED_ON = frozenset("T mT H data".split())
# What gives the elements of its operands again, and the methods that give those of a container.
_PAIRING = frozenset(("zip", "enumerate"))
_LISTING = frozenset("list tuple set sorted reversed iter".split())
_OF_CONTAINERS = frozenset("values get".split())
# What a distribution gives lies where its own tensors lie.
_DRAWS = frozenset(("sample", "rsample"))
_COPIES = frozenset(
    "clone detach contiguous float half double bfloat16 long int bool repeat repeat_interleave tile flip roll".split()
)


class Use(Enum):
    """What a read amounts to.

    LOOKED_AT: only shape, dtype, a test or a Python number is taken. MOVED: it is first converted to the device or
    dtype of
    something else. INDEXES: it selects elements. COMPUTES: its values meet other tensors, or leave the function.
    """

    LOOKED_AT = "looked at"
    MOVED = "moved"
    INDEXES = "indexes"
    COMPUTES = "computes"


def parents_in(function: Function) -> dict[int, list[Parent]]:
    """For each term (by identity) of a function, what is directly made of it; worked out once."""
    known: dict[int, list[Parent]] | None = function.derived.get("parents")
    if known is None:
        known = function.derived["parents"] = _find_parents(function)
    return known


def _find_parents(function: Function) -> dict[int, list[Parent]]:
    found: dict[int, list[Parent]] = {}
    done: set[int] = set()
    for event in function.events:
        if isinstance(event, Evaluated):
            _note(event.term, found, done)
        elif isinstance(event, (Write, ItemWrite, Return)):
            parts = (event.value,) if isinstance(event, (Write, Return)) else (event.base, event.index, event.value)
            for part in parts:
                found.setdefault(id(part), []).append(event)
                if isinstance(part, _UNSEEN_BY_EVENTS):
                    _note(part, found, done)
    return found


def _note(term: Term, found: dict[int, list[Parent]], done: set[int]) -> None:
    if id(term) in done:
        return
    done.add(id(term))
    for part in children(term):
        found.setdefault(id(part), []).append(term)
        if isinstance(part, _UNSEEN_BY_EVENTS):
            _note(part, found, done)


class Uses:
    """The uses of values in the functions of one project."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def of(self, term: Term, function: Function, depth: int = 4) -> set[Use]:
        """What becomes of `term` in `function`, through views, tuples, branches, and helpers of the project."""
        found: set[Use] = set()
        self._collect(term, function, found, set(), depth)
        return found

    def of_captured(self, captured: Term, nested: Function) -> set[Use]:
        """What becomes of a value of the enclosing function in a nested one."""
        leaves = [leaf for leaf in _leaves(nested) if isinstance(leaf, Captured) and leaf.value is captured]
        return set[Use]().union(*(self.of(leaf, nested) for leaf in leaves))

    def _collect(self, term: Term, function: Function, found: set[Use], done: set[int], depth: int) -> None:
        if id(term) in done:
            return
        done.add(id(term))
        parents = parents_in(function).get(id(term), ())
        if not parents:
            found.add(Use.LOOKED_AT)
        for parent in parents:
            use = self._use_by(term, parent, function, depth)
            if use is None and isinstance(parent, Term):
                for next_term in _unpacked(term, parent, function):
                    self._collect(next_term, function, found, done, depth)
            else:
                found.update(use or ())

    def _use_by(self, term: Term, parent: Parent, function: Function, depth: int) -> set[Use] | None:
        """How `parent` uses `term`; None where it passes the value on."""
        if isinstance(parent, Attribute):
            return self._by_attribute(parent, function)
        if isinstance(parent, Subscript):
            return None if parent.base is term else {Use.INDEXES}
        if isinstance(parent, Call):
            return None if parent.callee is term else self._by_call(term, parent, function, depth)
        if isinstance(parent, Operation):
            if parent.operator in _TESTS:
                return {Use.LOOKED_AT}
            return None if parent.operator in ("and", "or", "await", "enter") else {Use.COMPUTES}
        if isinstance(parent, Display):
            return self._by_display(parent, function)
        if isinstance(parent, Choice) and _has_moved_twin(term, parent):
            return {Use.MOVED}
        if isinstance(parent, Term):
            return None
        if isinstance(parent, ItemWrite) and parent.index is term:
            return {Use.INDEXES}
        # What is stored on another attribute is judged there.
        return {Use.LOOKED_AT} if isinstance(parent, Write) else {Use.COMPUTES}

    def _by_display(self, display: Display, function: Function) -> set[Use] | None:
        uses = parents_in(function).get(id(display), ())
        return (
            {Use.INDEXES} if uses and all(isinstance(use, Subscript) and use.index is display for use in uses) else None
        )

    def _by_attribute(self, attribute: Attribute, function: Function) -> set[Use] | None:
        calls = [
            p for p in parents_in(function).get(id(attribute), ()) if isinstance(p, Call) and p.callee is attribute
        ]
        if not calls:
            return (
                {Use.LOOKED_AT}
                if is_metadata(attribute.name)
                else None
                if attribute.name in _PASSED_ON
                else {Use.COMPUTES}
            )
        name = attribute.name
        if is_metadata(name) or name == "numpy":
            return {Use.LOOKED_AT}
        if name in ("to", "type_as") and all(follows_something(call) for call in calls):
            return {Use.MOVED}
        if (
            name == "to"
            and all(call.inputs for call in calls)
            and not any(is_device(t) for call in calls for t in call.inputs)
        ):
            return None
        if is_view(name) or name in _COPIES or name in _OF_CONTAINERS or name in _DRAWS or name == "items":
            return None
        if name.endswith("_") or any(call.inputs for call in calls):
            return {Use.COMPUTES}
        # int(self.x.max()): a reduction that only a number is taken from.
        results = [self.of(call, function, depth=0) for call in calls if parents_in(function).get(id(call))]
        only_looks = len(results) == len(calls) and all(result == {Use.LOOKED_AT} for result in results)
        return {Use.LOOKED_AT} if only_looks else {Use.COMPUTES}

    def _by_call(self, term: Term, call: Call, function: Function, depth: int) -> set[Use] | None:
        callee = call.callee
        name = callee.name.rpartition(".")[2] if isinstance(callee, (Global, Imported, Attribute)) else ""
        if isinstance(callee, Global) and name in _LOOKS:
            return {Use.LOOKED_AT}
        if isinstance(callee, Global) and name in _PAIRING | _LISTING:
            return None
        if isinstance(callee, Imported) and name in ("tensor", "as_tensor") and call.keyword("device") is not None:
            return {Use.MOVED}
        if isinstance(callee, Imported) and (name in ("is_tensor", "is_floating_point", "is_complex", "deepcopy")):
            return {Use.LOOKED_AT}
        if depth and isinstance(callee, Closure) and callee.index < len(function.nested):
            return self._in_helper(term, call, function.nested[callee.index], depth)
        # A nested function has no file of its own.
        target = self._project.names.of_term(callee, function.path) if depth and function.path else None
        if isinstance(target, Function):
            return self._in_helper(term, call, target, depth)
        return {Use.COMPUTES}

    def _in_helper(self, term: Term, call: Call, target: Function, depth: int) -> set[Use]:
        """What a helper does with the parameter that `term` is passed for."""
        names = [key for key, value in call.keywords if value is term]
        positions = [position for position, value in enumerate(call.arguments) if value is term]
        for index, parameter in enumerate(target.parameters):
            if parameter.name in names or (index in positions and not parameter.kind):
                uses = [self.of(argument, target, depth - 1) for argument in _argument_terms(target, index)]
                return set().union(*uses) if uses else {Use.LOOKED_AT}
        return {Use.COMPUTES}


def _unpacked(term: Term, parent: Term, function: Function) -> list[Term]:
    """What `parent` passes on of `term`: of zip(..), enumerate(..) and items() only the part of each tuple that comes
    from it."""
    position = _position_in_tuples(term, parent)
    if position is None:
        return [parent]
    parents = parents_in(function)
    elements = [one for one in parents.get(id(parent), ()) if isinstance(one, Element)]
    items = [item for element in elements for item in parents.get(id(element), ())]
    if not items or not all(isinstance(item, Item) for item in items):
        return [parent]
    return [item for item in items if isinstance(item, Item) and item.index == position]


def _position_in_tuples(term: Term, parent: Term) -> int | None:
    """Where in the tuples that `parent` gives the elements of `term` stand; None where it gives no tuples."""
    if not isinstance(parent, Call):
        return None
    if isinstance(parent.callee, Attribute):
        return 1 if parent.callee is term and parent.callee.name == "items" else None
    name = parent.callee.name if isinstance(parent.callee, Global) else ""
    if name == "enumerate":
        return 1
    return next((at for at, one in enumerate(parent.arguments) if one is term), None) if name == "zip" else None


def _has_moved_twin(term: Term, choice: Choice) -> bool:
    """True for `self.x.to(device) if device is not None else self.x`, seen from the second self.x."""
    return isinstance(term, Attribute) and any(
        isinstance(option, Call)
        and isinstance(option.callee, Attribute)
        and option.callee.name in ("to", "type_as")
        and isinstance(option.callee.base, Attribute)
        and option.callee.base.name == term.name
        and follows_something(option)
        for option in choice.options
    )


def _argument_terms(function: Function, index: int) -> list[Term]:
    """The term objects that stand for a parameter."""
    return [leaf for leaf in _leaves(function) if isinstance(leaf, Argument) and leaf.index == index]


def _leaves(function: Function) -> list[Term]:
    """The terms that the events of a function are made of, each object once."""
    seen: dict[int, Term] = {}
    for event in function.events:
        roots: tuple[Term, ...] = ()
        if isinstance(event, Evaluated):
            roots = children(event.term)
        elif isinstance(event, (Write, Return)):
            roots = (event.value,)
        for root in roots:
            seen.update((id(leaf), leaf) for leaf in (root, *children(root)))
    return list(seen.values())


def follows_something(call: Call) -> bool:
    """True for .to(x.device), .to(device=.., dtype=..), .to(other), .type_as(other): the target is no constant of
    the program."""
    return bool(call.inputs) and not all(_is_fixed(term) for term in call.inputs)


def _is_fixed(term: Term) -> bool:
    return isinstance(term, (Constant, Imported))
