"""Where autograd records nothing for reasons outside the function, and what autocast makes of a network's output."""

from __future__ import annotations

from torchlint.knowledge import graphs
from torchlint.model.autocast.regions import autocast_around
from torchlint.model.events import Evaluated
from torchlint.model.facts import Function
from torchlint.model.flow.callers import callers_of
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.gradients.off import records_nothing
from torchlint.model.terms import Call

_LEVELS = 3


def is_spared(frame: Frame, levels: int = _LEVELS) -> bool:
    """True where every known caller switches gradients off, or is itself called only where they are off."""
    callers = list(callers_of(frame))
    return bool(callers) and all(is_run_quietly(moment, levels - 1) for moment in callers)


def is_run_quietly(moment: Moment, levels: int = _LEVELS - 1) -> bool:
    """True for a call where gradients are off by what is around it, or around the calls of the function that it stands
    in."""
    if records_nothing(moment) or is_hook(moment.frame.function):
        return True
    return levels > 0 and is_spared(moment.frame, levels)


def is_quiet(function: Function) -> bool:
    """True for a function that is decorated with no_grad() or inference_mode()."""
    return any(last_name(one) in ("no_grad", "inference_mode") for one in function.decorators)


def is_hook(function: Function) -> bool:
    """A hook that Lightning and its like run with gradients off."""
    return bool(graphs.WITHOUT_GRADIENTS.fullmatch(function.name))


def autocast_dtype(event: Evaluated | None, frame: Frame) -> str | None:
    region = autocast_around(event, frame, frame.evaluator) if event is not None else None
    if region is None or region.is_island or event is None:
        return None
    subjects = (one.subject for one in event.regions if one.subject.place == region.place)
    is_open = any(isinstance(one, Call) and one.keyword("enabled") is not None for one in subjects)
    return None if is_open else region.dtype
