"""Who chooses a device: a parameter is what its callers give, and the device of another value is nobody's choice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from torchlint.knowledge.graphs import SETTINGS
from torchlint.model.events import Evaluated
from torchlint.model.flow.callers import callers_of, constructions
from torchlint.model.flow.networks import written_name
from torchlint.model.flow.origins import Origin, default_of, origins
from torchlint.model.frames import Frame, has_self, last_name
from torchlint.model.terms import Argument, Attribute, Call, Constant, Term

# What holds the device that the program was told to use.
_HOLDS_CHOICES = re.compile(rf"{SETTINGS.pattern}|.*(accelerator|fabric|trainer|settings).*", re.IGNORECASE)
_SPEAKS_OF_DEVICES = (b"cuda", b"--device", b"--gpu", b"mps", b"accelerat")
_CPU = ("cpu", "meta")
_LEVELS = 3


def may_be_chosen(device: Term, frame: Frame, levels: int = _LEVELS) -> bool:
    """False for a device that is the CPU by all who choose it, and for one that is asked of another value."""
    return any(_may_be_away(term, where, levels) for term, where in origins(device, frame))


def _may_be_away(term: Term, frame: Frame, levels: int) -> bool:
    if isinstance(term, Constant):
        return term.value is not None and not str(term.value).startswith(_CPU)
    if isinstance(term, Attribute):
        is_asked = term.name == "device" and not frame.is_self(term.base)
        return not is_asked or _HOLDS_CHOICES.fullmatch(written_name(term.base)) is not None
    if isinstance(term, Call):
        if last_name(term) == "device" and term.arguments:
            return may_be_chosen(term.arguments[0], frame, levels)
        return last_name(term) != "get_device" or not isinstance(term.callee, Attribute)
    if not isinstance(term, Argument) or not levels:
        return True
    return frame.once(f"may be given {term.index} in {levels}", lambda: (_may_be_given(term, frame, levels),))[0]


def _may_be_given(term: Argument, frame: Frame, levels: int) -> bool:
    """The same of a parameter: by its callers, or where nobody knows them by whether the project speaks of devices."""
    given = list(_given(term, frame))
    if not given:
        return any(frame.evaluator.project.files_around(frame.path, word) for word in _SPEAKS_OF_DEVICES)
    return any(may_be_chosen(one, where, levels - 1) for one, where in given)


def _given(term: Argument, frame: Frame) -> Iterator[Origin]:
    """What the calls of a function, or the makers of an object, give for a parameter, or leave it at."""
    function, view = frame.function, frame.view
    offset = 1 if has_self(function) else 0
    if function.name == "__init__" and view is not None:
        calls = list(constructions(view))
    else:
        moments = [(moment.event, moment.frame) for moment in callers_of(frame)]
        calls = [(e.term, where) for e, where in moments if isinstance(e, Evaluated) and isinstance(e.term, Call)]
    default = default_of(term, function)
    for call, where in calls:
        one = call.argument(term.index - offset, term.name)
        if one is not None:
            yield one, where
        elif default is not None:
            yield default, frame
