"""Which terms of a function stand for one object (`model`, `model.to(..)`, `self.net`), and what calls do to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.model.evaluation.truths import truth
from torchlint.model.events import Evaluated, Event, Return, Write
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, has_self, last_name, self_use
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Constant,
    Display,
    Element,
    Global,
    Imported,
    Item,
    Operation,
    Subscript,
    Super,
    Term,
)
from torchlint.model.values import UNKNOWN

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

Key = tuple[object, ...]

# Methods of nn.Module that return the module itself.
RETURNS_SELF = frozenset(
    "to half float double bfloat16 cuda cpu xpu type eval train requires_grad_ apply to_empty share_memory".split()
)
# Functions that wrap a module in another, or compile it: a mode or conversion of the one is one of the other.
_WRAPPERS = frozenset("DataParallel DistributedDataParallel compile convert_sync_batchnorm unwrap_model".split())
_DEPTH = 8
_HELPER_DEPTH = 2


def keys_of(term: Term, frame: Frame, depth: int = _DEPTH) -> frozenset[Key]:
    """The names of the objects that a term may be; two terms may be one object where they share a name."""
    if depth == 0:
        return frozenset({("term", id(term))})
    if isinstance(term, Choice):
        return frozenset().union(*(keys_of(option, frame, depth - 1) for option in term.options))
    if isinstance(term, Operation) and term.operator in ("and", "or"):
        return frozenset().union(*(keys_of(part, frame, depth - 1) for part in term.parts))
    if isinstance(term, Call):
        return _keys_of_call(term, frame, depth)
    if isinstance(term, Attribute):
        named = frozenset(("attribute", key, term.name) for key in keys_of(term.base, frame, depth - 1))
        known = term.known or _given_to_constructor(term, frame)
        return named | (keys_of(known, frame, depth - 1) if known is not None else frozenset())
    return _keys_of_name(term, frame, depth)


def _keys_of_call(call: Call, frame: Frame, depth: int) -> frozenset[Key]:
    if isinstance(call.callee, Attribute) and call.callee.name in RETURNS_SELF:
        return keys_of(call.callee.base, frame, depth - 1)
    own = frozenset({("term", id(call))})
    if last_name(call) in _WRAPPERS and call.arguments:
        return own | keys_of(call.arguments[0], frame, depth - 1)
    given = _handed_back(call, frame)
    return own if given is None else own | keys_of(given, frame, depth - 1)


def _handed_back(call: Call, frame: Frame) -> Term | None:
    """What a function of the project is given and returns again: net of `net = frozen(net)`."""
    if not call.inputs:
        return None
    target = frame.value(call.callee).of
    parameter = _returned_parameter(target) if isinstance(target, Function) else None
    if parameter is None or not isinstance(target, Function):
        return None
    offset = 1 if has_self(target) and isinstance(call.callee, Attribute) else 0
    return call.argument(parameter.index - offset, parameter.name) if parameter.index >= offset else None


def _given_to_constructor(term: Attribute, frame: Frame) -> Term | None:
    """What the construction of an object was given for an attribute that it keeps it in: net of Pipe(net).painter."""
    made = term.base if isinstance(term.base, Call) and term.base.inputs else None
    callee = frame.value(made.callee) if made is not None else UNKNOWN
    init = callee.of.method("__init__") if callee.made_by == "class" and callee.of is not None else None
    writes = self_use(init).writes.get(term.name, []) if init is not None else []
    kept = [event.value for event in writes if isinstance(event, Write) and getattr(event.base, "index", None) == 0]
    parameter = kept[0] if len(kept) == 1 else None
    if made is None or not isinstance(parameter, Argument):
        return None
    return made.argument(parameter.index - 1, parameter.name)


def _returned_parameter(function: Function) -> Argument | None:
    """The one parameter that every return of a function gives back."""
    if "returned parameter" not in function.derived:
        found = [behind(event.value) for event in function.returned]
        first = found[0] if found else None
        same = [one for one in found if isinstance(one, Argument) and isinstance(first, Argument)]
        is_one = len(same) == len(found) and len({one.index for one in same}) == 1
        is_plain = is_one and not any(event.is_yield for event in function.returned) and not function.decorators
        function.derived["returned parameter"] = same[0] if is_plain else None
    known: Argument | None = function.derived["returned parameter"]
    return known


def behind(term: Term) -> Term:
    """The object below the methods that return it again."""
    while isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name in RETURNS_SELF:
        term = term.callee.base
    return term


def _keys_of_name(term: Term, frame: Frame, depth: int) -> frozenset[Key]:
    if isinstance(term, Captured) and frame.outer is not None:
        return keys_of(term.value, frame.outer, depth - 1)
    if frame.is_self(term):
        return frozenset({("self", id(frame.view))})
    if isinstance(term, Argument):
        return frozenset({("argument", id(frame.function), term.index)})
    if isinstance(term, (Global, Imported)):
        return frozenset({("name", term.name)})
    if isinstance(term, Subscript) and isinstance(term.index, Constant):
        return frozenset(("item", key, term.index.value) for key in keys_of(term.base, frame, depth - 1))
    if isinstance(term, Element) and isinstance(term.iterable, Display):
        return frozenset[Key]().union(*(keys_of(part, frame, depth - 1) for part in term.iterable.parts))
    whole = whole_behind(term)
    if whole is not None:
        return frozenset(("attribute", key, "*") for key in keys_of(whole, frame, depth - 1))
    held = _held_in(term)
    if held is not None:
        return frozenset(("element", key) for key in keys_of(held, frame, depth - 1))
    if isinstance(term, Item):
        return frozenset(("item", key, term.index) for key in keys_of(term.base, frame, depth - 1))
    return frozenset({("term", id(term))})


def whole_behind(term: Term) -> Term | None:
    """The module that a loop over its modules() or children() takes a part of."""
    element = term.base if isinstance(term, Item) and term.index == 1 else term
    listed = element.iterable if isinstance(element, Element) else None
    callee = listed.callee if isinstance(listed, Call) and not listed.arguments else None
    names = ("modules", "children") if element is term else ("named_modules", "named_children")
    return callee.base if isinstance(callee, Attribute) and callee.name in names else None


def _held_in(term: Term) -> Term | None:
    """What a term is an element of: of a list, or of the values of a dict that values() or items() gives."""
    element = term.base if isinstance(term, Item) and term.index == 1 else term
    if not isinstance(element, Element):
        return None
    listed = element.iterable
    method = listed.callee if isinstance(listed, Call) and not listed.inputs else None
    wanted = "values" if element is term else "items"
    if isinstance(method, Attribute) and method.name == wanted:
        return method.base
    return listed if element is term else None


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """What a call does to an object. kind: "eval", "train" or "convert". place: the call, in the function looked at.

    within: True where a helper that gets the object, or that made it, does so.
    """

    kind: str
    keys: frozenset[Key]
    event: Evaluated
    call: Call
    within: bool = False


def steps_of(frame: Frame, depth: int = _HELPER_DEPTH) -> tuple[Step, ...]:
    """The changes of mode and the conversions that a function makes on objects, in order, those of its helpers too."""
    return frame.once(f"steps {depth}", lambda: _find_steps(frame, depth))


def _find_steps(frame: Frame, depth: int) -> Iterator[Step]:
    for event in frame.function.events:
        if not isinstance(event, Evaluated) or not isinstance(event.term, Call):
            continue
        call = event.term
        kind = kind_of(call, frame)
        if kind and isinstance(call.callee, Attribute):
            yield Step(kind, keys_of(call.callee.base, frame), event, call)
        elif depth:
            yield from _by_helper(event, call, frame, depth)


def kind_of(call: Call, frame: Frame) -> str:
    """What a method call does to its receiver: "eval", "train" or "convert"; "" for anything else."""
    name = call.callee.name if isinstance(call.callee, Attribute) else ""
    if name == "eval":
        return "" if call.inputs else "eval"
    if name == "train":
        mode = call.argument(0, "mode")
        value = frame.value(mode).constant if mode is not None else True
        return "eval" if value is False else "train"
    if name in ("half", "float", "double", "bfloat16", "cuda", "cpu", "xpu"):
        return "convert"
    is_conversion = name in ("to", "type") and any(key not in ("memory_format", "non_blocking") for key in _given(call))
    return "convert" if is_conversion else ""


def _given(call: Call) -> Iterator[str | None]:
    yield from ("" for _ in call.arguments)
    yield from (key for key, _ in call.keywords)


def _by_helper(event: Evaluated, call: Call, frame: Frame, depth: int) -> Iterator[Step]:
    """What a function of the project does to the objects that it is given, and to the one that it returns."""
    target = frame.value(call.callee).of
    if not isinstance(target, Function) or target is frame.function.definition or not _speaks_of_modes(target):
        return
    inner = frame.evaluator.frame(target, _view_of(call, target, frame))
    steps = steps_of(inner, depth - 1)
    if not steps:
        return
    offset = 1 if target.owner is not None and isinstance(call.callee, Attribute) else 0
    given: dict[Key, frozenset[Key]] = {
        ("argument", id(target), position + offset): keys_of(term, frame)
        for position, term in enumerate(call.arguments)
    }
    given.update(_given_by_keyword(call, target, frame))
    returned = frozenset[Key]().union(*(keys_of(event.value, inner) for event in target.returned))
    for step in steps:
        keys = frozenset[Key]().union(*(given[key] for key in step.keys if key in given))
        keys |= _as_seen_outside(step.keys, call, frame)
        if step.keys & returned:
            keys |= {("term", id(call))}
        if keys and not is_kept_from(step.event, call, inner, frame):
            yield Step(step.kind, keys, event, call, within=True)


def _view_of(call: Call, target: Function, frame: Frame) -> ModuleClass | None:
    """The class of the object whose method a call enters."""
    callee = call.callee
    if target.owner is None or not isinstance(callee, Attribute):
        return None
    if frame.is_self(callee.base) or isinstance(callee.base, Super):
        return frame.view
    found = frame.value(callee.base).of
    return found if hasattr(found, "ancestors") else None


def _as_seen_outside(keys: frozenset[Key], call: Call, frame: Frame) -> frozenset[Key]:
    """The names of what a method calls self and its attributes: the same for the object's own, those of the receiver
    for another's."""
    callee, own = call.callee, [key for key in keys if is_of_self(key)]
    if not isinstance(callee, Attribute) or frame.is_self(callee.base) or isinstance(callee.base, Super):
        return frozenset(own)
    receivers = keys_of(callee.base, frame)
    return frozenset(_on(receiver, key) for receiver in receivers for key in own)


def _on(receiver: Key, key: Key) -> Key:
    """A key with another object in the place of self."""
    return receiver if key[0] == "self" else (key[0], _on(receiver, key[1]), *key[2:])  # type: ignore[arg-type]


def is_kept_from(event: Event, call: Call, inner: Frame, frame: Frame) -> bool:
    """True where the arguments of the call keep an event of the helper from happening: set_mode(train=False)."""
    guards = event.guards()
    if not guards:
        return False
    receiver = call.callee.base if isinstance(call.callee, Attribute) and inner.function.owner is not None else None
    bound = frame.evaluator.bound_frame(inner.function, inner.view, call, frame, receiver=receiver)
    return any(truth(one.subject, bound) is (not one.holds) for one in guards)


def is_of_self(key: Key) -> bool:
    """True for an attribute of the object itself: every method has the same name for it."""
    return any(one[0] == "self" for one in (key, *bases_of(key)))


def bases_of(key: Key) -> Iterator[Key]:
    """The objects of which a key is an attribute, innermost last."""
    while key[0] == "attribute" and isinstance(key[1], tuple):
        key = key[1]
        yield key


def _given_by_keyword(call: Call, target: Function, frame: Frame) -> dict[Key, frozenset[Key]]:
    positions = {parameter.name: index for index, parameter in enumerate(target.parameters)}
    return {
        ("argument", id(target), positions[name]): keys_of(term, frame)
        for name, term in call.keywords
        if name in positions
    }


def _speaks_of_modes(function: Function) -> bool:
    """True where a function calls something by the name of a mode or a conversion, or calls other functions at all."""
    known: bool | None = function.derived.get("speaks of modes")
    if known is None:
        known = function.derived["speaks of modes"] = any(
            isinstance(event, Evaluated) and isinstance(event.term, Call) and not isinstance(event, Return)
            for event in function.events
        )
    return known


def is_exclusive(first: Event, second: Event) -> bool:
    """True where the two stand in different branches of one test."""
    held = {id(region.subject): region.holds for region in first.guards()}
    return any(held.get(id(region.subject), region.holds) is not region.holds for region in second.guards())
