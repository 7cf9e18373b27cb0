"""Autocast regions: which `with` items and decorators open one, and what it does inside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.knowledge.autocast import CONTEXT_MANAGERS, CUDA_CONTEXT_MANAGERS
from torchlint.model.bound import BoundPartial
from torchlint.model.events import Event, RegionKind, Return
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, is_decorated
from torchlint.model.terms import Attribute, Call, Choice, Constant, Imported, Place, Term

if TYPE_CHECKING:
    from torchlint.model.evaluate import Evaluator

_DEPTH = 4


@dataclass(frozen=True, slots=True)
class Autocast:
    """An autocast region. is_island: autocast is off inside, or runs in float32. dtype: None where it is not
    written."""

    is_island: bool
    dtype: str | None
    place: Place


def autocast_around(event: Event, frame: Frame, evaluator: Evaluator) -> Autocast | None:
    """The autocast that is in force where the event happens inside its function; None outside of any, or where a
    test of
    is_autocast_enabled() or of a call of unknown meaning decides."""
    for region in event.regions:
        if region.kind is RegionKind.WITH:
            found = autocast_of(region.subject, frame, evaluator)
            if found is not None:
                return found
    for decorator in frame.function.decorators:
        found = autocast_of(decorator, frame, evaluator)
        if found is not None:
            return found
    return None


def autocast_of(term: Term, frame: Frame, evaluator: Evaluator, depth: int = _DEPTH) -> Autocast | None:
    """The region that a context manager opens; None where it is no autocast, or not certainly one."""
    if depth == 0:
        return None
    if isinstance(term, Choice):
        options = [autocast_of(option, frame, evaluator, depth - 1) for option in term.options]
        found = [option for option in options if option is not None]
        # With nullcontext as the alternative the region may be absent, but where it is present it rules.
        return next((option for option in found if option.is_island), found[0]) if found else None
    if not isinstance(term, Call):
        return None
    value = evaluator.value(term.callee, frame)
    name = value.made_by or ""
    if isinstance(value.of, BoundPartial):
        return autocast_of(value.of.applied(term), value.of.frame, evaluator, depth - 1)
    if name in CONTEXT_MANAGERS:
        return _opened(term, frame, evaluator, enabled_at=2, dtype_at=1)
    if name in CUDA_CONTEXT_MANAGERS:
        return _opened(term, frame, evaluator, enabled_at=0, dtype_at=1)
    if isinstance(value.of, Function):
        return _by_helper(value.of, term, frame, evaluator, depth)
    return _by_name(term, frame, evaluator)


def _opened(call: Call, frame: Frame, evaluator: Evaluator, *, enabled_at: int, dtype_at: int) -> Autocast:
    enabled = call.argument(enabled_at, "enabled")
    given = call.argument(dtype_at, "dtype") or call.keyword("fast_dtype")
    dtype = evaluator.value(given, frame).dtype if given is not None else None
    off = enabled is not None and evaluator.value(enabled, frame).constant is False
    return Autocast(off or dtype == "float32", dtype, call.place)


def _by_helper(helper: Function, call: Call, frame: Frame, evaluator: Evaluator, depth: int) -> Autocast | None:
    """A function of the project that returns an autocast, or is a context manager that yields inside one."""
    inner = evaluator.bound_frame(helper, None, call, frame, receiver=None)
    for event in helper.events:
        if not isinstance(event, Return):
            continue
        if event.is_yield and is_decorated(helper, "contextmanager"):
            managers = (region.subject for region in event.regions if region.kind is RegionKind.WITH)
            found = next(filter(None, (autocast_of(term, inner, evaluator, depth - 1) for term in managers)), None)
        else:
            found = autocast_of(event.value, inner, evaluator, depth - 1)
        if found is not None:
            return _overruled(found, call, frame, evaluator)
    return _by_name(call, frame, evaluator)


def _overruled(found: Autocast, call: Call, frame: Frame, evaluator: Evaluator) -> Autocast:
    """enabled=False given to a helper makes an island whatever the helper does with it."""
    enabled = call.keyword("enabled")
    off = enabled is not None and evaluator.value(enabled, frame).constant is False
    return Autocast(True, found.dtype, call.place) if off else found


def _by_name(call: Call, frame: Frame, evaluator: Evaluator) -> Autocast | None:
    """A callable out of sight whose name speaks of autocast: with enabled=False, or a name that says so, it is an
    island."""
    name = (
        call.callee.name.rpartition(".")[2]
        if isinstance(call.callee, (Attribute, Imported))
        else getattr(call.callee, "name", "")
    )
    if "autocast" not in name.lower():
        return None
    enabled = call.argument(0, "enabled")
    off = enabled is not None and isinstance(enabled, Constant) and enabled.value is False
    says_so = any(word in name.lower() for word in ("disable", "no_", "off"))
    if off or says_so:
        return Autocast(True, None, call.place)
    given = call.keyword("dtype")
    dtype = evaluator.value(given, frame).dtype if given is not None else None
    return Autocast(dtype == "float32", dtype, call.place)
