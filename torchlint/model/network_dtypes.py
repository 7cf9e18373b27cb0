"""The dtype that a network was converted to, by whoever holds it: where it answers in bfloat16, numpy takes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.events import Write
from torchlint.model.frames import Frame
from torchlint.model.same_object import RETURNS_SELF, keys_of
from torchlint.model.terms import Attribute, Call, Choice, Term

_NAMED = {"bfloat16": "bfloat16", "half": "float16", "float": "float32", "double": "float64"}
_DEPTH = 8


def converted_to(network: Term, frame: Frame) -> str | None:
    """The last dtype that the code converts a network to, as far as function and class show; None where they do not."""
    chained = _chained(network, frame)
    if chained is not None:
        return chained
    kept = _kept(network, frame)
    if kept is not None:
        return kept
    keys = keys_of(network, frame)
    found = [dtype for receiver, dtype in _conversions(frame) if keys_of(receiver, frame) & keys]
    return found[-1] if found else None


def _kept(network: Term, frame: Frame) -> str | None:
    """What self.net = net.to(torch.bfloat16) converts, in the one place that writes the attribute."""
    if not isinstance(network, Attribute) or frame.view is None or not frame.is_self(network.base):
        return None
    writes = frame.view.state.writes(network.name)
    event = writes[0].event if len(writes) == 1 else None
    return _chained(event.value, writes[0].frame) if isinstance(event, Write) else None


def _chained(network: Term, frame: Frame) -> str | None:
    """The dtype of net.to(torch.bfloat16).eval(): the last conversion of the chain decides."""
    term = network
    for _ in range(_DEPTH):
        if isinstance(term, Choice):
            term = term.options[-1]
        elif isinstance(term, Attribute) and term.known is not None:
            term = term.known
        elif isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name in RETURNS_SELF:
            dtype = _given(term, term.callee.name, frame)
            if dtype is not None:
                return dtype
            term = term.callee.base
        else:
            return None
    return None


def _conversions(frame: Frame) -> Iterator[tuple[Term, str]]:
    """The conversions that a function makes of what it holds."""
    for call in frame.function.calls:
        if isinstance(call.callee, Attribute) and call.callee.name in (*_NAMED, "to"):
            dtype = _given(call, call.callee.name, frame)
            if dtype is not None:
                yield call.callee.base, dtype


def _given(call: Call, name: str, frame: Frame) -> str | None:
    if name in _NAMED:
        return _NAMED[name]
    values = (frame.value(term) for term in call.inputs) if name in ("to", "type") else ()
    return next((value.dtype for value in values if value.made_by == "dtype"), None)
