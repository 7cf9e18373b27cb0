"""What comes out of a forward, as values on the CPU or as the text of an error, and how two of them differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from .recipe import Recipe
from .search import to_eval
from .simulated import Placed
from .trace import tensors_in
from .walk import REGISTERED, Reached, walk

TOLERANCE = 1e-4
_TRIED = 12
Output = list[torch.Tensor] | str
Values = dict[str, torch.Tensor]


def said(error: BaseException) -> str:
    """An error as text."""
    return f"{type(error).__name__}: {error}"[:300]


def quietly(action: Callable[[], Any]) -> Any:
    """The result of an action without gradients."""
    with torch.no_grad():
        return action()


def output_of(action: Callable[[], Any]) -> Output:
    """The tensors that come out, or the error as text."""
    try:
        return [plain(one) for one in tensors_in(quietly(action))]
    except Exception as error:
        return said(error)


def error_in(output: Output) -> str:
    """The text of the error, "" where there was none."""
    return output if isinstance(output, str) else ""


def plain(tensor: torch.Tensor) -> torch.Tensor:
    """The values on the CPU, in float64 where they are floating."""
    values = (tensor.values if isinstance(tensor, Placed) else tensor).detach().cpu()
    return values.double() if values.is_floating_point() else values


def is_repeatable(recipe: Recipe) -> bool:
    """True where the same module gives the same output twice: without that a difference says nothing."""
    module = to_eval(recipe.build())
    first, second = (output_of(lambda: recipe.run(module)) for _ in range(2))
    if isinstance(first, str) or isinstance(second, str):
        return False
    return difference(first, second, TOLERANCE) == ""


def difference(expected: list[torch.Tensor], found: list[torch.Tensor], tolerance: float) -> str:
    """How two outputs differ, as text; "" where they agree within the tolerance (relative to the largest value)."""
    if len(expected) != len(found):
        return f"{len(found)} tensors instead of {len(expected)}"
    worst = 0.0
    for one, other in zip(expected, found, strict=True):
        if one.shape != other.shape:
            return f"shape {tuple(other.shape)} instead of {tuple(one.shape)}"
        if not one.numel():
            continue
        if not one.is_floating_point():
            if not torch.equal(one, other):
                return "integer values differ"
            continue
        if not torch.equal(one.isfinite(), other.isfinite()):
            return "some values are not finite"
        gap = (one - other).nan_to_num().abs().max() / (one.nan_to_num().abs().max() + 1e-12)
        worst = max(worst, float(gap))
    return f"by {worst:.2g} of the largest value" if worst > tolerance else ""


def snapshot(module: nn.Module) -> dict[str, tuple[int, int]]:
    """The identities and versions of the plain tensors of a module."""
    return {one.path: (id(one.tensor), one.tensor._version) for one in walk(module) if one.held not in REGISTERED}


def changed(before: dict[str, tuple[int, int]], after: dict[str, tuple[int, int]]) -> list[str]:
    """The paths of the tensors that are new or were written to."""
    return [path for path, seen in after.items() if before.get(path) != seen]


def values_of(module: nn.Module) -> Values:
    """The values of all tensors of a module, as they are now."""
    return {one.path: one.tensor.detach().clone() for one in walk(module)}


def renewed_since(before: Values, module: nn.Module) -> list[str]:
    """The paths of the tensors that have other values than before."""
    after = {one.path: one.tensor for one in walk(module)}
    return [path for path, seen in after.items() if path in before and not _agree(seen, before[path])]


def stale(used: nn.Module, fresh: nn.Module) -> list[str]:
    """The paths at which the two modules hold different values."""
    return [one.path for one, _ in _apart(used, fresh)]


def that_matter(used: nn.Module, fresh: nn.Module, run: Callable[[], Any], found: Output) -> list[str]:
    """Which of the stale tensors change what `run` gives, when each alone is given the value of the fresh module."""
    return [one.path for one, other in _apart(used, fresh)[:_TRIED] if _matters(one.tensor, other.tensor, run, found)]


def _matters(tensor: torch.Tensor, other: torch.Tensor, run: Callable[[], Any], found: Output) -> bool:
    kept = tensor.data
    try:
        tensor.data = other.detach().clone().to(tensor.dtype)
        again = output_of(run)
        tensor.data = kept
    except RuntimeError:
        return False  # a tensor whose memory cannot be changed
    if isinstance(found, str):
        return isinstance(again, list)
    return isinstance(again, list) and difference(found, again, TOLERANCE) != ""


def _apart(used: nn.Module, fresh: nn.Module) -> list[tuple[Reached, Reached]]:
    expected = {one.path: one for one in walk(fresh)}
    pairs = [(one, expected[one.path]) for one in walk(used) if one.path in expected]
    return [(one, other) for one, other in pairs if not _agree(one.tensor, other.tensor)]


def _agree(one: torch.Tensor, other: torch.Tensor) -> bool:
    # Most are the same to the last bit, which is soon seen.
    if one.dtype == other.dtype and one.layout is other.layout is torch.strided and torch.equal(one, other):
        return True
    return difference([plain(other)], [plain(one)], TOLERANCE) == ""
