"""Stores of caches: the events that put a value on an object, into one that it holds, or into a parameter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated, ItemWrite, Write
from torchlint.model.frames import Frame, Moment
from torchlint.model.modules.state import Registration
from torchlint.model.terms import Attribute, Call, Constant, Display, Operation, Subscript, Term
from torchlint.model.values import TENSORS, Kind, TensorValue, join_all
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_IN_PLACE = frozenset("add_ sub_ mul_ div_ copy_ addmm_ addcmul_ lerp_".split())


@dataclass(frozen=True, slots=True)
class Store:
    """A value that is put under an attribute. is_merge: it is added into a parameter."""

    attribute: str
    moment: Moment
    span: Span
    value: TensorValue
    is_merge: bool = False

    @property
    def kept(self) -> TensorValue:
        """The value, or the tensors that a function keeps: a closure or a partial that computes with them."""
        is_function = self.value.kind is Kind.CALLABLE and self.value.captures
        return join_all(self.value.captures) if is_function else self.value


def store_of(module: ModuleClass, moment: Moment) -> Store | None:
    """The store that an event is, if it is one."""
    event, frame = moment.event, moment.frame
    evaluator = module.project.evaluator
    if isinstance(event, Write) and frame.is_self(event.base):
        names = {event.attribute} if isinstance(event.attribute, str) else evaluator.strings(event.attribute, frame)
        for name in sorted(names):
            value = evaluator.value(event.value, frame)
            merges = event.operator != "=" and module.state.registration(name) is Registration.PARAMETER
            return Store(name, moment, frame.span(event.place), value, merges)
    if isinstance(event, Write) and event.attribute == "data" and _attribute_of_self(event.base, frame):
        name = _attribute_of_self(event.base, frame)
        value = evaluator.value(event.value, frame)
        return Store(name, moment, frame.span(event.place), value, event.operator != "=")
    if isinstance(event, Write) and event.operator == "=" and _is_record(event.base, frame):
        return Store(_attribute_of_self(event.base, frame), moment, frame.span(event.place), frame.value(event.value))
    if isinstance(event, Write) and event.operator != "=" and _parameter_of_child(event, frame):
        value = evaluator.value(event.value, frame)
        return Store(_parameter_of_child(event, frame), moment, frame.span(event.place), value, is_merge=True)
    if isinstance(event, ItemWrite) and event.operator == "=" and _attribute_of_self(event.base, frame):
        name = _attribute_of_self(event.base, frame)
        if module.state.registration(name) is Registration.BUFFER and not _is_whole(event.index):
            # Rows of a buffer are a memory that goes on; a cache is filled as a whole.
            return None
        return Store(name, moment, frame.span(event.place), evaluator.value(event.value, frame))
    if isinstance(event, Evaluated) and isinstance(event.term, Call):
        return _store_by_call(module, event.term, moment)
    return None


def _is_whole(index: Term) -> bool:
    """True for x[:] and x[...]."""
    if isinstance(index, Operation) and index.operator == "slice":
        return all(isinstance(part, Constant) and part.value is None for part in index.parts)
    return isinstance(index, Constant) and index.value is ...


def _is_record(term: Term, frame: Frame) -> bool:
    """True for self.cache that holds an object of a plain class."""
    return bool(_attribute_of_self(term, frame)) and frame.value(term).kind is Kind.OBJECT


def _store_by_call(module: ModuleClass, call: Call, moment: Moment) -> Store | None:
    """self.register_buffer("name", value), self.weight.data.add_(value)."""
    callee, frame, evaluator = call.callee, moment.frame, module.project.evaluator
    if not isinstance(callee, Attribute) or not call.inputs:
        return None
    if callee.name == "register_buffer" and frame.is_self(callee.base) and call.arguments:
        given = call.argument(1, "tensor")
        for name in sorted(evaluator.strings(call.arguments[0], frame)):
            if given is not None:
                return Store(name, moment, frame.span(call.place), evaluator.value(given, frame))
    name = _attribute_of_self(callee.base, frame)
    if name and callee.name in ("update", "setdefault"):
        return _store_into_dict(name, call, moment)
    how = _registration(module, name, callee.base, frame) if name and callee.name in _IN_PLACE else None
    if call.arguments and (how is Registration.PARAMETER or (how is Registration.BUFFER and callee.name == "copy_")):
        value = evaluator.value(call.arguments[0], frame)
        return Store(name, moment, frame.span(call.place), value, is_merge=how is Registration.PARAMETER)
    return None


def _store_into_dict(name: str, call: Call, moment: Moment) -> Store | None:
    """self.cache.update(key=value), self.cache.update(made()), self.cache.setdefault(key, value)."""
    frame = moment.frame
    given = [term for key, term in call.keywords if key is not None] or list(call.arguments[-1:])
    values = [part for term in given for part in (term.parts if isinstance(term, Display) else (term,))]
    held = ((value, value.element) for value in map(frame.value, values))
    found = [value for pair in held for value in pair if value is not None and value.kind in TENSORS]
    return Store(name, moment, frame.span(call.place), found[0]) if found else None


def _registration(module: ModuleClass, name: str, term: Term, frame: Frame) -> Registration | None:
    """How an attribute is registered, also one of a child: self.layer.weight."""
    if "." not in name:
        return module.state.registration(name)
    return Registration.PARAMETER if frame.value(_whole(term)).kind is Kind.PARAMETER else None


def _whole(term: Term) -> Term:
    """The attribute that x, x.data or x[..] is, or is a part of."""
    while isinstance(term, Subscript) or (isinstance(term, Attribute) and term.name == "data"):
        term = term.base
    return term


def _attribute_of_self(term: Term, frame: Frame) -> str:
    """The attribute that self.name, self.name.data or self.name[..] speaks of, and "layer.weight" for a parameter of a
    child; "" for any other term."""
    term = _whole(term)
    if not isinstance(term, Attribute):
        return ""
    if frame.is_self(term.base):
        return term.name
    is_child = isinstance(term.base, Attribute) and frame.is_self(term.base.base)
    is_parameter = is_child and frame.value(term).kind is Kind.PARAMETER
    return f"{term.base.name}.{term.name}" if is_parameter else ""  # type: ignore[attr-defined]


def _parameter_of_child(event: Write, frame: Frame) -> str:
    """ "layer.weight" for `self.layer.weight += ..`."""
    if (
        not isinstance(event.attribute, str)
        or not isinstance(event.base, Attribute)
        or not frame.is_self(event.base.base)
    ):
        return ""
    old = event.value.parts[0] if isinstance(event.value, Operation) else None
    is_parameter = old is not None and frame.value(old).kind is Kind.PARAMETER
    return f"{event.base.name}.{event.attribute}" if is_parameter else ""
