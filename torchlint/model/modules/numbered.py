"""Attributes under names of which only a part is known: setattr(self, f"grid_{index}", table)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.model.events import Write
from torchlint.model.flow.uses import Use
from torchlint.model.frames import Frame
from torchlint.model.terms import Call, Global
from torchlint.model.unregistered.leftovers import SHOWING, Leftover, is_left, reading_of
from torchlint.model.values import Kind, Pattern

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

# What a pattern says of a number, and of anything.
_OPEN = re.compile(r"-\?\\d\+|\.\+")


def numbered_leftovers(module: ModuleClass) -> Iterator[Leftover]:
    """The plain tensors that construction leaves under such names, which later methods read by getattr() with a name
    of the same form."""
    state = module.state
    if state.registers_itself or not module.is_initialised:
        return
    for pattern, moment in state.numbered_writes:
        event, frame = moment.event, moment.frame
        if not isinstance(event, Write) or id(frame.function) not in module.construction_functions:
            continue
        value = frame.value(event.value)
        if value.kind is not Kind.TENSOR or not is_left(module, value) or state.may_register(pattern):
            continue
        found = next(_reads(module, pattern), None) if module.method("_apply") is None else None
        if found is None:
            continue
        call, reader, uses = found
        name = shown(pattern)
        yield Leftover(
            attribute=name,
            symbol=f"{frame.method.owner or module.facts.qualname}.{name}",
            span=frame.span(event.place),
            born=value.origin,
            read=reader.span(call.place),
            reader=reader.method.name,
            reading=reading_of(uses, value),
            is_callable=False,
        )


def shown(pattern: Pattern) -> str:
    """A pattern as a name with stars: "grid_*"."""
    return "|".join(sorted(_OPEN.sub("*", text).replace("\\", "") for text in pattern.expressions))


def _reads(module: ModuleClass, pattern: Pattern) -> Iterator[tuple[Call, Frame, set[Use]]]:
    """The calls getattr(self, f"grid_{index}") after construction whose result is used, those that compute first."""
    found = []
    for function in module.methods:
        if id(function) in module.only_building or function.name in SHOWING:
            continue
        frame = module.frame(function)
        for call in function.calls:
            if _gets(call, frame, pattern):
                uses = module.project.uses.of(call, function) - {Use.LOOKED_AT}
                found += [(call, frame, uses)] if uses else []
    yield from sorted(found, key=lambda one: Use.COMPUTES not in one[2])


def _gets(call: Call, frame: Frame, pattern: Pattern) -> bool:
    is_getattr = isinstance(call.callee, Global) and call.callee.name == "getattr" and len(call.arguments) == 2
    if not is_getattr or not frame.is_self(call.arguments[0]):
        return False
    asked = frame.value(call.arguments[1]).constant
    return isinstance(asked, Pattern) and shown(asked) == shown(pattern)
