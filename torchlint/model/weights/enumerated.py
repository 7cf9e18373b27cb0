"""State that a loop walks over: which module's parameters(), buffers() or state_dict() a tensor was taken from, and
what writes into it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from torchlint.knowledge.lookup import is_metadata
from torchlint.model.events import Evaluated, Event, Write
from torchlint.model.facts import Function
from torchlint.model.flow.opened import opened
from torchlint.model.frames import Frame, last_name
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
    Global,
    Imported,
    Item,
    Operation,
    Subscript,
    Term,
    children,
)

_TENSORS = frozenset("parameters buffers get_parameters".split())
_NAMED = frozenset("named_parameters named_buffers".split())
_ENUMERATES = _TENSORS | _NAMED | {"state_dict"}
_SAME_ELEMENTS = frozenset("list tuple iter sorted reversed set tqdm islice".split())
_SAME_DICT = frozenset("dict OrderedDict copy".split())
_SAME_MEMORY = frozenset("detach view requires_grad_ view_as reshape_as".split())
_FOREACH = "_foreach_"
_AUGMENTED = frozenset("+= -= *= /= **= //= %= @=".split())
_UNWRAPS = frozenset("unwrap_model unwrap get_model de_parallel".split())
# get_model(model) gives the module inside, get_model(args) makes one.
_SETTINGS = re.compile(r"(?<![a-z])(arg|opt|option|setting|conf|config|cfg|hparam|param|flag|name|arch)s?(?![a-z])")
_DEPTH = 12


@dataclass(frozen=True, slots=True)
class Written:
    """A tensor that is written into. target: the tensor as the program names it. operands: what it is computed from.
    operation: "mul_", "*=" or "data". term: what evaluates to the result, None for an assignment to `.data`. outside:
    the target as it is written, with the helper's call that gave it."""

    event: Event
    target: Term
    operands: tuple[Term, ...]
    operation: str
    term: Term | None
    outside: Term | None = None


def enumeration(term: Term) -> Call | None:
    """The call of parameters(), buffers(), their named forms or state_dict() that `term` is one tensor of, in the same
    memory; None for a copy, and where that is not known."""
    found = taken_from(term)
    return found if isinstance(found, Call) and last_name(found) in _ENUMERATES else None


def taken_from(term: Term, depth: int = _DEPTH) -> Term | None:
    """What a tensor was taken from, in the same memory: the call that enumerates it, or the container that it stands
    in. None for a copy, and where that is not known."""
    term = same_memory(term)
    if not depth:
        return None
    if isinstance(term, Element):
        return _each(term.iterable, (), depth - 1)
    if isinstance(term, Item):
        path: tuple[int, ...] = ()
        while isinstance(term, Item):
            path = (term.index, *path)
            term = term.base
        return _each(term.iterable, path, depth - 1) if isinstance(term, Element) else None
    if isinstance(term, Subscript):
        return _value_in(term.base, depth - 1)
    if isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name in ("get", "pop"):
        return _value_in(term.callee.base, depth - 1)
    return None


def same_memory(term: Term) -> Term:
    """The tensor that `term` is a view of: p of p.data, p.detach() and of p.mul_(2)."""
    for _ in range(_DEPTH):
        if isinstance(term, Attribute) and term.name == "data":
            term = term.base
        elif isinstance(term, Captured):
            term = term.value
        elif isinstance(term, Call) and isinstance(term.callee, Attribute) and _keeps_memory(term.callee.name):
            term = term.callee.base
        elif isinstance(term, Operation) and term.operator in _AUGMENTED:
            term = term.parts[0]
        else:
            break
    return term


def _keeps_memory(method: str) -> bool:
    return method in _SAME_MEMORY or is_in_place(method)


def is_in_place(method: str) -> bool:
    """True for the methods of a tensor that write into it: mul_(), but not __len__()."""
    return method.endswith("_") and not method.endswith("__") and method != "requires_grad_"


def _each(iterable: Term, path: tuple[int, ...], depth: int) -> Term | None:
    """The same for one element of an iterable, and for the part of it that `path` unpacks."""
    if isinstance(iterable, Choice):
        return _first(_each(option, path, depth - 1) for option in iterable.options) if depth else None
    if isinstance(iterable, Comprehension):
        return _part_of(iterable.parts[-1], path, depth) if depth and len(iterable.parts) == 1 else None
    if not isinstance(iterable, Call):
        return iterable if not path else None
    if not depth:
        return None
    name, given = last_name(iterable), iterable.arguments
    if isinstance(iterable.callee, Attribute):
        if (name in _TENSORS and not path) or (name in _NAMED and path == (1,)):
            return iterable
        if (name == "values" and not path) or (name == "items" and path == (1,)):
            return _value_in(iterable.callee.base, depth - 1)
    if name == "zip" and path and path[0] < len(given):
        return _each(given[path[0]], path[1:], depth - 1)
    if name == "enumerate" and path[:1] == (1,) and given:
        return _each(given[0], path[1:], depth - 1)
    if name in _SAME_ELEMENTS and given:
        return _each(given[0], path, depth - 1)
    if name == "filter" and len(given) == 2:
        return _each(given[1], path, depth - 1)
    return iterable if not path else None


def _part_of(term: Term, path: tuple[int, ...], depth: int) -> Term | None:
    """The same for a part of what each round of a comprehension gives: the second of (name, parameter)."""
    while path and isinstance(term, Display) and path[0] < len(term.parts):
        term, path = term.parts[path[0]], path[1:]
    return taken_from(term, depth - 1) if not path else None


def _first(found: Iterator[Term | None]) -> Term | None:
    return next((one for one in found if one is not None), None)


def _value_in(holder: Term, depth: int) -> Term | None:
    """The same for a value of a dict, or an element of a list, that is looked up."""
    if not depth:
        return None
    if isinstance(holder, Call):
        name = last_name(holder)
        if name == "state_dict":
            return holder
        if name == "copy" and isinstance(holder.callee, Attribute) and not holder.arguments:
            return _value_in(holder.callee.base, depth - 1)
        if name in _SAME_DICT and holder.arguments:
            given = holder.arguments[0]
            return _each(given, (1,), depth - 1) or _value_in(given, depth - 1)
    if isinstance(holder, Comprehension) and holder.kind == "dict":
        return taken_from(holder.parts[-1], depth - 1)
    if isinstance(holder, Element) and isinstance(holder.iterable, Comprehension):
        return _value_in(holder.iterable.parts[0], depth - 1) if len(holder.iterable.parts) == 1 else None
    if isinstance(holder, Choice):
        return _first(_value_in(option, depth - 1) for option in holder.options)
    return _each(holder, (), depth - 1)


def held_in(holder: Term) -> Call | None:
    """The call that enumerates what a container holds: list(model.parameters()), {n: p for n, p in ..}."""
    found = _value_in(holder, _DEPTH)
    return found if isinstance(found, Call) and last_name(found) in _ENUMERATES else None


def writes_into(frame: Frame) -> tuple[Written, ...]:
    """The in-place operations of a function, each link of a chain, and the assignments to `.data`; found once."""
    known: tuple[Written, ...] | None = frame.function.derived.get("writes into")
    if known is None:
        known = frame.function.derived["writes into"] = tuple(_find_writes(frame.function))
    return frame.once("writes into", lambda: (_as_opened(one, frame) for one in known)) if known else known


def _as_opened(written: Written, frame: Frame) -> Written:
    """The write with the helpers opened that its tensors are taken out of."""
    target = opened(written.target, frame)
    operands = tuple(opened(operand, frame) for operand in written.operands)
    is_same = all(new is old for new, old in zip((target, *operands), (written.target, *written.operands), strict=True))
    return written if is_same else replace(written, target=target, operands=operands, outside=written.target)


def _find_writes(function: Function) -> Iterator[Written]:
    for event in function.events:
        if isinstance(event, Write) and event.attribute == "data":
            yield Written(event, event.base, (event.value,), "data", None)
        elif not isinstance(event, Evaluated):
            continue
        elif isinstance(event.term, Operation) and event.term.operator in _AUGMENTED:
            first, *others = event.term.parts
            yield Written(event, first, tuple(others), event.term.operator, event.term)
        elif isinstance(event.term, Call) and isinstance(event.term.callee, Attribute):
            name = event.term.callee.name
            if is_in_place(name):
                yield Written(event, event.term.callee.base, event.term.inputs, name, event.term)
        elif isinstance(event.term, Call) and event.term.arguments:
            name = last_name(event.term)
            if name.startswith(_FOREACH) and is_in_place(name):
                elements: list[Term] = [Element(one.place, one) for one in event.term.arguments]
                target, *others = elements
                yield Written(event, target, tuple(others), name.removeprefix(_FOREACH), event.term)


def is_foreach(written: Written) -> bool:
    """True for torch._foreach_lerp_(..): one call writes all tensors of a list."""
    return isinstance(written.term, Call) and last_name(written.term).startswith(_FOREACH)


def module_of(call: Call) -> Term | None:
    """The module whose state `model.parameters()` enumerates."""
    return call.callee.base if isinstance(call.callee, Attribute) else None


def unwrapped(module: Term | None) -> Term | None:
    """The module inside: model of model.module and of accelerator.unwrap_model(model)."""
    if isinstance(module, Attribute) and module.name in ("module", "_orig_mod"):
        return unwrapped(module.base)
    if isinstance(module, Call) and last_name(module) in _UNWRAPS and module.arguments:
        inside = module.arguments[0]
        is_setting = isinstance(inside, Constant) or _SETTINGS.search((path_of(inside) or last_name(inside)).lower())
        return module if is_setting else unwrapped(inside)
    if isinstance(module, Choice):
        return unwrapped(module.options[-1])
    return module


def path_of(term: Term | None) -> str:
    """The dotted name of a value, as in "self.teacher"; "" for what has none."""
    if isinstance(term, Captured):
        return path_of(term.value)
    if isinstance(term, (Argument, Global, Imported)):
        return term.name
    if isinstance(term, Attribute):
        base = path_of(term.base)
        return f"{base}.{term.name}" if base else ""
    if isinstance(term, Subscript) and isinstance(term.index, Constant):
        base = path_of(term.base)
        return f"{base}[{term.index.value!r}]" if base else ""
    return ""


def within(term: Term, limit: int = 400, *, but_for: str = "") -> Iterator[Term]:
    """A term and the terms whose values it is made of, each once; the x of x.device is none. but_for: the name of
    calls that are left out with what they are given."""
    waiting, seen = [term], {id(term)}
    while waiting and len(seen) < limit:
        one = waiting.pop()
        if but_for and last_name(one) == but_for:
            continue
        yield one
        if isinstance(one, Attribute) and is_metadata(one.name):
            continue
        for part in children(one):
            if id(part) not in seen:
                seen.add(id(part))
                waiting.append(part)
