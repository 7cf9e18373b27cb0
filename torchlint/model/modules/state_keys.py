"""The keys of ModuleDict and its like, and the names that functions give to what they register in another module."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated, ItemWrite
from torchlint.model.frames import Frame, Moment, called_names, last_name
from torchlint.model.modules.members import all_moments
from torchlint.model.modules.registration import Registration
from torchlint.model.modules.state_names import (
    CALLS,
    DICTS,
    TAKEN_BY_TORCH,
    BadName,
    Fault,
    Naming,
    bad_name,
    fault_of,
    misspelt,
)
from torchlint.model.terms import Attribute, Call, Comprehension, Constant, Display, Term
from torchlint.model.values import Kind, TensorValue, strings_of

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_DICT_NAMES = frozenset(name.rpartition(".")[2] for name in DICTS)
_FILLING = _DICT_NAMES | {"update"}
_NAMING = _DICT_NAMES | frozenset(CALLS)


def bad_keys_of(module: ModuleClass) -> Iterator[BadName]:
    """The bad names in other modules that a class builds, and the bad keys of its ModuleDicts and their like."""
    if not module.state.registers_itself:
        yield from _bad_at(all_moments(module), module)


def bad_keys_in(frame: Frame) -> Iterator[BadName]:
    """The same for a function that is no method of a module."""
    is_named = not _NAMING.isdisjoint(called_names(frame.function))
    if is_named and (frame.view is None or not frame.view.is_module):
        yield from _bad_at((Moment(event, frame) for event in frame.function.events), None)


def _bad_at(moments: Iterable[Moment], module: ModuleClass | None) -> Iterator[BadName]:
    for moment in moments:
        event, frame = moment.event, moment.frame
        if isinstance(event, ItemWrite) and event.operator == "=":
            made_by = frame.value(event.base).made_by or ""
            # A Sequential takes positions.
            if made_by in DICTS and made_by != "torch.nn.Sequential":
                span = frame.span(event.place)
                naming = Naming(
                    moment, Registration.MODULE, f"a new key of {made_by.rpartition('.')[2]}", span, event.index
                )
                yield from _bad_key(naming, made_by, module)
        elif isinstance(event, Evaluated) and isinstance(event.term, Call):
            if last_name(event.term) in CALLS:
                yield from _bad_in_another(event.term, moment, module)
            yield from _keys_of_new(event.term, moment, module)


def _bad_in_another(call: Call, moment: Moment, module: ModuleClass | None) -> Iterator[BadName]:
    """body.add_module("conv.1", layer), for a module that torch defines."""
    callee, frame, name = call.callee, moment.frame, last_name(call.callee)
    given = call.argument(0, "name")
    if name not in CALLS or not isinstance(callee, Attribute) or frame.is_self(callee.base) or given is None:
        return
    if _registers_as_torch(frame.value(callee.base), name):
        naming = Naming(moment, CALLS[name], f"{name}()", frame.span(call.place), given)
        found = misspelt(naming, module)
        if found is not None:
            yield found


def _registers_as_torch(receiver: TensorValue, method: str) -> bool:
    """True for a module whose class has no method of its own in the place of torch's."""
    if receiver.kind is not Kind.MODULE or receiver.made_by == "self":
        return False
    return receiver.of is None or receiver.of.method(method) is None


def _keys_of_new(call: Call, moment: Moment, module: ModuleClass | None) -> Iterator[BadName]:
    if not call.arguments or last_name(call) not in _FILLING:
        return
    is_update = isinstance(call.callee, Attribute) and call.callee.name == "update"
    filled = call.callee.base if is_update and isinstance(call.callee, Attribute) else call
    made_by = moment.frame.value(filled).made_by or ""
    if made_by not in DICTS:
        return
    for key in _keys(call.arguments[0], moment.frame):
        naming = Naming(
            moment, Registration.MODULE, f"{made_by.rpartition('.')[2]}()", moment.frame.span(key.place), key
        )
        yield from _bad_key(naming, made_by, module)


def _bad_key(naming: Naming, made_by: str, module: ModuleClass | None) -> Iterator[BadName]:
    assert naming.term is not None
    fault, name = fault_of(naming.term, naming.moment.frame)
    if fault is None:
        value = naming.moment.frame.value(naming.term)
        taken = sorted(strings_of(value) & (TAKEN_BY_TORCH | DICTS[made_by]))
        fault, name = (Fault.MEMBER, taken[0]) if taken else (None, "")
    if fault is not None:
        yield bad_name(naming, module, fault, name)


def _keys(term: Term, frame: Frame) -> Iterator[Term]:
    """The keys of a dict as it is written: a display, a comprehension, pairs, zip(), OrderedDict(..), dict(name=..)."""
    if isinstance(term, Display) and term.kind == "dict":
        yield from (key for key in term.keys if key is not None)
    elif isinstance(term, Comprehension) and term.kind == "dict":
        yield term.parts[0]
    elif isinstance(term, (Display, Comprehension)):
        yield from (pair.parts[0] for pair in term.parts if isinstance(pair, Display) and len(pair.parts) == 2)
    elif isinstance(term, Call) and last_name(term) in ("OrderedDict", "dict"):
        yield from (Constant(value.place, key) for key, value in term.keywords if key is not None)
        yield from _keys(term.arguments[0], frame) if term.arguments else ()
    elif isinstance(term, Call) and last_name(term) == "zip" and term.arguments:
        names = term.arguments[0]
        yield from names.parts if isinstance(names, Display) else ()
