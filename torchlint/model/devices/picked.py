"""Tables that are indexed before they are moved: on the CPU they take no index of an accelerator."""

from __future__ import annotations

from torchlint.model.devices.follower_forms import may_be_number
from torchlint.model.devices.followers import Followers
from torchlint.model.devices.guards import is_device_asked
from torchlint.model.devices.paths import given_by_callers
from torchlint.model.events import Evaluated
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, Moment
from torchlint.model.terms import Constant, Display, Element, Item, Subscript, Term


def is_picked_by_inputs(read: Moment) -> bool:
    """True where what is read is subscripted with a tensor that lies where the inputs are. Torch raises there, whatever
    becomes of the elements: "indices should be either on cpu or on the same device as the indexed tensor (cpu)"."""
    event, frame = read.event, read.frame
    if not isinstance(event, Evaluated) or is_device_asked(event):
        return False
    made = parents_in(frame.function).get(id(event.term), ())
    indices = [index for one in made if isinstance(one, Subscript) and one.base is event.term for index in _parts(one)]
    return bool(indices) and any(_follows(index, frame) for index in indices)


def _parts(subscript: Subscript) -> tuple[Term, ...]:
    return subscript.index.parts if isinstance(subscript.index, Display) else (subscript.index,)


def _follows(index: Term, frame: Frame) -> bool:
    """False for what may have no dimensions: torch takes the number out of it, on any device."""
    if frame.value(index).ndim == 0 or isinstance(index, (Element, Item, Constant)) or may_be_number(index):
        return False
    is_forward = frame.function.name == "forward"
    given = frozenset[int]() if is_forward or frame.outer is not None else given_by_callers(frame)
    return Followers(frame, arguments=is_forward, given=given).holds(index)
