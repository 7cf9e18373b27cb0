"""The dtype that a network was converted to, by whoever holds it: where it answers in bfloat16, numpy takes nothing."""

from __future__ import annotations

from torchlint.model.events import Evaluated, Write
from torchlint.model.flow.networks import network_run
from torchlint.model.flow.same_object import RETURNS_SELF, keys_of
from torchlint.model.frames import Frame, last_name
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
    return _converted_here(network, frame)


def _kept(network: Term, frame: Frame) -> str | None:
    """What self.net = net.to(torch.bfloat16) converts, in the one place that writes the attribute."""
    if not isinstance(network, Attribute) or frame.view is None or not frame.is_self(network.base):
        return None
    writes = frame.view.state.writes(network.name)
    event = writes[0].event if len(writes) == 1 else None
    return _chained(event.value, writes[0].frame) if isinstance(event, Write) else None


def _chained(network: Term, frame: Frame, depth: int = _DEPTH) -> str | None:
    """The dtype of net.to(torch.bfloat16).eval(): the last conversion of the chain decides. Where branches meet, all of
    them have to say so."""
    if not depth:
        return None
    if isinstance(network, Choice):
        found = {_chained(option, frame, depth - 1) for option in network.options}
        return found.pop() if len(found) == 1 else None
    if isinstance(network, Attribute) and network.known is not None:
        return _chained(network.known, frame, depth - 1)
    if isinstance(network, Call) and last_name(network) == "from_pretrained":
        return _loaded_as(network, frame)
    if not isinstance(network, Call) or not isinstance(network.callee, Attribute):
        return None
    if network.callee.name not in RETURNS_SELF:
        return None
    return _given(network, network.callee.name, frame) or _chained(network.callee.base, frame, depth - 1)


def _loaded_as(made: Call, frame: Frame) -> str | None:
    """The dtype of from_pretrained(.., torch_dtype=torch.bfloat16)."""
    given = made.keyword("torch_dtype") or made.keyword("dtype")
    value = frame.value(given) if given is not None else None
    return value.dtype if value is not None and value.made_by == "dtype" else None


def _converted_here(network: Term, frame: Frame) -> str | None:
    """The last dtype that the function converts the network to in any case, before it runs it for the first time. Of
    what it converts on one branch or afterwards it is not known which run comes later."""
    conversions = _conversions(frame)
    keys = keys_of(network, frame) if conversions else frozenset()
    found: str | None = None
    for event in frame.function.events if conversions else ():
        call = event.term if isinstance(event, Evaluated) else None
        if not isinstance(call, Call):
            continue
        if id(call) in conversions and isinstance(call.callee, Attribute):
            is_meant = bool(keys_of(call.callee.base, frame) & keys)
            found = (None if event.guards() else conversions[id(call)]) if is_meant else found
        elif (run := network_run(call, frame)) is not None and keys_of(run, frame) & keys:
            break
    return found


def _conversions(frame: Frame) -> dict[int, str]:
    """The conversions that a function makes of what it holds, by the identity of the calls."""
    named = (call for call in frame.function.calls if last_name(call) in (*_NAMED, "to"))
    found = ((id(call), _given(call, last_name(call), frame)) for call in named if isinstance(call.callee, Attribute))
    return {call: dtype for call, dtype in found if dtype is not None}


def _given(call: Call, name: str, frame: Frame) -> str | None:
    if name in _NAMED:
        return _NAMED[name]
    values = (frame.value(term) for term in call.inputs) if name in ("to", "type") else ()
    return next((value.dtype for value in values if value.made_by == "dtype"), None)
