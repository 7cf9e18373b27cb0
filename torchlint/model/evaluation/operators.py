"""What operators, displays, subscripts and iteration make of values: dtype promotion and elements, as torch does
them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from torchlint.knowledge import dtypes
from torchlint.knowledge.dtypes import DEFAULT, promote
from torchlint.model.devices import placements
from torchlint.model.evaluation import arrays, dimensions
from torchlint.model.evaluation.named_values import is_sequence
from torchlint.model.names.texts import concatenated, percent
from torchlint.model.terms import Constant, Display, Operation, Term
from torchlint.model.values import ABSENT, OTHER, UNKNOWN, Kind, TensorValue, expressions_of, join_all, sources_in
from torchlint.source import Span

_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">=", "ordering", "comparison"))
_AUGMENTED = frozenset(("+=", "-=", "*=", "/=", "//=", "%=", "**=", "@=", "&=", "|=", "^=", "<<=", ">>="))
_ARITHMETIC = frozenset(("+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>"))
_BOOLEANS = frozenset(("not", "in", "not in", "is", "is not"))
# What x.shape and x.size() give: the sizes of all dimensions.
SIZE = "torch.Size"
_DICTS = frozenset(("dict", "vars", "torch.load", "Module.state_dict"))
_NUMBERS = {bool: "bool", int: "integral", float: "floating", complex: "complex"}


def of_constant(value: object) -> TensorValue:
    """A literal."""
    if value is None:
        return TensorValue(Kind.NONE)
    dtype = _NUMBERS.get(type(value))
    if dtype is not None:
        return TensorValue(Kind.NUMBER, dtype=dtype, constant=value)
    return TensorValue(Kind.OTHER, constant=value if isinstance(value, str) else None)


@lru_cache(maxsize=1 << 14)
def of_external(name: str) -> TensorValue:
    """What is known of a name of a library by itself: a dtype, a number, or something to call."""
    dtype = dtypes.named(name)
    if dtype is not None:
        return TensorValue(Kind.OTHER, dtype=dtype, made_by="dtype")
    if name.rpartition(".")[2] in ("pi", "e", "inf", "nan", "tau"):
        return TensorValue(Kind.NUMBER, dtype="floating")
    return TensorValue(Kind.CALLABLE, made_by=name)


def container(
    kind: str, items: tuple[TensorValue, ...] | None, element: TensorValue | None, keys: TensorValue | None = None
) -> TensorValue:
    """A tuple, list, set, dict or generator. items: its elements where each is known. keys: what each key of a dict
    is."""
    values = items or ((element,) if element else ())
    sources = sources_in(values)
    detached = bool(values) and all(value.detached for value in values)
    return TensorValue(
        Kind.CONTAINER, made_by=kind, items=items, element=element, keys=keys, sources=sources, detached=detached
    )


def dictionary(keys: Sequence[TensorValue], values: Sequence[TensorValue]) -> TensorValue:
    """A dict with these keys and values; neither is known of one without any."""
    return container("dict", (), join_all(values) if values else None, join_all(keys) if keys else None)


def applied(operator: str, parts: list[TensorValue], place: Span) -> TensorValue:
    """An operator applied to values."""
    sources = sources_in(parts)
    in_place = operator in _AUGMENTED
    if in_place:
        operator = operator[:-1]
    if operator in ("and", "or"):
        return join_all(parts).but(sources=sources)
    if operator in _BOOLEANS:
        return TensorValue(Kind.NUMBER, dtype="bool", sources=sources)
    if operator == "f-string":
        return concatenated(parts)
    if operator == "await":
        return parts[0]
    if operator in ("grown", "extended"):
        return _grown(parts[0], parts[1] if operator == "grown" else element_of(parts[1]))
    if operator in ("slice", "yield", "enter"):
        return OTHER.but(sources=sources)
    if operator in _ARITHMETIC and any(part is ABSENT for part in parts):
        # What is worked out from a value that is not there yet is not there either.
        return ABSENT
    if not any(part.is_tensor for part in parts):
        return _plain(operator, parts, place).but(sources=sources)
    detached = all(part.detached or part.kind is Kind.NUMBER or part.kind is Kind.NONE for part in parts)
    made = TensorValue(Kind.TENSOR, origin=place, sources=sources, detached=detached, made_by=f"operator.{operator}")
    placed = placements.of_operands(parts[:1] if in_place else parts)
    made = made.but(placed=placed, device=placements.device_of(placed))
    tensors = [part for part in parts if part.is_tensor]
    ndim = dimensions.of_operands(parts) if operator != "@" else None
    if operator in _COMPARISONS:
        return made.but(dtype="bool", cast=place, ndim=ndim, detached=True)
    if operator in ("&", "|", "^", "~", "<<", ">>") and all(part.dtype == "bool" for part in tensors):
        return made.but(dtype="bool", cast=place, ndim=ndim)
    dtype = parts[0].dtype if in_place and parts[0].is_tensor else promoted(parts)
    if operator == "/" and (_is_integral(dtype) or (dtype is None and not any(part.is_complex for part in tensors))):
        # Of what is not known a true division makes floating or complex numbers, and neither is an index.
        return made.but(dtype=DEFAULT if _is_integral(dtype) else "floating", cast=place, ndim=ndim)
    return made.but(dtype=dtype, cast=_birth(dtype, parts, place), ndim=ndim)


def _grown(base: TensorValue, added: TensorValue) -> TensorValue:
    """A list that got another element: no list at all where an object of another kind has a method of that name."""
    if base.kind is not Kind.CONTAINER:
        return base
    element = added if base.element is None else join_all((base.element, added))
    return base.but(items=None, element=element, sources=base.sources | added.sources)


def promoted(parts: list[TensorValue]) -> str | None:
    """The dtype that torch.result_type gives: tensors with dimensions by width, all else (numbers, and tensors without
    dimensions beside others) by category only."""
    tensors = [part for part in parts if part.is_tensor]
    wide = [part for part in tensors if part.ndim != 0] or tensors
    dtype = wide[0].dtype if wide else None
    for part in wide[1:]:
        dtype = promote(dtype, part.dtype)
    for part in parts:
        if all(part is not one for one in wide):
            dtype = _beside(dtype, part)
    return dtype


def _beside(dtype: str | None, part: TensorValue) -> str | None:
    """The dtype of a tensor's result with something that counts by category."""
    if part.is_integral and part.dtype != "bool" and dtype == "bool":
        return "int64" if part.kind is Kind.NUMBER else part.dtype
    if part.kind is Kind.NUMBER and part.dtype in ("integral", "bool"):
        return dtype
    if part.is_floating:
        # A float makes integers floating; a tensor of unknown dtype may be complex: rare, and no index either.
        is_number = part.kind is Kind.NUMBER
        default = DEFAULT if is_number and _is_integral(dtype) else "floating"
        by_category = part.dtype if part.is_tensor else default
        return dtype if dtype is not None and not _is_integral(dtype) else by_category
    if part.is_tensor and part.is_integral:
        return dtype
    if dtype is None or _is_integral(dtype):
        return None
    # A float tensor with an unknown operand stays floating, unless that is complex: rare, and then rules only miss.
    return dtype if dtype.startswith("complex") else "floating"


def _is_integral(dtype: str | None) -> bool:
    return dtype is not None and dtype.startswith(("int", "uint", "bool"))


def _birth(dtype: str | None, parts: list[TensorValue], place: Span) -> Span:
    """Where the result's dtype was decided: at the operand that brought it, else here."""
    if dtype is not None and not _is_integral(dtype):
        return next((part.cast for part in parts if part.is_tensor and part.is_floating and part.cast), place)
    return place


def _plain(operator: str, parts: list[TensorValue], place: Span) -> TensorValue:
    """An operator on numbers, arrays, strings, or on what is not known."""
    kinds = {part.kind for part in parts}
    if kinds <= {Kind.NUMBER}:
        dtypes = {part.dtype for part in parts}
        if operator in _COMPARISONS:
            return TensorValue(Kind.NUMBER, dtype="bool")
        if operator == "/" or "floating" in dtypes:
            return TensorValue(Kind.NUMBER, dtype="floating", cast=place)
        return TensorValue(
            Kind.NUMBER, dtype="integral" if dtypes <= {"integral", "bool"} and operator != "**" else None
        )
    if Kind.ARRAY in kinds:
        return arrays.operated(operator, parts)
    if operator == "/" and kinds <= {Kind.NUMBER, Kind.UNKNOWN}:
        # Numbers and tensors alike are floating then; what is neither does not stand where that matters.
        return TensorValue(Kind.UNKNOWN, dtype="floating", cast=place, made_by="operator./")
    if operator in ("+", "-", "*") and kinds <= {Kind.NUMBER, Kind.UNKNOWN} and (quotient := _quotient(parts)):
        return TensorValue(Kind.UNKNOWN, dtype="floating", cast=quotient.cast, made_by=quotient.made_by)
    if operator == "+" and any(expressions_of(part) for part in parts):
        return concatenated(parts)
    if operator == "%" and isinstance(parts[0].constant, str):
        return percent(parts[0], parts[1])
    if kinds == {Kind.CONTAINER} and operator in ("|", "|=") and all(part.made_by == "dict" for part in parts):
        return parts[0].but(**_together(parts))
    if kinds == {Kind.CONTAINER} and operator == "+":
        return container("list", None, join_all(part.element for part in parts if part.element is not None))
    if Kind.CONTAINER in kinds and operator == "*":
        return next(part for part in parts if part.kind is Kind.CONTAINER).but(items=None)
    if operator in _COMPARISONS:
        # Of what is not known a comparison makes a bool or a mask, and for dtypes these are the same.
        return TensorValue(Kind.UNKNOWN if Kind.UNKNOWN in kinds else Kind.NUMBER, dtype="bool")
    return UNKNOWN


def _quotient(parts: list[TensorValue]) -> TensorValue | None:
    """The part that a true division made of what is not known: what is added to it, it stays floating."""
    return next((part for part in parts if part.made_by == "operator./" and part.kind is Kind.UNKNOWN), None)


def _together(dicts: list[TensorValue]) -> dict[str, TensorValue | None]:
    """The values and keys of several dicts in one."""
    elements = [one.element for one in dicts if one.element is not None]
    keys = [one.keys for one in dicts if one.keys is not None]
    return {"element": join_all(elements) if elements else None, "keys": join_all(keys) if keys else None}


def subscripted(base: TensorValue, index: TensorValue, term: Term) -> TensorValue:
    """`base[index]`."""
    if base.is_tensor:
        placed = base.placed if index.is_tensor or placements.keeps_dimensions(term) else frozenset()
        return base.but(kind=Kind.TENSOR, ndim=_ndim_after(base.ndim, term), items=None, placed=placed)
    if base.kind is Kind.CONTAINER:
        position = index.constant
        items = base.items if is_sequence(base) else None
        if items is not None and isinstance(position, int) and -len(items) <= position < len(items):
            return items[position]
        if isinstance(term, Operation) and term.operator == "slice":
            return base.but(items=_sliced(base, term))
        return held(base)
    if base.kind is Kind.ARRAY:
        return base.but(constant=None)
    if base.kind is Kind.MODULE and base.element is not None:
        is_slice = isinstance(term, Operation) and term.operator == "slice"
        return base if is_slice else held(base)
    if base.kind is Kind.CALLABLE and (array := arrays.of_subscript(base.made_by or "", index, term)) is not None:
        return array
    # model[0] of a Sequential, list or dict of modules: a module of which no more is known.
    found = UNKNOWN.but(sources=base.sources, kind=Kind.MODULE if base.kind is Kind.MODULE else Kind.UNKNOWN)
    return found.but(placed=base.placed) if base.placed and placements.keeps_dimensions(term) else found


def _sliced(base: TensorValue, term: Operation) -> tuple[TensorValue, ...] | None:
    """The items of x[a:b], where the bounds are written as numbers; x.shape[:2] has two, however many x.shape has."""
    written = [part.value for part in term.parts if isinstance(part, Constant)]
    bounds = [bound for bound in written if bound is None or isinstance(bound, int)]
    if len(bounds) < len(term.parts):
        return None
    first, last, step = (*bounds, None, None, None)[:3]
    if base.items is not None and is_sequence(base):
        return base.items[first : last : step or None]
    is_start = not first and last is not None and last > 0 and step is None
    return (held(base),) * (last or 0) if base.made_by == SIZE and is_start else None


def _ndim_after(ndim: int | None, index: Term) -> int | None:
    """The dimensions left after an index, where each part of it is a constant or a slice."""
    if ndim is None:
        return None
    parts = index.parts if isinstance(index, Display) else (index,)
    for part in parts:
        if isinstance(part, Constant) and isinstance(part.value, int) and not isinstance(part.value, bool):
            ndim -= 1
        elif isinstance(part, Constant) and part.value is None:
            ndim += 1
        elif not (isinstance(part, Operation) and part.operator == "slice") and not isinstance(part, Constant):
            return None
    return ndim if ndim >= 0 else None


def element_of(value: TensorValue) -> TensorValue:
    """What iteration over a value gives: of a dict its keys."""
    if value.is_tensor:
        ndim = value.ndim - 1 if value.ndim else None
        return value.but(kind=Kind.TENSOR, ndim=ndim, items=None, placed=frozenset())
    if value.kind is Kind.CONTAINER:
        return (value.keys or OTHER) if value.made_by in _DICTS else held(value)
    if value.kind is Kind.ARRAY:
        return value.but(constant=None, ndim=None)
    if _is_list_of_state(value):
        return held(value)
    return UNKNOWN.but(sources=value.sources)


def _is_list_of_state(value: TensorValue) -> bool:
    """True for a ModuleList or ParameterList of which it is known what each of its parts is."""
    is_list = (value.made_by or "").endswith(("ModuleList", "ParameterList"))
    return value.kind is Kind.MODULE and value.element is not None and is_list


def held(container: TensorValue) -> TensorValue:
    """What a container holds: the elements of a list, the values of a dict."""
    found = container.element if container.element is not None else UNKNOWN
    return found.but(sources=found.sources | container.sources)
