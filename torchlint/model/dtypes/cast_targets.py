"""The dtype that a cast makes: as it is written, as a table, a default or an attribute gives it, or by its name."""

from __future__ import annotations

import re

from torchlint.knowledge.dtypes import LOW_PRECISION, legacy_tensor
from torchlint.model.flow.networks import written_name
from torchlint.model.flow.origins import origins
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import Argument, Attribute, Call, Captured, Choice, Constant, Imported, Term, mentions
from torchlint.model.values import Kind

_CASTS = {"half": "float16", "bfloat16": "bfloat16", "float": "float32", "double": "float64"}
_METHODS = frozenset((*_CASTS, "to", "type", "astype"))
_FUNCTIONS = frozenset("tensor as_tensor asarray".split())
_DTYPE = re.compile(r"(\w+_)?(d_?type|precision)")


def cast_target(call: Call, frame: Frame) -> str | None:
    """The dtype that a call casts to: .half(), .to(torch.float16), .to(device, dtype=..), .type(..); None for no
    known cast."""
    callee = call.callee
    if not isinstance(callee, Attribute):
        return None
    if callee.name in _CASTS and not call.inputs:
        return _CASTS[callee.name]
    if callee.name not in ("to", "type"):
        return None
    return next(filter(None, (_written_dtype(term, frame) for term in call.inputs)), None)


def _written_dtype(term: Term, frame: Frame) -> str | None:
    """The dtype that an argument of a cast is: torch.half, x.dtype, torch.cuda.HalfTensor or its name as a string."""
    value = frame.value(term)
    if value.made_by == "dtype":
        return value.dtype
    name = value.constant if isinstance(value.constant, str) else value.made_by
    return legacy_tensor(name) if name else None


def is_written_dtype(call: Call, frame: Frame) -> bool:
    """True where the target of the cast is written as such, not read from another tensor or a variable of the
    caller."""
    return not call.inputs or any(
        _written_dtype(term, frame) is not None and not mentions(term, frozenset({"dtype"})) for term in call.inputs
    )


def cast_base(call: Call) -> Term | None:
    """What a call may cast: x of x.half(), x.to(..), x.astype(..) and torch.as_tensor(x, dtype=..)."""
    if isinstance(call.callee, Attribute):
        return call.callee.base if call.callee.name in _METHODS else None
    is_function = isinstance(call.callee, Imported) and last_name(call) in _FUNCTIONS and bool(call.arguments)
    return call.arguments[0] if is_function and call.keyword("dtype") is not None else None


def lowered_to(call: Call, frame: Frame) -> str | None:
    """The half-precision dtype that a cast makes, or may make: where a table, a default or a caller chooses, one that
    it can be, or the name that it is called by. None for any other cast."""
    target = cast_target(call, frame)
    if target is not None and target != "floating":
        return target if target in LOW_PRECISION else None
    name = last_name(call)
    if name == "astype" and any(_is_half_of_numpy(term) for term in call.inputs):
        return "float16"
    if name in _FUNCTIONS and isinstance(call.callee, Imported):
        given = call.keyword("dtype")
        return _low(given, frame) if given is not None else None
    if not isinstance(call.callee, Attribute) or name not in ("to", "type"):
        return None
    return next(filter(None, (_low(term, frame) for term in call.inputs)), None)


def _is_half_of_numpy(term: Term) -> bool:
    is_text = isinstance(term, Constant) and term.value in ("float16", "half")
    return is_text or (isinstance(term, Imported) and last_name(term) in ("float16", "half"))


def _low(term: Term, frame: Frame) -> str | None:
    if isinstance(term, Choice):
        # A branch that keeps what a tensor has is a choice for each.
        options = [_low(option, frame) for option in term.options]
        return options[0] if all(options) else None
    found = list(origins(term, frame))
    given = (_written_dtype(default_of(one, where), where) for one, where in found)
    chosen = next((dtype for dtype in given if dtype in LOW_PRECISION), None)
    if chosen is not None:
        return chosen
    return next((name for one, where in found if (name := _named(one, where))), None)


def default_of(term: Term, frame: Frame) -> Term:
    """The default of a parameter that has one, the term itself for any other."""
    parameters = frame.function.parameters
    if not isinstance(term, Argument) or term.index >= len(parameters) or term.index in frame.arguments:
        return term
    return parameters[term.index].default or term


def _named(term: Term, frame: Frame) -> str:
    """The name of a parameter or attribute that is called a dtype and of which nothing more is known; x.dtype of a
    tensor is what that has, and a call may give another one for each value."""
    if isinstance(term, Argument) and term.index in frame.arguments:
        return ""
    if not isinstance(term, (Argument, Attribute, Captured)) or not _DTYPE.fullmatch(written_name(term)):
        return ""
    if frame.value(term).kind not in (Kind.UNKNOWN, Kind.OTHER, Kind.NONE) or frame.value(term).dtype is not None:
        return ""
    if isinstance(term, Attribute) and term.name == "dtype":
        base = term.base
        if not (frame.is_self(base) or (isinstance(base, Attribute) and frame.is_self(base.base))):
            return ""
    return written_name(term)
