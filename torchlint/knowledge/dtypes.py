"""Names of dtypes, and how torch promotes them."""

from __future__ import annotations

_ALIASES = {
    "half": "float16", "float": "float32", "double": "float64", "short": "int16", "int": "int32", "long": "int64",
    "cfloat": "complex64", "cdouble": "complex128", "chalf": "complex32",
}  # fmt: skip
_FLOATS = ("bfloat16", "float16", "float32", "float64")
_INTEGERS = ("bool", "uint8", "int8", "int16", "int32", "int64")
_WIDE_UNSIGNED = ("uint16", "uint32", "uint64")
_EIGHT_BIT_FLOATS = ("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu")
_COMPLEX = ("complex32", "complex64", "complex128")
_COMPLEX_OF = {"float16": "complex32", "bfloat16": "complex64", "float32": "complex64", "float64": "complex128"}
_CATEGORIES = ("integral", "floating", "complex")
NAMES = frozenset((*_FLOATS, *_INTEGERS, *_COMPLEX, *_WIDE_UNSIGNED, *_EIGHT_BIT_FLOATS))
# What integers become beside a Python float, and what factories make: the default dtype, where nobody changes it.
DEFAULT = "float32"
LOW_PRECISION = frozenset(("float16", "bfloat16"))
# Functions that return a dtype.
GIVE_DTYPE = frozenset(
    """
    torch.promote_types torch.result_type torch.get_default_dtype torch.get_autocast_dtype
    torch.get_autocast_gpu_dtype torch.get_autocast_cpu_dtype
    """.split()
)
# What describes a dtype: the limits of its numbers.
LIMITS = frozenset(("torch.finfo", "torch.iinfo"))

_LEGACY = {
    "Tensor": "float32", "FloatTensor": "float32", "HalfTensor": "float16", "DoubleTensor": "float64",
    "BFloat16Tensor": "bfloat16", "LongTensor": "int64", "IntTensor": "int32", "ShortTensor": "int16",
    "CharTensor": "int8", "ByteTensor": "uint8", "BoolTensor": "bool",
}  # fmt: skip


def named(name: str) -> str | None:
    """The dtype that a dotted name of torch stands for: "torch.half" is "float16"; None for any other name."""
    head, _, last = name.rpartition(".")
    if head != "torch":
        return None
    return _ALIASES.get(last) or (last if last in NAMES else None)


def legacy_tensor(name: str) -> str | None:
    """The dtype of a legacy tensor type: "torch.cuda.HalfTensor" is "float16"; torch.Tensor is the default, float32."""
    head, _, last = name.rpartition(".")
    return _LEGACY.get(last) if head in ("torch", "torch.cuda") else None


def category(dtype: str) -> str:
    """ "integral" (bool included), "floating" or "complex", of a dtype or of a category itself."""
    if dtype in _CATEGORIES:
        return dtype
    if dtype.startswith("complex"):
        return "complex"
    return "floating" if "float" in dtype else "integral"


def promote(left: str | None, right: str | None) -> str | None:
    """torch.result_type of two tensors with dimensions; a category where the width is not known; None where nothing is.

    With one side unknown the result is unknown too, since the other may be complex.
    """
    if left is None or right is None:
        return None
    if left == right:
        return left
    lower, higher = sorted((left, right), key=lambda dtype: _CATEGORIES.index(category(dtype)))
    if category(higher) == "complex" and category(lower) == "floating":
        return _complex_beside(lower, higher)
    if category(lower) != category(higher):
        return higher
    return _wider(lower, higher)


def _complex_beside(floating: str, complex_dtype: str) -> str:
    """A complex tensor beside a floating one takes the wider of both precisions."""
    counterpart = _COMPLEX_OF.get(floating)
    return "complex" if counterpart is None else _wider(counterpart, complex_dtype)


def _wider(left: str, right: str) -> str:
    """The dtype that holds both, of two in one category; the category where a width is not known."""
    if {left, right} == {"float16", "bfloat16"}:
        return "float32"
    if {left, right} == {"uint8", "int8"}:
        return "int16"
    for ladder in (_FLOATS, _INTEGERS, _COMPLEX):
        if left in ladder and right in ladder:
            return max(left, right, key=ladder.index)
    return category(left)
