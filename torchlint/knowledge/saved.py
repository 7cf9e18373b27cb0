"""Which operands of an operation autograd keeps for the gradient of another one, as torch 2.13 does it."""

from __future__ import annotations

# By position in the function's form (a method's receiver is the first) and by keyword.
_AT_MOST: dict[str, tuple[tuple[int, str], ...]] = {
    "where": ((0, "condition"),),
    "masked_fill": ((1, "mask"),),
    "masked_select": ((1, "mask"),),
    "take": ((1, "index"),),
    "gather": ((2, "index"),),
    "index_select": ((2, "index"),),
    "scatter": ((2, "index"),),
    "scatter_add": ((2, "index"),),
    "index_add": ((2, "index"),),
    "embedding": ((0, "input"),),
    "lerp": ((2, "weight"),),
    "addmm": ((1, "mat1"), (2, "mat2")),
    "addbmm": ((1, "batch1"), (2, "batch2")),
    "baddbmm": ((1, "batch1"), (2, "batch2")),
    "addmv": ((1, "mat"), (2, "vec")),
    "addr": ((1, "vec1"), (2, "vec2")),
    "addcmul": ((1, "tensor1"), (2, "tensor2")),
    "addcdiv": ((1, "tensor1"), (2, "tensor2")),
    "linear": ((0, "input"), (1, "weight")),
    **dict.fromkeys(
        "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d".split(),
        ((0, "input"), (1, "weight")),
    ),
}
# All of theirs. Sums and differences keep nothing.
_EVERY = frozenset(
    """mul multiply div divide true_divide matmul mm bmm mv dot inner outer einsum bilinear pow float_power cdist
    cosine_similarity atan2 prelu kron tensordot cross layer_norm group_norm rms_norm""".split()
)
SAVING = _EVERY | _AT_MOST.keys()


def is_saved(operation: str, position: int, keyword: str | None = None) -> bool:
    """True where autograd keeps the operand of a function or method of torch, which is given by position (a method's
    receiver is the first) or by keyword."""
    if operation in _EVERY:
        return True
    places = _AT_MOST.get(operation, ())
    return any(keyword == name if keyword is not None else position == index for index, name in places)
