"""How many dimensions a result has, where the sizes stand in the call or come with the operands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from torchlint.model.terms import Attribute, Call, Choice, Constant, Display, Starred, Term
from torchlint.model.values import Kind, TensorValue

_OF_SIZES = frozenset("zeros ones empty rand randn new_zeros new_ones new_empty".split())
_OF_SIZES_FIRST = frozenset(("full", "new_full"))
_VECTORS = frozenset(
    """
    arange range linspace logspace randperm hann_window hamming_window blackman_window bartlett_window kaiser_window
    bincount ravel masked_select parameters_to_vector
    """.split()
)
_MATRICES = frozenset("eye tril_indices triu_indices cdist outer".split())
_OF_DATA = frozenset("tensor as_tensor asarray new_tensor".split())
_ELEMENTWISE = frozenset(
    """
    add sub mul div true_divide floor_divide pow maximum minimum where clamp sqrt rsqrt exp log sin cos tanh sigmoid abs
    floor ceil round trunc frac neg sign relu fmod remainder bernoulli complex polar
    """.split()
)
_RESHAPES = frozenset("view reshape".split())
_DISPLAYS = frozenset(("list", "tuple"))
_NESTING = 4


def of_call(name: str, call: Call, operands: Sequence[TensorValue]) -> int | None:
    """The dimensions of what a function or method of torch returns, by its sizes, its data or its operands."""
    if any(isinstance(term, Starred) for term in call.arguments):
        return None
    last = name.rpartition(".")[2]
    if last in _VECTORS:
        return 1
    if last in _MATRICES:
        return 2
    is_method = name.startswith("Tensor.")
    given = operands[is_method : is_method + len(call.arguments)]
    if last in _OF_SIZES:
        return of_sizes(given) if call.keyword("size") is None else None
    if last in _OF_SIZES_FIRST:
        return of_sizes(given[:1]) if given and call.keyword("size") is None else None
    if last in _OF_DATA:
        return of_data(given[0]) if given else None
    if last in _ELEMENTWISE:
        return of_operands(operands[: is_method + len(call.arguments)])
    return _of_reshaped(last, call, operands, given) if is_method else _of_joined(last, operands)


def of_sizes(given: Sequence[TensorValue]) -> int | None:
    """zeros(2, n) has a dimension for each number, zeros((2, n)) one for each of the tuple."""
    if len(given) == 1:
        size = given[0]
        if size.kind is Kind.CONTAINER:
            return len(size.items) if size.items is not None else None
        return 1 if size.kind is Kind.NUMBER else None
    return len(given) if given and all(one.kind in (Kind.NUMBER, Kind.UNKNOWN) for one in given) else None


def of_legacy(given: Sequence[TensorValue]) -> int | None:
    """torch.Tensor(2, n) has sizes, torch.Tensor([2, n]) data, and torch.Tensor(x.shape) sizes again."""
    if len(given) != 1 or given[0].kind is not Kind.CONTAINER:
        return given[0].ndim if len(given) == 1 and given[0].is_tensor else of_sizes(given)
    return of_data(given[0]) if given[0].made_by in _DISPLAYS else None


def of_data(data: TensorValue, depth: int = _NESTING) -> int | None:
    """One dimension for each list around the numbers; None where it is not certain that they are numbers."""
    if data.kind is Kind.NUMBER:
        return 0
    if data.is_tensor or data.kind is Kind.ARRAY:
        return data.ndim
    if data.kind is not Kind.CONTAINER or not depth:
        return None
    if data.items == ():
        return 1
    part = data.items[0] if data.items else data.element
    inner = of_data(part, depth - 1) if part is not None else None
    return None if inner is None else inner + 1


def of_default(data: Term) -> int | None:
    """The dimensions of a setting by its default, which is taken to have the same form:
    options.get("scale", (1, 2, 3)), scale if scale else (1, 2, 3)."""
    if isinstance(data, Call):
        is_get = isinstance(data.callee, Attribute) and data.callee.name == "get" and len(data.arguments) == 2
        return of_default(data.arguments[1]) if is_get else None
    if isinstance(data, Choice):
        return next((one for one in map(of_default, data.options) if one is not None), None)
    if not isinstance(data, Display) or data.kind == "dict" or not data.parts:
        return None
    return 1 if all(isinstance(one, Constant) for one in data.parts) else None


def of_operands(operands: Iterable[TensorValue]) -> int | None:
    """What broadcasting makes of operands: the most that one has; None where one is not known."""
    known = [0 if one.kind is Kind.NUMBER else one.ndim for one in operands]
    counts = [count for count in known if count is not None]
    return max(counts, default=None) if len(counts) == len(known) else None


def _of_reshaped(last: str, call: Call, operands: Sequence[TensorValue], given: Sequence[TensorValue]) -> int | None:
    """A view by its sizes; unsqueeze() adds a dimension, flatten() leaves one."""
    if last in _RESHAPES:
        return of_sizes(given) if not call.keywords else None
    if last == "flatten":
        return 1 if not call.inputs else None
    if last == "unsqueeze":
        return operands[0].ndim + 1 if operands[0].ndim is not None else None
    return None


def _of_joined(last: str, operands: Sequence[TensorValue]) -> int | None:
    if last not in ("cat", "concat", "concatenate", "stack", "pad_sequence") or not operands:
        return None
    parts = operands[0].items or ((operands[0].element,) if operands[0].element is not None else ())
    counts = {part.ndim for part in parts}
    if len(counts) != 1 or None in counts:
        return None
    (count,) = counts
    return None if count is None else count + (last in ("stack", "pad_sequence"))
