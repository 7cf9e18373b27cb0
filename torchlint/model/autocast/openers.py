"""What opens an autocast region: context managers in all their spellings, and decorators."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from torchlint.knowledge.autocast import (
    CONTEXT_MANAGERS,
    CUDA_CONTEXT_MANAGERS,
    ISLAND_DECORATORS,
    PRECISION_CONTEXTS,
)
from torchlint.model.evaluation.bound import BoundClosure, BoundPartial
from torchlint.model.events import Evaluated, Region, RegionKind, Return
from torchlint.model.facts import Function
from torchlint.model.flow.origins import by_default, origins, returning
from torchlint.model.frames import Frame, is_decorated, last_name
from torchlint.model.terms import Argument, Attribute, Call, Captured, Choice, Place, Term
from torchlint.model.values import TensorValue
from torchlint.source import Span

_DEPTH = 6
_SAYS_OFF = re.compile(r"disable|without|(?:^|_)no_?autocast|(?:^|_)(?:no|off)_|_off$|suppress")
_DTYPES = frozenset(("float16", "bfloat16", "float32", "float64"))


@dataclass(frozen=True, slots=True)
class Autocast:
    """An autocast region. is_island: autocast is off inside, or runs in float32. dtype, device: None where they are not
    known.

    place: where it is opened, in the file of `span`. region: the `with` block; None for a decorator or a statement.
    may_be_absent: a flag, or a conditional with nullcontext, decides. enabled: the term that decides, where it is
    written. keeps_cache: False with cache_enabled=False. casts_inputs: True for a decorator that casts what the
    function is given to the dtype inside.
    """

    is_island: bool
    dtype: str | None
    place: Place
    span: Span | None = None
    device: str | None = None
    region: Region | None = None
    may_be_absent: bool = False
    enabled: Term | None = None
    keeps_cache: bool = True
    casts_inputs: bool = False


def autocast_of(term: Term, frame: Frame, depth: int = _DEPTH) -> Autocast | None:
    """The region that a context manager opens; None where it is no autocast, or not certainly one."""
    if depth == 0:
        return None
    options = list(origins(term, frame))
    found = [_opened_by(option, where, depth) for option, where in options]
    known = [one for one in found if one is not None]
    if not known:
        return _by_attribute(term, frame)
    # With nullcontext as the alternative the region may be absent, but where it is present it rules.
    first = next((one for one in known if one.is_island), known[0])
    return replace(first, may_be_absent=True) if len(known) < len(options) else first


def _opened_by(term: Term, frame: Frame, depth: int) -> Autocast | None:
    if not isinstance(term, Call):
        return None
    found = None
    callees = list(origins(term.callee, frame))
    given = len(callees) > 1 or any(isinstance(callee, Argument) for callee, _ in callees)
    for callee, where in (by_default(*one) for one in callees):
        one = _called(callee, where, term, frame, depth)
        found = one if found is None or (one is not None and one.is_island) else found
    if found is None:
        return _by_name(term, frame)
    return replace(found, may_be_absent=True) if given else found


def _called(callee: Term, where: Frame, call: Call, frame: Frame, depth: int) -> Autocast | None:
    """What the call of one possible callee, which is written in `where`, opens."""
    value = where.value(callee)
    name = value.made_by or ""
    if isinstance(value.of, BoundPartial):
        return _opened_by(value.of.applied(call), value.of.frame, depth - 1) if depth else None
    if name in CONTEXT_MANAGERS:
        return _opened(call, frame, enabled_at=2, dtype_at=1, device=None)
    if name in CUDA_CONTEXT_MANAGERS:
        device = "cpu" if name.startswith("torch.cpu") else "cuda"
        return _opened(call, frame, enabled_at=0, dtype_at=1, device=device)
    if isinstance(value.of, Function):
        inner = returning(call, frame) or frame.evaluator.bound_frame(value.of, None, call, frame, receiver=None)
        return _by_helper(inner, call, frame, depth)
    if isinstance(value.of, BoundClosure):
        inner = frame.evaluator.nested_frame(value.of.function, value.of.frame)
        return _by_helper(inner, call, frame, depth)
    method = returning(call, frame) if isinstance(callee, Attribute) and callee is call.callee else None
    return _by_helper(method, call, frame, depth) if method is not None else _by_class(value, call, frame)


def _by_class(value: TensorValue, call: Call, frame: Frame) -> Autocast | None:
    """A class of the project that derives from an autocast."""
    if value.made_by != "class" or value.of is None:
        return None
    bases = value.of.foreign_bases
    if any(base in CONTEXT_MANAGERS for base in bases):
        return _opened(call, frame, enabled_at=2, dtype_at=1, device=None)
    is_cuda = any(base in CUDA_CONTEXT_MANAGERS for base in bases)
    return _opened(call, frame, enabled_at=0, dtype_at=1, device="cuda") if is_cuda else None


def _opened(call: Call, frame: Frame, *, enabled_at: int, dtype_at: int, device: str | None) -> Autocast:
    enabled = call.argument(enabled_at, "enabled")
    given = call.argument(dtype_at, "dtype") or call.keyword("fast_dtype")
    dtype = frame.value(given).dtype if given is not None else None
    is_on = frame.value(enabled).constant if enabled is not None else True
    cache = call.keyword("cache_enabled")
    return Autocast(
        is_island=is_on is False or dtype == "float32",
        dtype=dtype if dtype in _DTYPES else None,
        place=call.place,
        span=frame.span(call.place),
        device=device or _device(call, frame),
        may_be_absent=is_on is not True,
        enabled=enabled,
        keeps_cache=cache is None or frame.value(cache).constant is not False,
    )


def _device(call: Call, frame: Frame) -> str | None:
    given = call.argument(0, "device_type")
    found = frame.value(given).constant if given is not None else None
    return found if found in ("cuda", "cpu") else None


# Helpers


def _by_helper(inner: Frame, call: Call, frame: Frame, depth: int) -> Autocast | None:
    """A function of the project that returns an autocast, or is a context manager that yields inside one."""
    helper = inner.function
    is_generator = is_decorated(helper, "contextmanager") or is_decorated(helper, "asynccontextmanager")
    found: list[Autocast | None] = []
    for event in helper.events if depth else ():
        if isinstance(event, Return):
            inside = event.is_yield and is_generator
            found.append(_around(event, inner, depth - 1) if inside else autocast_of(event.value, inner, depth - 1))
    known = [one for one in found if one is not None]
    if not known:
        return None
    first = next((one for one in known if one.is_island), known[0])
    return _overruled(replace(first, may_be_absent=first.may_be_absent or len(known) < len(found)), call, frame)


def _around(event: Return, frame: Frame, depth: int) -> Autocast | None:
    """The innermost autocast around a yield."""
    managers = (region.subject for region in event.regions if region.kind is RegionKind.WITH)
    return next(filter(None, (autocast_of(term, frame, depth) for term in managers)), None)


def _overruled(found: Autocast, call: Call, frame: Frame) -> Autocast:
    """The region is opened where the helper is called; enabled=False given to it makes an island whatever it does, and
    with cache_enabled=False it keeps no casts."""
    enabled = call.keyword("enabled")
    off = enabled is not None and frame.value(enabled).constant is False
    cache = call.keyword("cache_enabled")
    keeps = found.keeps_cache and (cache is None or frame.value(cache).constant is not False)
    made = replace(found, is_island=found.is_island or off, enabled=enabled, keeps_cache=keeps)
    return replace(made, place=call.place, span=frame.span(call.place))


def _by_name(call: Call, frame: Frame) -> Autocast | None:
    """A callable out of sight whose name speaks of autocast: with enabled=False, or a name that says so, it is an
    island."""
    name = _name_of(call.callee)
    if name in PRECISION_CONTEXTS:
        return Autocast(False, None, call.place, frame.span(call.place), may_be_absent=True)
    if "autocast" not in name.lower():
        return None
    enabled = _flag(call)
    off = enabled is not None and frame.value(enabled).constant is False
    if off or _SAYS_OFF.search(name.lower()):
        return Autocast(True, None, call.place, frame.span(call.place))
    given = call.keyword("dtype")
    dtype = frame.value(given).dtype if given is not None else None
    return Autocast(
        dtype == "float32",
        dtype if dtype in _DTYPES else None,
        call.place,
        frame.span(call.place),
        may_be_absent=True,
        enabled=enabled,
    )


def _flag(call: Call) -> Term | None:
    """What switches it on: enabled=, the first argument, or that of accelerate's autocast_handler."""
    handler = call.keyword("autocast_handler")
    if isinstance(handler, Call):
        return handler.argument(0, "enabled")
    return call.argument(0, "enabled")


def _name_of(term: Term) -> str:
    while isinstance(term, Captured):
        term = term.value
    if isinstance(term, Choice):
        return next((name for option in term.options if "autocast" in (name := _name_of(option)).lower()), "")
    return term.name if isinstance(term, Argument) else last_name(term)


def _by_attribute(term: Term, frame: Frame) -> Autocast | None:
    """`with self.autocast:`, `with autocast_ctx:` where nobody in sight says what it is, by its name."""
    name = _name_of(term).lower() if isinstance(term, (Attribute, Argument, Captured)) else ""
    if "autocast" not in name or _SAYS_OFF.search(name):
        return None
    return Autocast(False, None, term.place, frame.span(term.place), may_be_absent=True)


# Decorators


def autocast_of_decorator(term: Term, frame: Frame) -> Autocast | None:
    """The region that a decorator puts around a function: an autocast, a wrapper of the project that calls the function
    in one, or one of torch and of libraries that switches autocast off."""
    name = last_name(term)
    if name in ISLAND_DECORATORS:
        return Autocast(True, None, term.place, frame.span(term.place), casts_inputs=True)
    if name == "custom_fwd":
        casts = term.keyword("cast_inputs") if isinstance(term, Call) else None
        at = frame.span(term.place)
        return Autocast(True, None, term.place, at, casts_inputs=True) if casts is not None else None
    found = autocast_of(term, frame)
    return found or _by_wrapper(term, frame)


def _by_wrapper(term: Term, frame: Frame) -> Autocast | None:
    """@mixed, where `def mixed(function)` defines a wrapper that calls the function inside a region."""
    callee = term.callee if isinstance(term, Call) else term
    target = frame.value(callee).of
    if not isinstance(target, Function):
        return None
    outer = frame.evaluator.frame(target, None)
    for wrapper, event in _calls_of_wrapped(outer):
        managers = (region.subject for region in event.regions if region.kind is RegionKind.WITH)
        found = next(filter(None, (autocast_of(one, wrapper) for one in managers)), None)
        if found is not None:
            return replace(found, place=term.place, span=frame.span(term.place))
    return None


def _calls_of_wrapped(outer: Frame, depth: int = 2) -> Iterator[tuple[Frame, Evaluated]]:
    """The calls in nested functions of what an enclosing one was given: function(*args, **kwargs)."""
    for nested in outer.function.nested if depth else ():
        inner = outer.evaluator.nested_frame(nested, outer)
        yield from ((inner, event) for event in _calls_of_captured(nested))
        yield from _calls_of_wrapped(inner, depth - 1)


def _calls_of_captured(function: Function) -> tuple[Evaluated, ...]:
    """The calls of values of the enclosing function; worked out once."""
    known: tuple[Evaluated, ...] | None = function.derived.get("calls of captured")
    if known is None:
        found = (
            event
            for event in function.events
            if isinstance(event, Evaluated) and isinstance(event.term, Call) and isinstance(event.term.callee, Captured)
        )
        known = function.derived["calls of captured"] = tuple(found)
    return known
