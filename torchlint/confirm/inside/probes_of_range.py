"""The probe of TL302: numbers that the dtype of a tensor cannot hold."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import torch
from torch.utils._pytree import tree_map

from .line_watch import Ears, LineWatch, Step
from .outcomes import said
from .rehearsal import REHEARSAL
from .scene import Run, Scene, result_of, runs
from .subject import Facts
from .trace import tensors_in

_HALVES = (torch.float16, torch.bfloat16)
_OVERFLOW = re.compile(r"without overflow|overflow")


def out_of_range(scene: Scene) -> Facts:
    """What happens at the line where the module and its inputs have the dtype of the finding, and as they are."""
    named = re.search(r"\b(float16|bfloat16)\b", scene.text)
    dtype = getattr(torch, named[1]) if named else torch.float16
    is_by_itself = re.search(r"\((the tensor is|autocast runs)", scene.text) is not None
    return _looked_at(scene, dtype, None if is_by_itself or "adds eps=" in scene.text else dtype)


def _looked_at(scene: Scene, dtype: torch.dtype, converted: torch.dtype | None) -> Facts:
    raised: list[tuple[Exception, Facts]] = []
    seen: list[Facts] = []
    steps = _Steps(scene, dtype, raised, seen)
    REHEARSAL.clear(is_here=scene.lines.is_running)
    run = scene.watched(Ears(before=steps.before, after=steps.after, raised=steps.raised), dtype=converted)
    harm = [one for cause, one in raised if run.came_of(cause)] or seen or list(_of_optimizers(scene, dtype, run))
    return {**run.facts, "harm": harm, "converted": str(converted) if converted else "", "dtypes": sorted(steps.dtypes)}


class _Steps:
    """What is noticed of the operations at the line."""

    def __init__(
        self, scene: Scene, dtype: torch.dtype, raised: list[tuple[Exception, Facts]], seen: list[Facts]
    ) -> None:
        self._text, self._dtype, self._raised, self._seen = scene.text, dtype, raised, seen
        # What an operation of the line makes of zeros, where that is zero, by the tensor that it is instead of.
        self._kept_zero: dict[int, tuple[torch.Tensor, torch.Tensor, Step]] = {}
        self._is_of_range = re.search(r"\braises for\b|becomes an infinity", scene.text) is not None
        self.dtypes: set[str] = set()

    def before(self, step: Step) -> Any:
        """A copy of the arguments in float32, where the operation has to do with the dtype."""
        if not step.is_here or step.is_question or _may_be_of_numbers(step):
            return None
        self.dtypes |= {str(one.dtype) for one in step.operands if one.is_floating_point()}
        self._notice_counter(step)
        is_finite = all(bool(one.isfinite().all()) for one in step.operands if one.dtype == self._dtype)
        has_number = any(abs(one) > torch.finfo(self._dtype).max for one in _numbers((step.args, step.kwargs)))
        is_it = self._is_of_range and is_finite and has_number
        return tree_map(_wide, (step.args, step.kwargs)) if is_it else None

    def after(self, step: Step, wide: Any, result: Any) -> None:
        """An infinity that float32 does not have."""
        if "is zero in" in self._text and not step.is_question:
            self._notice_eps(step, result)
        if wide is None:
            return
        found = result_of(step.func, *wide)
        if isinstance(found, Exception):
            return
        expected = tensors_in(found)
        got = tensors_in((result, (step.args, step.kwargs)))
        if any(_is_infinite_only_here(one, other, self._dtype) for one, other in zip(got, expected, strict=False)):
            self._note(step, "gives an infinity, and in float32 none")

    def raised(self, step: Step, error: Exception, watch: LineWatch) -> None:
        """An error for a number that float32 can hold."""
        if not self._is_of_range:
            return
        if (
            step.is_here
            and _OVERFLOW.search(str(error))
            and runs(step.func, *tree_map(_wide, (step.args, step.kwargs)))
        ):
            self._raised.append((error, {"operation": step.name, "line": step.line, "does": f"raises: {said(error)}"}))

    def _note(self, step: Step, does: str) -> None:
        self._seen.append({"operation": step.name, "line": step.line, "does": does})

    def _notice_eps(self, step: Step, result: Any) -> None:
        """The line makes zero of zeros, where float32 does not, and something then makes what is not finite of that."""
        made = [one for one in tensors_in(result) if one.dtype == self._dtype]
        first = next((self._kept_zero[id(one)] for one in step.operands if id(one) in self._kept_zero), None)
        if not made or (first is None and not step.is_here):
            return
        halved = _first_of(step, lambda one: self._as_zero(one, halved=True))
        widened = _first_of(step, lambda one: self._as_zero(one, halved=False))
        if halved is None or widened is None or halved.shape != widened.shape or not bool(widened.isfinite().all()):
            return
        if not bool(halved.isfinite().all()):
            does = (
                f"keeps nothing away from zero in {self._dtype}: {step.name} makes inf or nan of zeros, unlike float32"
            )
            self._note(first[2] if first else step, does)
        elif bool(((halved == 0) & (widened != 0)).any()):
            self._kept_zero[id(made[0])] = (made[0], widened, first[2] if first else step)

    def _as_zero(self, value: Any, *, halved: bool) -> Any:
        """What stands for an operand where the tensors of the line are zeros."""
        if isinstance(value, torch.dtype):
            return value if halved else _wide(value)
        if not isinstance(value, torch.Tensor) or not value.is_floating_point():
            return value
        if id(value) in self._kept_zero and not halved:
            return self._kept_zero[id(value)][1].clone()
        is_divided = not self._kept_zero or id(value) in self._kept_zero
        like = value.detach() if halved else _wide(value)
        return torch.zeros_like(like) if is_divided else torch.ones_like(like)

    def _notice_counter(self, step: Step) -> None:
        found = re.search(r"counts in \w+ and stops at (\d+)", self._text)
        counters = [one for one in step.operands if one.dtype == self._dtype]
        if not found or not counters or step.name not in ("__iadd__", "add_", "add", "__add__", "__radd__"):
            return
        at_end = torch.full((1,), int(found[1]), dtype=self._dtype)
        if list(_numbers((step.args, step.kwargs))) == [1] and bool((at_end + 1 == at_end).all()):
            self._note(step, f"adds 1 to a counter in {self._dtype}, where {found[1]} + 1 is {found[1]}")


def _may_be_of_numbers(step: Step) -> bool:
    """True where nothing says that a tensor takes part: arithmetic, or what lists can do, with an argument."""
    is_of_lists = step.name == "__setitem__" and not isinstance(step.args[1], (tuple, slice))
    return (
        any(one is step.args[0] for one in step.unsaid) and (step.is_arithmetic or is_of_lists) if step.args else False
    )


def _first_of(step: Step, change: Any) -> torch.Tensor | None:
    found = result_of(step.func, *tree_map(change, (step.args, step.kwargs)))
    return None if isinstance(found, Exception) else next(iter(tensors_in(found[0])), None)


def _numbers(value: Any) -> Iterator[float]:
    """The finite numbers among arguments, those of tensors without dimensions as well."""
    if isinstance(value, bool):
        return
    if isinstance(value, (int, float)) and math.isfinite(value):
        yield value
    elif isinstance(value, torch.Tensor) and value.dim() == 0 and value.dtype in (torch.float32, torch.float64):
        yield from _numbers(value.item())
    elif isinstance(value, (list, tuple, dict)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _numbers(one)


def _wide(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        copied = value.detach().clone()
        return copied.float() if value.dtype in _HALVES else copied
    return torch.float32 if isinstance(value, torch.dtype) and value in _HALVES else value


def _is_infinite_only_here(one: torch.Tensor, other: torch.Tensor, dtype: torch.dtype) -> bool:
    if one.dtype != dtype or one.shape != other.shape or not other.is_floating_point():
        return False
    return bool((one.isinf() & other.isfinite()).any())


def _of_optimizers(scene: Scene, dtype: torch.dtype, run: Run) -> Iterator[Facts]:
    """An optimizer made at the line whose step makes what is no number of a parameter, for a gradient of zero."""
    for optimizer in REHEARSAL.made_here if "adds eps=" in scene.text else ():
        own = [one for group in optimizer.param_groups for one in group["params"]]
        halves = [one for one in own if one.dtype == dtype and bool(one.isfinite().all())]
        for one in halves:
            one.grad = torch.zeros_like(one)
        if halves and not _steps(optimizer):
            return
        if any(not bool(one.isfinite().all()) for one in halves):
            does = f"steps with gradients of zero, and parameters in {dtype} become nan"
            yield {"operation": type(optimizer).__name__, "line": scene.lines.first, "does": does}


def _steps(optimizer: Any) -> bool:
    try:
        optimizer.step()
    except Exception:
        return False
    return True
