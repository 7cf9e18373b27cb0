"""Custom autograd.Functions whose products, kernels or re-run callables do not know whether forward was in a region."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.knowledge.graphs import AUTOGRAD_FUNCTIONS
from torchlint.model.autocast.lower_precision import lower_operation
from torchlint.model.autocast.reach import calls_around, opens_autocast, reaches_unknown, regions_reaching
from torchlint.model.autocast.regions import autocast_in_force, autocasts_around
from torchlint.model.events import Evaluated
from torchlint.model.facts import Function
from torchlint.model.flow.origins import origins, returning
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Display,
    Element,
    Imported,
    Operation,
    Subscript,
    Term,
    children,
    mentions,
)
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_HANDLES = re.compile(r".*(autocast|custom_fwd|custom_bwd|amp_kwargs|amp_args).*")
_CASTS = frozenset("to float half bfloat16 double type type_as".split())
_OF_CONTEXT = frozenset(
    "save_for_backward save_for_forward mark_dirty mark_non_differentiable set_materialize_grads".split()
)
_NO_EXTENSIONS = frozenset(
    """
    torch numpy np math einops scipy functools itertools operator copy time typing warnings logging os sys contextlib
    builtins torchvision random
    """.split()
)
_WEIGHT = re.compile(
    r"(?:^|_)(?:weights?|w\d?|kernel|filters?|bias|embeddings?|table|codebook|params?)(?:$|_|\d)", re.IGNORECASE
)
# Inputs that are integers or settings.
_NO_TENSOR = re.compile(
    r"(?:^|_)(?:pos|position|idx|index|indices|ind|counts?|size|num|n|shapes?|world|len|lengths?|dim|step|strides?|padding"
    r"|dilation|groups?|eps|flag|mode|cfg|config|meta|comm|rank|offsets?|levels?)(?:$|_|\d)",
    re.IGNORECASE,
)
_DEPTH = 2
_REACH = 8


@dataclass(frozen=True, slots=True)
class CustomFunction:
    """A Function without custom_fwd or custom_bwd. kind: "used" where the project opens a region, else "unused".
    operation: the product, kernel or callable that meets two dtypes. missing: the decorators."""

    kind: str
    span: Span
    name: str
    operation: str
    at: Span
    missing: str


def custom_function(frame: Frame) -> CustomFunction | None:
    """What is wrong with the Function of which the frame is the forward method; None for any other function."""
    view = frame.view
    if frame.function.name != "forward" or view is None or frame.function.owner != view.qualname:
        return None
    if not AUTOGRAD_FUNCTIONS.intersection(view.foreign_bases):
        return None
    backward = view.method("backward")
    if backward is None:
        return None
    back = frame.evaluator.frame(backward, view)
    missing = _missing(frame, back)
    if not missing or _handles_itself(frame) or _handles_itself(back):
        return None
    found = _hazard(frame, back)
    uses = list(_uses(view, frame)) if found is not None else []
    if found is None or (uses and all(map(_is_harmless, uses))):
        return None
    term, where, operation, is_certain = found
    kind = "used" if is_certain and _is_used_in_region(uses, frame) else "unused"
    return CustomFunction(kind, view.span, view.name, operation, where.span(term.place), missing)


def _missing(forward: Frame, backward: Frame) -> str:
    """The decorators that are not there; forward with cast_inputs runs in that dtype and needs no more."""
    given = [term for term in forward.function.decorators if _is_called(term, forward, "custom_fwd")]
    if not given:
        return "custom_fwd and custom_bwd"
    casts = isinstance(given[0], Call) and given[0].keyword("cast_inputs") is not None
    has_backward = any(_is_called(term, backward, "custom_bwd") for term in backward.function.decorators)
    return "" if casts or has_backward else "custom_bwd"


def _is_called(term: Term, frame: Frame, name: str) -> bool:
    """True for the decorator itself and for a name or a partial that stands for it."""
    if name in last_name(term) or mentions(term, frozenset({name})):
        return True
    callee = term.callee if isinstance(term, Call) else term
    return any(mentions(origin, frozenset({name})) for origin, _ in origins(callee, frame))


def _handles_itself(frame: Frame) -> bool:
    """True where the method asks about autocast, opens or closes a region, or has a decorator that speaks of it."""
    decorators = (last_name(term) for term in frame.function.decorators)
    names = [*(name for name in decorators if "custom_" not in name), *_evaluated(frame.function)]
    return any(_HANDLES.fullmatch(name) for name in names)


def _evaluated(function: Function) -> list[str]:
    """The last names of what a method evaluates, itself or in functions nested in it."""
    events = (event for one in (function, *function.nested) for event in one.events)
    return [last_name(event.term) for event in events if isinstance(event, Evaluated)]


# What meets two dtypes


def _hazard(forward: Frame, backward: Frame) -> tuple[Term, Frame, str, bool] | None:
    """The operation that meets two dtypes, where it stands, its name, and whether it is certain to meet them."""
    found = _uncast(list(_products(backward, _DEPTH)))
    if found is not None:
        return (*found, True)
    # What backward runs again is no better for casts around it: those inside of it are missing.
    rerun = next(_reruns(backward), None)
    if rerun is not None:
        return rerun, backward, _written(rerun), True
    if not _CASTS.isdisjoint(_evaluated(backward.function)):
        return None
    kernel = next(_kernels(forward, _DEPTH), None) if _takes_two_tensors(forward) and not _casts(forward) else None
    if kernel is not None and next(_kernels(backward, _DEPTH), None) is not None:
        call, where = kernel
        return call, where, _written(call), _takes_weight(forward)
    found = next(_products(forward, 0), None)
    return (*found, False) if found is not None else None


def _products(frame: Frame, depth: int) -> Iterator[tuple[Term, Frame, str]]:
    """The operations of the lower-precision list, here and in helpers that are given nothing that was cast."""
    for event in frame.function.events:
        if not isinstance(event, Evaluated):
            continue
        name = lower_operation(event.term, frame) or _of_convolution(event.term)
        if name is not None:
            yield event.term, frame, name
        elif isinstance(event.term, Call) and depth:
            inner = returning(event.term, frame)
            if inner is not None and not _holds_cast(event.term, frame):
                yield from _products(inner, depth - 1)


def _uncast(products: list[tuple[Term, Frame, str]]) -> tuple[Term, Frame, str] | None:
    """The first of them of which no operand was cast by hand. Beside others that were cast, it must have one that is
    known to be float32: the author may have seen that what it multiplies has one dtype already."""
    bare = [(term, where, name) for term, where, name in products if not _holds_cast(term, where)]
    if len(bare) < len(products):
        bare = [one for one in bare if _is_wide(one[0], one[1], _REACH)]
    return next(iter(bare), None)


def _holds_cast(term: Term, frame: Frame, reach: int = _REACH) -> bool:
    """True where one of the operands was cast; what a product of casts gives is no cast."""
    for part in children(term) if reach else ():
        if isinstance(part, Attribute) and part.name in _CASTS:
            return True
        if lower_operation(part, frame) is None and _holds_cast(part, frame, reach - 1):
            return True
    return False


def _is_wide(term: Term, frame: Frame, reach: int) -> bool:
    """True where an operand is made of something that is float32 whatever the region chose."""
    parts = [part for part in children(term) if isinstance(part, (Attribute, Call, Operation))] if reach else []
    return any(frame.value(part).dtype == "float32" or _is_wide(part, frame, reach - 1) for part in parts)


def _of_convolution(term: Term) -> str | None:
    """torch.nn.grad.conv2d_input(..) and its like, which want one dtype as the convolution does."""
    name = last_name(term) if isinstance(term, Call) and isinstance(term.callee, (Imported, Attribute)) else ""
    return name if re.fullmatch(r"conv[123]d_(?:input|weight)|convolution_backward|cudnn_convolution.*", name) else None


def _reruns(frame: Frame) -> Iterator[Call]:
    """The calls of what forward has put on the context: ctx.run_function(*inputs), also of one in a list. Where the
    result is dropped it is a hook that is called, and nothing is computed again."""
    for event in frame.function.events:
        call = event.term if isinstance(event, Evaluated) else None
        if not isinstance(call, Call) or not call.arguments or not parents_in(frame.function).get(id(call)):
            continue
        callee = call.callee
        if isinstance(callee, (Subscript, Element)):
            callee = callee.base if isinstance(callee, Subscript) else callee.iterable
        base = callee.base if isinstance(callee, Attribute) and callee.name not in _OF_CONTEXT else None
        if isinstance(base, Argument) and base.index == 0:
            yield call


def _kernels(frame: Frame, depth: int) -> Iterator[tuple[Call, Frame]]:
    """The calls of compiled extensions and of triton kernels that get at least two arguments, here and in helpers."""
    for event in frame.function.events:
        call = event.term if isinstance(event, Evaluated) else None
        if not isinstance(call, Call):
            continue
        inner = returning(call, frame) if depth else None
        if inner is not None:
            yield from _kernels(inner, depth - 1)
        elif len(call.arguments) >= 2 and _is_extension(call.callee, frame):
            yield call, frame


def _is_extension(callee: Term, frame: Frame) -> bool:
    if isinstance(callee, Subscript):
        return isinstance(callee.index, Display) or frame.value(callee.base).of is not None
    name = frame.value(callee).made_by or (callee.name if isinstance(callee, Imported) else "")
    if name.startswith("torch.ops."):
        return True
    if isinstance(callee, Attribute) and not name:
        root = callee.base
        while isinstance(root, Attribute):
            root = root.base
        name = root.name if isinstance(root, Imported) else ""
    return bool(name) and "." in name and name.lstrip(".").partition(".")[0] not in _NO_EXTENSIONS


def _casts(frame: Frame) -> bool:
    return any(
        isinstance(event, Evaluated) and isinstance(event.term, Call) and last_name(event.term) in _CASTS
        for event in frame.function.events
    )


def _takes_weight(frame: Frame) -> bool:
    """True where one of the inputs is a weight by its name: autocast lowers the activation beside it only."""
    return any(_WEIGHT.search(parameter.name) for parameter in frame.function.parameters[1:])


def _takes_two_tensors(frame: Frame) -> bool:
    """True where at least two inputs may be floating tensors, by their names."""
    return sum(not _NO_TENSOR.search(one.name) and not one.kind for one in frame.function.parameters[1:]) > 1


def _written(call: Call) -> str:
    callee = call.callee.base if isinstance(call.callee, Subscript) else call.callee
    return last_name(callee) or "a kernel"


# Who uses it


def _is_used_in_region(uses: list[Moment], frame: Frame) -> bool:
    """True where a use stands in a region, or runs in one of a caller. A module may be run by a call of unknown
    meaning, and a Function that is passed on as a value by any."""
    for use in uses:
        around = autocast_in_force(use)
        if around is not None and not around.is_island:
            return True
        if around is None and not autocasts_around(use) and regions_reaching(use.frame):
            return True
    if not uses:
        return opens_autocast(frame)
    in_module = any(use.frame.view is not None and use.frame.view.is_module for use in uses)
    return in_module and reaches_unknown(frame)


def _is_harmless(moment: Moment) -> bool:
    around = next(iter(autocasts_around(moment)), None)
    owner = moment.frame.view
    in_backward = moment.frame.function.name == "backward" and owner is not None
    is_companion = in_backward and bool(owner is not None and AUTOGRAD_FUNCTIONS.intersection(owner.foreign_bases))
    return is_companion or (around is not None and around.is_island)


def _uses(view: ModuleClass, frame: Frame) -> Iterator[Moment]:
    for moment in calls_around(frame.evaluator.project, frame.path, view.name):
        call = moment.event.term  # type: ignore[attr-defined]
        is_use = last_name(call) == "apply" and isinstance(call.callee, Attribute)
        if is_use and moment.frame.value(call.callee.base).of is view:
            yield moment
