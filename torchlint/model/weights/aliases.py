"""What a state_dict() is carried on in: copies that share its tensors, containers, attributes; and who takes it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from torchlint.model.evaluation.bound import BoundClosure
from torchlint.model.events import Evaluated, Event, ItemWrite, Return, Write
from torchlint.model.facts import Function
from torchlint.model.flow.same_object import behind
from torchlint.model.flow.state_records import fields_given, keeping_method
from torchlint.model.flow.uses import Parent, parents_in
from torchlint.model.frames import Frame, has_self, is_decorated, last_name
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Comprehension,
    Constant,
    Display,
    Element,
    Imported,
    Item,
    Operation,
    Starred,
    Subscript,
    Super,
    Term,
    children,
)
from torchlint.model.values import Kind
from torchlint.model.weights.enumerated import path_of, unwrapped
from torchlint.source import Span

# What has a state_dict() too and is no module; by the words of its name.
_NO_MODULES = tuple(
    "opt sched scaler loader sampler dataset metric callback tracker logger accum stateful trainer fabric ema".split()
)
_WRAPS = frozenset("dict OrderedDict copy list tuple".split())
_PUTS = frozenset("append insert setdefault add".split())
_SAME_TENSORS = frozenset("detach view requires_grad_".split())
# Names of helpers that give a state: what others return is not looked at, since most calls would have to be followed.
_MAY_GIVE_STATE = re.compile(
    "state|weight|param|snap|ckpt|checkpoint|copy|dump|export|save|best|dict|backup|store|get|take|read|collect|current"
)


@dataclass(slots=True, eq=False)
class Birth:
    """A state_dict() as a function gets it, itself or from a helper. term: what is evaluated here. module: the term of
    the module whose state it is, None where it is not known. span, symbol: where state_dict() is called."""

    term: Call
    event: Event
    module: Term | None
    span: Span
    symbol: str


@dataclass(slots=True, eq=False)
class Taken:
    """Who takes what carries the state. kind: "load", "save", "return", "copy", "store", "pass", or "read" for a value
    that is compared or computed with."""

    kind: str
    event: Event
    term: Term


def births(frame: Frame, depth: int = 2) -> tuple[Birth, ...]:
    """The state_dict() calls of a function, and the calls of helpers that return one; worked out once in a frame."""
    return frame.once(f"births {depth}", lambda: _find_births(frame, depth))


def _find_births(frame: Frame, depth: int) -> Iterator[Birth]:
    for event in frame.function.events:
        call = event.term if isinstance(event, Evaluated) else None
        if not isinstance(call, Call):
            continue
        if _is_state_of_module(call, frame):
            module = call.callee.base if isinstance(call.callee, Attribute) else None
            if not is_private(module):
                yield Birth(call, event, unwrapped(module), frame.span(call.place), frame.symbol)
        elif depth and _MAY_GIVE_STATE.search(last_name(call).lower()) and not _says_copy(call):
            yield from _births_in_helper(call, event, frame, depth)


def _births_in_helper(call: Call, event: Event, frame: Frame, depth: int) -> Iterator[Birth]:
    target = function_called(call, frame)
    if target is None or not any(_may_return_state(one) for one in target.function.returned):
        return
    for inner in births(target, depth - 1):
        if any(taken.kind == "return" for taken in takers(inner.term, target)):
            yield Birth(call, event, _seen_by_caller(inner.module, call, frame, target), inner.span, inner.symbol)


def _says_copy(call: Call) -> bool:
    return last_name(call) in ("deepcopy", "clone")


def _may_return_state(event: Return) -> bool:
    return not event.is_yield and not isinstance(event.value, (Constant, Argument))


def _seen_by_caller(module: Term | None, call: Call, frame: Frame, target: Frame) -> Term | None:
    """The module of a helper's state as the caller names it."""
    if isinstance(module, Argument) and not target.is_self(module):
        offset = int(isinstance(call.callee, Attribute) and has_self(target.function))
        return call.argument(module.index - offset, module.name)
    is_own = isinstance(call.callee, Attribute) and (
        frame.is_self(call.callee.base) or isinstance(call.callee.base, Super)
    )
    return module if is_own else None


def function_called(call: Call, frame: Frame) -> Frame | None:
    """The function of the project that a call enters, with open parameters; None where that is not known."""
    callee = call.callee
    if isinstance(callee, Attribute):
        if isinstance(callee.base, Super):
            found = frame.view.method_after(frame.method, callee.name, callee.base) if frame.view else None
            return frame.evaluator.frame(found, frame.view) if found else None
        base = frame.value(callee.base)
        own = base.of.method(callee.name) if base.kind in (Kind.MODULE, Kind.OBJECT) and base.of is not None else None
        if own is not None:
            return frame.evaluator.frame(own, base.of)
        if base.made_by == "class" and base.of is not None:
            found = base.of.method(callee.name)
            if found is not None and is_decorated(found, "classmethod"):
                return frame.evaluator.frame(found, base.of)
    value = frame.value(callee)
    target = value.of.method("__call__") if value.kind is Kind.OBJECT and hasattr(value.of, "method") else value.of
    if isinstance(target, BoundClosure):
        return frame.evaluator.nested_frame(target.function, target.frame)
    view = value.of if value.kind is Kind.OBJECT else None
    return frame.evaluator.frame(target, view) if isinstance(target, Function) else None


def _is_state_of_module(call: Call, frame: Frame) -> bool:
    """True for module.state_dict(), of a module for certain or by its name, whose own state_dict is not replaced."""
    callee = call.callee
    if not isinstance(callee, Attribute) or callee.name != "state_dict":
        return False
    if isinstance(callee.base, Super):
        view = frame.view
        return view is not None and view.is_module and not view.method_after(frame.method, "state_dict", callee.base)
    base = frame.value(callee.base)
    if base.kind is Kind.MODULE:
        return base.of is None or base.of.method("state_dict") is None
    text = callee.base.name.lower() if isinstance(callee.base, Attribute) else words_of(callee.base)
    is_open = base.kind is Kind.UNKNOWN or (isinstance(callee.base, Operation) and callee.base.operator == "enter")
    return is_open and bool(text) and not any(word in text for word in _NO_MODULES)


def words_of(term: Term, depth: int = 6) -> str:
    """The names that a value is reached by, in lower case: "self.optimizers" for an element of self.optimizers,
    "state.scaler" for state["scaler"]."""
    if not depth:
        return ""
    if isinstance(term, Subscript) and isinstance(term.index, Constant) and isinstance(term.index.value, str):
        return f"{words_of(term.base, depth - 1)}.{term.index.value}".lower()
    if isinstance(term, (Element, Subscript, Item, Captured)):
        inner = term.iterable if isinstance(term, Element) else term.value if isinstance(term, Captured) else term.base
        return words_of(inner, depth - 1)
    if isinstance(term, Call):
        given = " ".join(words_of(one, depth - 1) for one in term.arguments) if last_name(term) in _LISTS else ""
        return f"{words_of(term.callee, depth - 1)} {given}"
    if isinstance(term, Choice) or (isinstance(term, Operation) and term.operator == "enter"):
        return " ".join(words_of(option, depth - 1) for option in children(term))
    if isinstance(term, Attribute):
        return f"{words_of(term.base, depth - 1)}.{term.name}".lower()
    return path_of(term).lower()


_LISTS = frozenset("zip enumerate list tuple reversed items values".split())


def is_private(module: Term | None) -> bool:
    """True for a copy that nobody else holds: nothing trains it."""
    module = behind(module) if module is not None else None
    if isinstance(module, Call):
        return last_name(module) in ("deepcopy", "clone", "copy")
    return isinstance(module, Choice) and any(is_private(option) for option in module.options)


# Carriers


@dataclass(slots=True)
class Carried:
    """What carries a state in a function. terms: by identity. fields: the attributes of records that hold it.
    is_collected: what other rounds of a loop give is kept beside it."""

    terms: dict[int, Term]
    fields: set[str]
    is_collected: bool = False


def carriers(birth: Term, frame: Frame, fields: Iterable[str] = ()) -> Carried:
    """The terms of a function that are the state or hold it, with the same tensors. fields: those of a record that
    `birth` is already."""
    found = Carried({id(birth): birth}, set(fields))
    waiting = [birth]
    while waiting:
        term = waiting.pop()
        for parent in parents_in(frame.function).get(id(term), ()):
            for carrier in _carried_by(term, parent, frame, found):
                if id(carrier) not in found.terms:
                    found.terms[id(carrier)] = carrier
                    waiting.append(carrier)
    return found


def _carried_by(term: Term, parent: Parent, frame: Frame, found: Carried) -> Iterator[Term]:
    """What `parent` makes of a carrier that carries the state as well."""
    if isinstance(parent, (Choice, Display, Starred)):
        yield parent
    elif isinstance(parent, Operation):
        if parent.operator in ("and", "or", "await", "grown"):
            yield parent
    elif isinstance(parent, ItemWrite):
        if parent.value is term:
            found.is_collected |= not isinstance(parent.index, Constant)
            yield parent.base
    elif isinstance(parent, Write):
        if parent.value is term and isinstance(parent.attribute, str) and not frame.is_self(parent.base):
            found.fields.add(parent.attribute)
            yield parent.base
    elif isinstance(parent, Subscript):
        if parent.base is term and isinstance(term, (Display, Choice, Attribute)):
            yield parent
    elif isinstance(parent, Call):
        if parent.callee is not term:
            yield from _carried_by_call(term, parent, frame, found)
    elif isinstance(parent, Attribute):
        if parent.name in found.fields:
            yield parent
        yield from _carried_by_method(parent, frame.function)


def _carried_by_call(term: Term, call: Call, frame: Frame, found: Carried) -> Iterator[Term]:
    callee, name = call.callee, last_name(call)
    kept = keeping_method(call, term, frame)
    if kept is not None and isinstance(callee, Attribute):
        found.fields |= kept[0]
        found.is_collected |= kept[1]
        yield callee.base
    elif isinstance(callee, Attribute) and name in _PUTS and not isinstance(callee.base, Imported):
        found.is_collected |= name == "append"
        yield callee.base
    elif name in _WRAPS and not isinstance(callee, Attribute) and _is_wrapped(call, term):
        yield call
    elif fields := fields_given(call, term, frame):
        found.fields |= fields
        yield call


def _is_wrapped(call: Call, term: Term) -> bool:
    """True for dict(state), dict(model=state, step=step) and list(state.values())."""
    if last_name(call) in ("list", "tuple") and last_name(term) != "values":
        return False
    return call.arguments[:1] == (term,) or any(given is term for _, given in call.keywords)


def _carried_by_method(attribute: Attribute, function: Function) -> Iterator[Term]:
    calls = [
        call
        for call in parents_in(function).get(id(attribute), ())
        if isinstance(call, Call) and call.callee is attribute
    ]
    if attribute.name in ("copy", "values"):
        yield from calls
    elif attribute.name == "items":
        for call in calls:
            yield from _rebuilt_from(call, function)


def _rebuilt_from(items: Call, function: Function) -> Iterator[Term]:
    """{key: value.detach() for key, value in state.items()}: another dict, the same tensors."""
    parents = parents_in(function)
    waiting: list[Term] = [one for one in parents.get(id(items), ()) if isinstance(one, Element)]
    while waiting:
        term = waiting.pop()
        for parent in parents.get(id(term), ()):
            if isinstance(parent, Comprehension):
                if parent.kind == "dict" and parent.parts[-1] is term:
                    yield parent
            elif isinstance(parent, Item):
                waiting += [parent] if parent.index == 1 else []
            elif isinstance(parent, Attribute):
                waiting += [parent] if parent.name in _SAME_TENSORS or parent.name == "data" else []
            elif isinstance(parent, Call) and parent.callee is term and isinstance(term, Attribute):
                waiting += [parent] if term.name in _SAME_TENSORS else []


def takers(birth: Term, frame: Frame, fields: Iterable[str] = ()) -> list[Taken]:
    """Who takes the state or what holds it, in source order."""
    carried = carriers(birth, frame, fields).terms
    found: list[Taken] = []
    for event in frame.function.events:
        if isinstance(event, Return) and _is_carried(event.value, carried):
            found.append(Taken("return", event, event.value))
        elif isinstance(event, Write) and _is_carried(event.value, carried):
            found.append(Taken("store", event, event.value))
        elif isinstance(event, Evaluated) and isinstance(event.term, Call):
            call = event.term
            if any(_is_carried(term, carried) for term in call.inputs) and id(call) not in carried:
                found.append(Taken(_kind_of(call), event, call))
        elif isinstance(event, Evaluated) and isinstance(event.term, Subscript) and id(event.term.base) in carried:
            parents = parents_in(frame.function).get(id(event.term), ())
            found += [Taken("read", event, event.term)] if any(map(_is_computed_with, parents)) else []
    return found


def _is_carried(term: Term, carried: dict[int, Term], depth: int = 6) -> bool:
    """True for a carrier, and for a local list that has got other elements since."""
    if id(term) in carried:
        return True
    is_grown = isinstance(term, Operation) and term.operator == "grown"
    parts = term.parts if isinstance(term, Operation) and is_grown else ()
    return depth > 0 and any(_is_carried(part, carried, depth - 1) for part in parts)


def _is_computed_with(parent: Parent) -> bool:
    return isinstance(parent, Operation) and parent.operator in ("+", "-", "*", "/", "==", "!=")


def _kind_of(call: Call) -> str:
    name = last_name(call).lower().lstrip("_")
    if "load" in name or name.startswith(("restore", "set_")):
        return "load"
    if name.startswith(("save", "dump", "write", "export", "push", "upload", "store")) or name.endswith("save"):
        return "save"
    return "copy" if name in ("deepcopy", "clone") else "pass"
