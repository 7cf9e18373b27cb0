"""NumPy arrays and scalars: which dtype they have, and so which tensors they become."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from torchlint.knowledge import numpy_results as numpy
from torchlint.model.terms import Call, Constant, Display, Operation, Term
from torchlint.model.values import UNKNOWN, Kind, TensorValue

if TYPE_CHECKING:
    from torchlint.model.evaluation.evaluate import Evaluator
    from torchlint.model.frames import Frame

GENERATOR = "numpy.random.Generator"
# An array of the elements of a Python list: numbers of which no more is known. In a division they become float64.
OF_LIST = "a list"
# What np.arange counts, and what is computed from it: int64 or float64, whatever stands beside it.
COUNTED = "numpy.arange"
_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">=", "comparison"))
_INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool")
_FLOATS = ("float16", "float32", "float64")
_NARROW = frozenset(("int8", "int16", "uint8", "uint16", "bool"))


def array(dtype: str | None, ndim: int | None = None) -> TensorValue:
    """An array, or (ndim 0) a scalar of NumPy."""
    return TensorValue(Kind.ARRAY, dtype=dtype, ndim=ndim)


def of_function(evaluator: Evaluator, name: str, call: Call, frame: Frame) -> TensorValue | None:
    """The result of a function of NumPy, SciPy or scikit-learn by its dotted name; None for any other."""
    head, _, rest = name.partition(".")
    if name in numpy.FLOAT64_FUNCTIONS or name.startswith(numpy.FLOAT64_MODULES):
        return array("float64")
    if head != "numpy":
        return None
    last = rest.rpartition(".")[2]
    values = [evaluator.value(term, frame) for term in call.arguments]
    if rest.startswith("random."):
        return of_random(last, call, values)
    given = call.keyword("dtype")
    if given is not None:
        return array(dtype_of(given, evaluator, frame))
    if last in numpy.FLOAT64:
        # The second argument of zeros and ones is a dtype.
        second = call.arguments[1] if len(call.arguments) > 1 and last in ("zeros", "ones", "empty") else None
        return array(dtype_of(second, evaluator, frame) if second is not None else "float64")
    if last in numpy.FROM_DATA:
        if len(call.arguments) > 1:
            return array(dtype_of(call.arguments[1], evaluator, frame))
        found = of_data(values[0]) if values else array(None)
        # Whoever writes np.array(x) has a list, or an image; of the elements of an array it would be a copy.
        is_list = last == "array" and values[:1] and values[0].kind is Kind.UNKNOWN
        return found.but(made_by=OF_LIST) if is_list else found
    if last in ("float64", "float32", "float16", "double", "single"):
        return array(numpy.named(last), 0)
    if last in ("arange", "full"):
        return _counted(last, values)
    return _computed(last, values, call)


def _counted(name: str, values: list[TensorValue]) -> TensorValue:
    numbers = values if name == "arange" else values[1:2]
    if any(value.kind is Kind.NUMBER and value.dtype == "floating" for value in numbers):
        return array("float64")
    whole = bool(numbers) and all(value.kind is Kind.NUMBER and value.dtype == "integral" for value in numbers)
    is_plain = name == "arange" and all(value.kind in (Kind.NUMBER, Kind.UNKNOWN) for value in numbers)
    return array("int64" if whole else None).but(made_by=COUNTED if is_plain else None)


def _computed(name: str, values: list[TensorValue], call: Call) -> TensorValue:
    ndim = 0 if name in numpy.REDUCTIONS and len(call.inputs) == 1 else None
    if name in numpy.INT64:
        return array(None if name == "bincount" and call.argument(1, "weights") is not None else "int64")
    if name in ("divide", "true_divide", "solve") and len(values) > 1:
        return operated("/", values[:2])
    values = [of_data(value) if value.kind is Kind.CONTAINER else value for value in values]
    first = values[0] if values else UNKNOWN
    if name in numpy.PROMOTING and len(values) > 1:
        return operated("*", values[:2])
    if name == "einsum" and len(values) > 1:
        return operated("*", values[1:])
    if name in numpy.SEVERAL | numpy.SEVERAL_FLOATING:
        return _several(name, values)
    if name == "where" and len(values) == 3:
        return operated("*", values[1:])
    if name in numpy.FLOATING:
        return array(_floated(first), ndim)
    return array(first.dtype if name in numpy.SAME and first.kind is Kind.ARRAY else None, ndim)


def _several(name: str, values: list[TensorValue]) -> TensorValue:
    """The arrays of np.meshgrid(x, y), np.split(x, 2), np.linalg.svd(x)."""
    dtypes = {value.dtype if value.kind is Kind.ARRAY else None for value in values[: None if name in _OF_ALL else 1]}
    dtype = dtypes.pop() if len(dtypes) == 1 else None
    first = values[0] if values else UNKNOWN
    element = array(_floated(first) if name in numpy.SEVERAL_FLOATING else dtype)
    return TensorValue(Kind.CONTAINER, made_by="tuple", element=element)


_OF_ALL = frozenset(("meshgrid", "broadcast_arrays"))


def of_subscript(name: str, index: TensorValue, term: Term) -> TensorValue | None:
    """np.mgrid[0:1:5j], which counts, and np.r_[a, b], which joins; None for what is no such object."""
    if name in numpy.JOINERS:
        return of_data(index)
    if name not in numpy.GRIDS:
        return None
    slices = term.parts if isinstance(term, Display) else (term,)
    bounds = [part for one in slices if isinstance(one, Operation) for part in one.parts]
    written = [one.value for one in bounds if isinstance(one, Constant)]
    if any(isinstance(one, (float, complex)) for one in written):
        return array("float64")
    return array("int64" if len(written) == len(bounds) else None).but(made_by=COUNTED)


def _floated(value: TensorValue) -> str | None:
    """What a root or a mean makes of a dtype."""
    if value.kind is Kind.ARRAY and value.dtype in _FLOATS:
        return value.dtype
    wide = value.kind is Kind.ARRAY and (value.dtype in _INTEGERS or value.made_by in (OF_LIST, COUNTED))
    return "float64" if wide else None


def of_random(name: str, call: Call, values: Sequence[TensorValue]) -> TensorValue:
    """A function of numpy.random, or a method of one of its generators."""
    if name in numpy.GENERATORS:
        return TensorValue(Kind.OTHER, made_by=GENERATOR)
    if call.keyword("dtype") is not None:
        return array(None)
    if name in numpy.RANDOM_FLOAT64:
        sizes = 1 if name in _SIZES_FIRST else 3
        has_size = call.keyword("size") is not None or len(call.arguments) >= sizes
        is_wide = has_size or name in ("dirichlet", "multivariate_normal")
        if is_wide or any(value.kind in (Kind.ARRAY, Kind.CONTAINER) for value in values):
            return array("float64")
        # Without a size they return a float of Python.
        return TensorValue(Kind.NUMBER, dtype="floating")
    if name in ("permutation", "choice") and values:
        return array(
            "int64" if values[0].kind is Kind.NUMBER else values[0].dtype if values[0].kind is Kind.ARRAY else None
        )
    return array("int64" if name in numpy.RANDOM_INT64 else None)


_SIZES_FIRST = frozenset("rand randn random random_sample ranf sample standard_normal standard_exponential".split())


def of_method(evaluator: Evaluator, base: TensorValue, name: str, call: Call, frame: Frame) -> TensorValue:
    """The result of a method of an array."""
    if name in ("astype", "view"):
        given = call.argument(0, "dtype")
        dtype = dtype_of(given, evaluator, frame) if given is not None else None
        return base.but(constant=None, dtype=dtype, made_by=None)
    if name == "item":
        return TensorValue(Kind.NUMBER, dtype="floating" if base.dtype in _FLOATS else None)
    if name == "tolist":
        number = "floating" if base.dtype in _FLOATS else "integral" if base.dtype in _INTEGERS else None
        return TensorValue(Kind.CONTAINER, element=TensorValue(Kind.NUMBER, dtype=number))
    ndim = 0 if name in numpy.REDUCTIONS and not call.inputs else None
    if name in numpy.INT64:
        return array("int64")
    if name in numpy.FLOATING:
        return array(_floated(base), ndim)
    return base.but(constant=None, ndim=ndim)


def of_data(value: TensorValue, depth: int = 4) -> TensorValue:
    """np.array(value): of numbers, of other arrays, of lists of either."""
    if value.kind is Kind.ARRAY:
        return array(value.dtype).but(made_by=COUNTED if value.made_by == COUNTED else None)
    if value.kind is Kind.NUMBER:
        return array({"floating": "float64", "integral": "int64", "bool": "bool"}.get(value.dtype or ""), 0)
    if value.kind is not Kind.CONTAINER or not depth:
        return array(None)
    parts = value.items if value.items else (value.element,) if value.element is not None else ()
    inner = [of_data(part, depth - 1) for part in parts]
    dtypes = [part.dtype for part in inner]
    if "float64" in dtypes:
        return array("float64")
    if not inner or None in dtypes:
        is_plain = all(part.kind in (Kind.UNKNOWN, Kind.NUMBER) for part in parts)
        return array(None).but(made_by=OF_LIST if is_plain else None)
    return array(_wider([dtype for dtype in dtypes if dtype is not None]))


def _wider(dtypes: list[str]) -> str | None:
    floats = [dtype for dtype in dtypes if dtype in _FLOATS]
    if len(set(dtypes)) == 1:
        return dtypes[0]
    if "float64" in floats:
        return "float64"
    if floats and all(dtype in _NARROW or dtype in _FLOATS for dtype in dtypes):
        return max(floats, key=_FLOATS.index)
    if floats:
        return "float64"
    return "int64" if set(dtypes) <= {"int64", "int32", "bool"} else None


def operated(operator: str, parts: list[TensorValue]) -> TensorValue:
    """An operator on arrays and what stands beside them, as NumPy 2 promotes."""
    arrays = [part for part in parts if part.kind is Kind.ARRAY]
    ndim = 0 if all(part.ndim == 0 or part.kind is Kind.NUMBER for part in parts) else None
    if operator in _COMPARISONS:
        return array("bool", ndim)
    known = [part.dtype for part in arrays if part.dtype is not None]
    if "float64" in known:
        return array("float64", ndim)
    is_open = len(known) < len(parts) - sum(part.kind is Kind.NUMBER for part in parts)
    only_lists = all(part.made_by == OF_LIST for part in arrays if part.dtype is None)
    floating = operator == "/" or any(part.kind is Kind.NUMBER and part.dtype == "floating" for part in parts)
    is_counted = any(part.made_by == COUNTED for part in arrays) and set(known) <= {"int64"}
    if is_open and is_counted:
        return array("float64" if floating else None, ndim).but(made_by=COUNTED)
    if is_open:
        others = [part for part in parts if part.kind not in (Kind.ARRAY, Kind.NUMBER)]
        wide = "int64" in known or (only_lists and not others)
        return array("float64" if floating and wide and not set(known) & set(_FLOATS) else None, ndim)
    dtype = _wider([one for one in known if one is not None])
    if floating and dtype in _INTEGERS:
        return array("float64", ndim)
    return array(dtype, ndim)


def dtype_of(term: Term, evaluator: Evaluator, frame: Frame) -> str | None:
    """The dtype that a term means for NumPy: np.float32, "float32", float."""
    if isinstance(term, Constant):
        return numpy.named(term.value) if isinstance(term.value, str) else None
    made_by = evaluator.value(term, frame).made_by or ""
    return numpy.named(made_by) if made_by.startswith(("numpy.", "builtins.")) else None
