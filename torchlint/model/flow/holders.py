"""Holders: where methods put tensors that outlive the call: attributes of the object, of its class, top-level names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from torchlint.model.events import Evaluated, Event, ItemWrite
from torchlint.model.frames import Frame, last_name
from torchlint.model.names.names import Value
from torchlint.model.terms import Attribute, Call, Choice, Constant, Display, Global, Imported, Subscript, Term
from torchlint.model.values import Kind, TensorValue

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass


@dataclass(frozen=True, slots=True)
class Holder:
    """Where a memo lies: an attribute of the object, of its class, or a name of the file's top level.

    is_shared: all instances see the same one.
    """

    name: str
    shown: str
    is_shared: bool
    is_global: bool = False


class Put(NamedTuple):
    """table[key] = value."""

    base: Term
    key: Term
    value: Term


def puts_into_dict(event: Event) -> tuple[Put, ...]:
    """What table[key] = value, table.setdefault(key, value) and table.update({key: value}) put where."""
    if isinstance(event, ItemWrite):
        return (Put(event.base, event.index, event.value),) if event.operator == "=" else ()
    call = event.term if isinstance(event, Evaluated) and isinstance(event.term, Call) else None
    if call is None or not isinstance(call.callee, Attribute):
        return ()
    base, given = call.callee.base, call.arguments
    if asks_for_key(event):
        return (Put(base, *given),)
    if call.callee.name != "update" or len(given) != 1 or not isinstance(given[0], Display):
        return ()
    items = zip(given[0].keys, given[0].parts, strict=False)
    return tuple(Put(base, key, value) for key, value in items if key is not None)


def asks_for_key(event: Event) -> bool:
    """True for table.setdefault(key, value), which keeps what is there."""
    call = event.term if isinstance(event, Evaluated) and isinstance(event.term, Call) else None
    callee = call.callee if call is not None else None
    return isinstance(callee, Attribute) and callee.name == "setdefault" and len(call.arguments) == 2  # type: ignore[union-attr]


def table_around(term: Term) -> tuple[Term, Term] | None:
    """The dict that table[key], or table.setdefault(key, {}), takes another from, and the key."""
    if isinstance(term, Subscript):
        return term.base, term.index
    is_asked = isinstance(term, Call) and last_name(term) == "setdefault" and len(term.arguments) == 2
    if isinstance(term, Call) and is_asked and isinstance(term.callee, Attribute):
        return term.callee.base, term.arguments[0]
    return None


def holder_of(term: Term, frame: Frame, view: ModuleClass) -> Holder | None:
    """The attribute or top-level name that a term is; None for anything else."""
    if isinstance(term, Attribute):
        return attribute_holder(term.base, term.name, frame, view)
    if isinstance(term, Choice):
        found = {holder_of(option, frame, view) for option in term.options if not isinstance(option, Constant)}
        return found.pop() if len(found) == 1 else None
    if isinstance(term, Imported):
        head, _, last = term.name.rpartition(".")
        owner = frame.value(Imported(term.place, head)) if head else None
        if owner is not None and owner.made_by == "class" and owner.of in view.ancestors:
            return Holder(last, f"{owner.of.name}.{last}", is_shared=True)
    if isinstance(term, (Global, Imported)) and isinstance(view.project.names.of_term(term, frame.path), Value):
        return Holder(term.name, term.name.rpartition(".")[2], is_shared=True, is_global=True)
    return None


def attribute_holder(base: Term, name: str, frame: Frame, view: ModuleClass) -> Holder | None:
    """The attribute `name` of the object or of its class; None where `base` is neither."""
    if frame.is_self(base):
        built = any(id(moment.frame.function) in view.construction_functions for moment in view.state.writes(name))
        is_class_level = any(name in ancestor.outline.values for ancestor in view.ancestors)
        shared = is_class_level and not built and _is_container(view.state.class_value(name))
        return Holder(name, f"self.{name}", is_shared=shared)
    if _is_class_of_self(base, frame, view):
        return Holder(name, f"{view.name}.{name}", is_shared=True)
    return None


def _is_container(value: TensorValue) -> bool:
    return value.kind is Kind.CONTAINER


def _is_class_of_self(term: Term, frame: Frame, view: ModuleClass) -> bool:
    """True for self.__class__, type(self), cls, and the name of the class or of a base."""
    if isinstance(term, Attribute) and term.name == "__class__":
        return frame.is_self(term.base)
    if isinstance(term, Call) and last_name(term) == "type" and len(term.arguments) == 1:
        return frame.is_self(term.arguments[0])
    value = frame.value(term) if isinstance(term, (Global, Imported)) else None
    return value is not None and value.made_by == "class" and value.of in view.ancestors


def holds_tensor(value: TensorValue) -> bool:
    """True for a tensor that torch does not know of, and for a container of such."""
    if value.kind is Kind.CONTAINER:
        parts = value.items or ((value.element,) if value.element is not None else ())
        return any(holds_tensor(part) for part in parts)
    return value.kind is Kind.TENSOR


def keeps_tensor(term: Term, frame: Frame) -> bool:
    """The same of what a term gives: a dict that is written out may hold other things beside its tensors."""
    parts = term.parts if isinstance(term, Display) and term.kind == "dict" else ()
    return holds_tensor(frame.value(term)) or any(holds_tensor(frame.value(part)) for part in parts)
