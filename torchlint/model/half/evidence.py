"""Whether a tensor may be half when the program runs: by its own dtype, by a conversion of its module, by an autocast
region, or because the code around it is written for any dtype."""

from __future__ import annotations

import re

from torchlint.knowledge.dtypes import LOW_PRECISION
from torchlint.knowledge.lookup import is_view, returned
from torchlint.model.autocast.regions import autocast_around
from torchlint.model.dtypes.network_dtypes import converted_to as network_dtype
from torchlint.model.events import Evaluated, Event
from torchlint.model.flow.callers import callers_of
from torchlint.model.flow.networks import network_run
from torchlint.model.frames import Frame, has_self, last_name
from torchlint.model.half.networks import names_network
from torchlint.model.half.types import is_open_dtype
from torchlint.model.half.wide import KEEPS_DTYPE, PROMOTES, STAYS_WIDE, is_of_wide_range, keeps_dtype, stays_wide
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Constant,
    Imported,
    Operation,
    Subscript,
    Term,
    mentions,
)
from torchlint.model.values import Kind
from torchlint.model.weights.enumerated import within

_PRODUCTS = frozenset("matmul bmm baddbmm einsum linear addmm mm".split())
_SIZED = frozenset("range arange linspace zeros ones empty eye randn rand randint".split())
_PLACE = re.compile(r"dev|cuda|gpu|rank|cpu|place|where", re.I)
_ASKS = frozenset("dtype is_autocast_enabled fp16 use_fp16 half use_half is_half float16 amp use_amp bf16".split())
_NO_TENSORS = frozenset((Kind.NUMBER, Kind.CONTAINER, Kind.ARRAY, Kind.OTHER, Kind.MODULE, Kind.CALLABLE, Kind.OBJECT))


def exact_half(term: Term, frame: Frame, depth: int = 4) -> str | None:
    """float16 or bfloat16 where the dtype of a value is known to be that."""
    value = frame.value(term)
    if value.kind in _NO_TENSORS:
        return None
    if value.dtype in LOW_PRECISION:
        return value.dtype
    if value.dtype not in (None, "floating") or not depth:
        return None
    if isinstance(term, Operation) and term.operator in PROMOTES:
        tensors = [part for part in term.parts if not _is_number(part, frame)]
        return exact_half(tensors[0], frame, depth - 1) if len(tensors) == 1 else None
    if isinstance(term, Argument):
        return _given_in_half(term, frame)
    if not isinstance(term, Call):
        return None
    if (network := network_run(term, frame)) is not None:
        return _low(network_dtype(network, frame))
    if not isinstance(term.callee, Attribute):
        return None
    callee = term.callee
    # A method such as sum() may be one of another type, but not on what is known to be half.
    rule = returned(f"Tensor.{callee.name}")
    keeps = rule in KEEPS_DTYPE or (rule in STAYS_WIDE and all(_is_number(one, frame) for one in term.inputs))
    return exact_half(callee.base, frame, depth - 1) if keeps else None


def _low(dtype: str | None) -> str | None:
    return dtype if dtype in LOW_PRECISION else None


def _given_in_half(term: Argument, frame: Frame) -> str | None:
    """The lower dtype in which some caller of a function of the file gives a parameter."""
    if has_self(frame.function) or frame.outer is not None or not _speaks_of_half(frame):
        return None
    for moment in callers_of(frame):
        call = moment.event.term if isinstance(moment.event, Evaluated) else None
        given = call.argument(term.index, term.name) if isinstance(call, Call) else None
        found = exact_half(given, moment.frame, 3) if given is not None and not isinstance(given, Argument) else None
        if found is not None:
            return found
    return None


def _speaks_of_half(frame: Frame) -> bool:
    """False where no file of the project says half or float16 in any form."""
    project = frame.evaluator.project
    return any(project.files_around(frame.path, word) for word in (b"half", b"float16"))


def _is_number(term: Term, frame: Frame) -> bool:
    """True for a Python number, a parameter among them that is the size of something: torch.arange(width)."""
    if isinstance(term, Constant) or frame.value(term).kind is Kind.NUMBER:
        return True
    sizes = (one for call in frame.function.calls if last_name(call) in _SIZED for one in call.arguments)
    return isinstance(term, Argument) and any(isinstance(one, Argument) and one.index == term.index for one in sizes)


def follows_caller(term: Term, frame: Frame) -> bool:
    """True where the dtype of a tensor is that of what the function or module is given: no code fixes it."""
    value = frame.value(term)
    if value.kind in _NO_TENSORS or value.is_integral or value.is_complex:
        return False
    if value.dtype not in (None, "floating") and not _is_of_state(term, frame):
        return False
    return not is_of_wide_range(term, frame) and not stays_wide(term, frame)


def _is_of_state(term: Term, frame: Frame, depth: int = 6) -> bool:
    """True for what is computed from parameters and floating buffers alone: it has their dtype, whatever they were made
    as."""
    if not depth:
        return False
    if isinstance(term, Attribute):
        value = frame.value(term)
        return value.kind in (Kind.PARAMETER, Kind.BUFFER) and value.is_floating
    if isinstance(term, Operation) and term.operator in PROMOTES:
        return all(_is_number(part, frame) or _is_of_state(part, frame, depth - 1) for part in term.parts)
    if isinstance(term, Subscript):
        return _is_of_state(term.base, frame, depth - 1)
    if not isinstance(term, Call):
        return False
    if isinstance(term.callee, Attribute):
        keeps = is_view(term.callee.name) or keeps_dtype(f"Tensor.{term.callee.name}")
        return keeps and _is_of_state(term.callee.base, frame, depth - 1)
    keeps = isinstance(term.callee, Imported) and keeps_dtype(term.callee.name)
    return keeps and bool(term.arguments) and _is_of_state(term.arguments[0], frame, depth - 1)


def asks_dtype(event: Event) -> bool:
    """True where a test of the dtype, or of a flag for half, decides whether the code runs."""
    return any(mentions(guard.subject, _ASKS) for guard in event.guards())


def half_of(frame: Frame, operand: Term, event: Event) -> tuple[str, str] | None:
    """How the tensors of a function come to be half, as (dtype, reason); None without evidence in the program."""
    halved = runs_in_half(frame)
    if halved is not None:
        return halved
    region = autocast_around(event, frame, frame.evaluator)
    if region is not None:
        is_half = not region.is_island and region.dtype in (None, "float16") and _is_lowered(operand)
        return ("float16", "autocast runs the operation before in float16") if is_half else None
    expected = written_for(frame)
    if expected is not None:
        return expected, "the code around is written for any dtype"
    if frame.view is not None and frame.view.is_module and _converts_models(frame):
        return "float16", "the program converts its model to half"
    return None


def _is_lowered(term: Term) -> bool:
    """True where a matrix product, which autocast runs in lower precision, makes the tensor."""
    return any(
        (isinstance(one, Operation) and one.operator == "@") or (isinstance(one, Call) and last_name(one) in _PRODUCTS)
        for one in within(term, 60)
    )


def runs_in_half(frame: Frame) -> tuple[str, str] | None:
    """The lower dtype of a network that the project converts and that a function may run in, and the reason."""
    dtype = frame.evaluator.project.conversions.to_half.of(frame)
    if dtype is None:
        return None
    return dtype, "the module is converted to half" if frame.view is not None else "a network is converted to half"


def written_for(frame: Frame) -> str | None:
    """The lower dtype that the file around expects: float16 where it reads the dtype of one tensor to convert, fill or
    make another, or names half; bfloat16 where it names only that; None where everything is float32."""
    project = frame.evaluator.project
    top = project.top_of(frame.method)
    if "written for" not in top.derived:
        frames = list(project.functions_in(frame.path)) if project.was_passed(frame.path) else [frame]
        found = {
            _expected(event.term, one)
            for one in frames
            for event in one.function.events
            if isinstance(event, Evaluated)
        }
        top.derived["written for"] = next((dtype for dtype in ("float16", "bfloat16") if dtype in found), None)
    expected: str | None = top.derived["written for"]
    return expected


def _expected(term: Term, frame: Frame) -> str | None:
    """The lower dtype that a call speaks of: finfo(x.dtype), y.to(x.dtype), y.type_as(x), y.to(dtype) with a parameter
    of that name, y.half(), and what names the dtype."""
    if not isinstance(term, Call):
        return None
    name = last_name(term)
    if name in ("finfo", "to", "type"):
        if any(is_open_dtype(given) or _is_named(given, ("torch.half", "torch.float16")) for given in term.inputs):
            return "float16"
        return "bfloat16" if any(_is_named(given, ("torch.bfloat16",)) for given in term.inputs) else None
    if name in ("half", "bfloat16"):
        is_cast = isinstance(term.callee, Attribute) and not term.inputs
        return ("float16" if name == "half" else name) if is_cast else None
    return "float16" if name == "type_as" and len(term.inputs) == 1 and not _is_of_integers(term, frame) else None


def _is_of_integers(call: Call, frame: Frame) -> bool:
    """True for torch.arange(n).type_as(lengths): whole numbers that are given the type of what may be others."""
    is_whole = isinstance(call.callee, Attribute) and frame.value(call.callee.base).is_integral
    return is_whole and not frame.value(call.inputs[0]).is_floating


def _is_named(term: Term, names: tuple[str, ...]) -> bool:
    return isinstance(term, Imported) and term.name in names


def follows_dtype(term: Term, frame: Frame) -> bool:
    """True where a tensor has an open dtype: mask.to(dtype=x.dtype), mask.type_as(x), mask.to(x), ones_like(x)."""
    return any(isinstance(one, Call) and _takes_dtype(one, frame) for one in within(term, 60))


def _takes_dtype(call: Call, frame: Frame) -> bool:
    name = last_name(call)
    if not isinstance(call.callee, Attribute):
        is_like = name in ("ones_like", "full_like") and bool(call.arguments)
        return is_like and call.keyword("dtype") is None and not stays_wide(call.arguments[0], frame)
    if name in ("to", "type"):
        return any(is_open_dtype(given) or _is_tensor_name(given) for given in call.inputs)
    return name in ("type_as", "new_ones", "new_full")


def _is_tensor_name(term: Term) -> bool:
    """True for a parameter or attribute that is no device by its name."""
    return isinstance(term, Argument) and not _PLACE.search(term.name)


def _converts_models(frame: Frame) -> bool:
    """True where a file of the project calls model.half() and runs no autocast that would have made it needless."""
    project = frame.evaluator.project
    top = project.top_of(frame.method)
    known: bool | None = top.derived.get("converts models")
    if known is None:
        known = top.derived["converts models"] = any(
            isinstance(event, Evaluated) and isinstance(event.term, Call) and _is_model_half(event.term, one)
            for path in project.looked_into(frame.path, project.files_around(frame.path, b".half()"))
            if project.was_passed(path)
            for one in project.functions_in(path)
            for event in one.function.events
        )
    return known


def _is_model_half(call: Call, frame: Frame) -> bool:
    callee = call.callee
    if not isinstance(callee, Attribute) or callee.name != "half" or call.inputs:
        return False
    value = frame.value(callee.base)
    if value.kind is Kind.MODULE:
        return True
    base = callee.base.value if isinstance(callee.base, Captured) else callee.base
    return value.kind is Kind.UNKNOWN and names_network(getattr(base, "name", ""))
