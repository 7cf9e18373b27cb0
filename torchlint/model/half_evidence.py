"""Whether a tensor may be half when the program runs: by its own dtype, by a conversion of its module, by an autocast
region, or because the code around it is written for any dtype."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.knowledge.dtypes import LOW_PRECISION
from torchlint.knowledge.lookup import returned
from torchlint.model.autocast import autocast_around
from torchlint.model.blanket import cast_target
from torchlint.model.callers import callers_of
from torchlint.model.enumerated import within
from torchlint.model.events import Evaluated, Event
from torchlint.model.frames import Frame, has_self, last_name
from torchlint.model.terms import Argument, Attribute, Call, Captured, Choice, Imported, Operation, Term, mentions
from torchlint.model.values import Kind

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_PRODUCTS = frozenset("matmul bmm baddbmm einsum linear addmm mm".split())
_WIDE = frozenset(("float32", "float64", "bfloat16"))
_KEEPS_DTYPE = ("same", "real", "float", "sum")
_DTYPE_NAME = re.compile(r"(?:.*_)?(?:dtype|precision)")
_MODEL_NAME = re.compile(r".*(?:model|net|module|encoder|decoder|unet|vae|clip|transformer|generator|backbone).*", re.I)
_ASKS = frozenset("dtype is_autocast_enabled fp16 use_fp16 half use_half is_half float16 amp use_amp bf16".split())
_NO_TENSORS = frozenset((Kind.NUMBER, Kind.CONTAINER, Kind.ARRAY, Kind.OTHER, Kind.MODULE, Kind.CALLABLE, Kind.OBJECT))


def exact_half(term: Term, frame: Frame, depth: int = 4) -> str | None:
    """float16 or bfloat16 where the dtype of a value is known to be that."""
    value = frame.value(term)
    if value.kind in _NO_TENSORS:
        return None
    if value.dtype in LOW_PRECISION:
        return value.dtype
    callee = term.callee if isinstance(term, Call) else None
    if value.dtype is not None or not isinstance(callee, Attribute) or not depth:
        return None
    # A method such as sum() may be one of another type, but not on what is known to be half.
    keeps = returned(f"Tensor.{callee.name}") in _KEEPS_DTYPE
    return exact_half(callee.base, frame, depth - 1) if keeps else None


def follows_caller(term: Term, frame: Frame) -> bool:
    """True where the dtype of a tensor is that of what the function or module is given: no code fixes it."""
    value = frame.value(term)
    if value.kind in _NO_TENSORS or value.is_integral or value.is_complex:
        return False
    if value.dtype not in (None, "floating") or _is_of_wide_range(term, frame):
        return False
    return not (isinstance(term, Argument) and _is_widened_by_callers(term, frame))


def _is_widened_by_callers(term: Argument, frame: Frame) -> bool:
    """True for a parameter for which every caller passes what has a float32 tensor in it: that is the greater dtype."""
    if has_self(frame.function) or frame.outer is not None:
        return False
    calls = [moment.event.term for moment in callers_of(frame) if isinstance(moment.event, Evaluated)]
    given = [call.argument(term.index, term.name) for call in calls if isinstance(call, Call)]
    return bool(given) and all(one is not None and any(map(_is_wide, within(one, 60))) for one in given)


def _is_wide(term: Term) -> bool:
    if not isinstance(term, Call):
        return False
    is_cast = isinstance(term.callee, Attribute) and not term.inputs and term.callee.name in ("float", "double")
    return is_cast or any(_is_named(given, ("torch.float32", "torch.float64")) for given in term.inputs)


def _is_of_wide_range(term: Term, frame: Frame) -> bool:
    """True where branches leave a tensor, or the one whose dtype it takes, in dtypes that are known and not float16."""
    given = term.keyword("dtype") if isinstance(term, Call) else None
    root = given.base if isinstance(given, Attribute) and given.name == "dtype" else term
    dtypes = {frame.value(option).dtype for option in root.options} if isinstance(root, Choice) else set()
    return bool(dtypes) and dtypes <= _WIDE


def asks_dtype(event: Event) -> bool:
    """True where a test of the dtype, or of a flag for half, decides whether the code runs."""
    return any(mentions(guard.subject, _ASKS) for guard in event.guards())


def half_of(frame: Frame, operand: Term, event: Event) -> tuple[str, str] | None:
    """How the tensors of a function come to be half, as (dtype, reason); None without evidence in the program."""
    if frame.view is not None:
        dtype = converted_to(frame.view)
        if dtype is not None:
            return dtype, "the module is converted to half"
    region = autocast_around(event, frame, frame.evaluator)
    if region is not None:
        is_half = not region.is_island and region.dtype in (None, "float16") and _is_lowered(operand, frame)
        return ("float16", "autocast runs the operation before in float16") if is_half else None
    expected = written_for(frame)
    if expected is not None:
        return expected, "the code around is written for any dtype"
    if frame.view is not None and frame.view.is_module and _converts_models(frame):
        return "float16", "the program converts its model to half"
    return None


def _is_lowered(term: Term, frame: Frame) -> bool:
    """True where a matrix product, which autocast runs in lower precision, makes the tensor."""
    return any(
        (isinstance(one, Operation) and one.operator == "@") or (isinstance(one, Call) and last_name(one) in _PRODUCTS)
        for one in within(term, 60)
    )


def converted_to(view: ModuleClass) -> str | None:
    """float16 or bfloat16 where the project converts objects of a class, or of what holds one, to that."""
    for one in view.project.conversions.of(view):
        dtype = cast_target(one.call, one.frame)
        if dtype in LOW_PRECISION:
            return dtype
    return None


def written_for(frame: Frame) -> str | None:
    """The lower dtype that the file around expects: float16 where it reads the dtype of one tensor to convert, fill or
    make another, or names half; bfloat16 where it names only that; None where everything is float32."""
    project = frame.evaluator.project
    top = project.top_of(frame.method)
    if "written for" not in top.derived:
        frames = list(project.functions_in(frame.path)) if project.was_passed(frame.path) else [frame]
        found = {
            _expected(event.term) for one in frames for event in one.function.events if isinstance(event, Evaluated)
        }
        top.derived["written for"] = next((dtype for dtype in ("float16", "bfloat16") if dtype in found), None)
    expected: str | None = top.derived["written for"]
    return expected


def _expected(term: Term) -> str | None:
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
    return "float16" if name == "type_as" and len(term.inputs) == 1 else None


def is_open_dtype(term: Term) -> bool:
    """True for x.dtype, and for a parameter called dtype."""
    if isinstance(term, Attribute) and term.name == "dtype":
        return not (isinstance(term.base, Attribute) and term.base.name.isupper())
    while isinstance(term, Captured):
        term = term.value
    return isinstance(term, (Argument, Attribute)) and _DTYPE_NAME.fullmatch(term.name) is not None


def _is_named(term: Term, names: tuple[str, ...]) -> bool:
    return isinstance(term, Imported) and term.name in names


def follows_dtype(term: Term, frame: Frame) -> bool:
    """True where a tensor is converted to an open dtype: mask.to(dtype=x.dtype), mask.type_as(x)."""
    return any(
        isinstance(one, Call)
        and isinstance(one.callee, Attribute)
        and (
            (one.callee.name in ("to", "type") and any(is_open_dtype(given) for given in one.inputs))
            or (one.callee.name == "type_as")
        )
        for one in within(term, 60)
    )


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
    return value.kind is Kind.UNKNOWN and bool(_MODEL_NAME.fullmatch(getattr(base, "name", "")))
