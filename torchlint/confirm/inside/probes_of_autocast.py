"""Probes of TL401 and TL402: casts by hand and backward passes inside an autocast region."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import torch

from .line_watch import Ears, LineWatch, Step
from .outcomes import said
from .rehearsal import REHEARSAL, is_autocast, region_dtype
from .scene import Run, Scene, result_of, runs, swapped
from .subject import Facts
from .trace import tensors_in

_CASTS = frozenset("to half bfloat16 float double type type_as".split())
_VIEWS = frozenset(
    """
    __getitem__ view reshape transpose permute t unsqueeze squeeze expand expand_as flatten contiguous movedim swapaxes
    unbind chunk split narrow select
    """.split()
)
_LOW = (torch.float16, torch.bfloat16)


def cast_in_region(scene: Scene) -> Facts:
    """What the casts at the line convert, and what becomes of their results."""
    casts = _Casts(scene)
    run = scene.watched(Ears(before=casts.before, after=casts.after, raised=casts.raised))
    harm = [*casts.harm, *(one for cause, one in casts.errors if run.came_of(cause))]
    return {
        **run.facts,
        "harm": harm,
        "lowered": casts.lowered,
        "honoured": casts.honoured,
        "outside": casts.outside,
        "straight": scene.is_straight,
    }


@dataclass(frozen=True)
class _Again:
    """What an operation in place would have given without the casts. results: as those of result_of()."""

    results: list[Any]


class _Casts:
    """The casts at a line, and the operations that get their results or views of them."""

    def __init__(self, scene: Scene) -> None:
        found = re.search(r"cast to (\w+)", scene.text)
        self._wanted = getattr(torch, found[1], None) if found else None
        self._is_narrow = "overrides the dtype" in scene.text
        # `x.to(y.dtype)` follows another tensor, whatever dtype that has.
        self._follows = re.search(r"\.dtype\b|type_as", scene.source) is not None
        self._chain: dict[int, torch.Tensor] = {}
        self._originals: dict[int, torch.Tensor] = {}
        self._is_like_uncast: list[bool] = []
        self._narrowed: list[Facts] = []
        self.errors: list[tuple[Exception, Facts]] = []
        self.lowered: list[Facts] = []
        self.honoured: list[str] = []
        self.outside = 0

    def before(self, step: Step) -> Any:
        """Whether the step is a cast at the line, of a floating tensor, inside a region; the region's dtype."""
        first = step.operands[:1]
        if is_in_place(step) and any(id(one) in self._originals for one in step.operands):
            return _Again([self._uncast(step, one) for one in step.operands if id(one) in self._originals])
        if not step.is_here or step.name not in _CASTS or not first or not first[0].is_floating_point():
            return None
        if isinstance(first[0], torch.nn.Parameter):
            return None  # a module is converted, not a value
        if not is_autocast():
            self.outside += 1
            return None
        return first[0]

    def after(self, step: Step, kept: Any, result: Any) -> None:
        if isinstance(kept, _Again):
            self._consume(step, result, kept)
        elif kept is not None and isinstance(result, torch.Tensor) and result.dtype == self._wanted:
            self._cast(step, kept, result)
        elif step.name in _VIEWS and step.operands and id(step.operands[0]) in self._chain:
            self._chain.update((id(one), one) for one in tensors_in(result))
        elif not step.is_question and any(id(one) in self._chain for one in step.operands):
            self._consume(step, result)

    def raised(self, step: Step, error: Exception, watch: LineWatch) -> None:
        """An operation that raises for the dtype of the cast, and runs in the dtype of the region or in float32."""
        for one in step.operands:
            others = (region_dtype(), torch.float32)
            if id(one) in self._chain and any(runs(step.func, *swapped(step, one, one.to(other))) for other in others):
                self.errors.append((error, {"operation": step.name, "line": step.line, "error": said(error)}))
                return

    def _cast(self, step: Step, before: torch.Tensor, result: torch.Tensor) -> None:
        if self._follows and not self._is_narrow and self._wanted is torch.float32:
            return
        self._chain[id(result)] = result
        if self._is_narrow and not self._follows and before.dtype != result.dtype and result.dtype in _LOW:
            self._originals[id(result)] = before
            self._narrowed.append(
                {"line": step.line, "from": str(before.dtype), "to": str(result.dtype), "region": str(region_dtype())}
            )

    @property
    def harm(self) -> list[Facts]:
        """The casts that narrow, unless all that gets their results computes the same without them."""
        return [] if self._is_like_uncast and all(self._is_like_uncast) else self._narrowed

    def _consume(self, step: Step, result: Any, again: _Again | None = None) -> None:
        """What an operation makes of the result of a cast."""
        made = [one for one in tensors_in(result) if one.is_floating_point()]
        if not made or step.name in _CASTS or step.name.startswith("__set"):
            return
        mine = [one for one in step.operands if id(one) in self._originals]
        for other in again.results if again is not None else [self._uncast(step, one) for one in mine]:
            self._compare(other, made[0])
        if is_autocast() and made[0].dtype in _LOW and self._wanted is torch.float32:
            with torch.autocast("cpu", enabled=False):
                honest = result_of(step.func, step.args, step.kwargs)
            wide = [] if isinstance(honest, Exception) else tensors_in(honest[0])
            if wide and wide[0].dtype == torch.float32:
                self.lowered.append({"operation": step.name, "line": step.line, "dtype": str(made[0].dtype)})
                return
        self.honoured.append(step.name)

    def _uncast(self, step: Step, operand: torch.Tensor) -> Any:
        """What an operation gives with what was cast instead of the result of the cast."""
        return result_of(step.func, *swapped(step, operand, self._originals[id(operand)]))

    def _compare(self, again: Any, made: torch.Tensor) -> None:
        same = [] if isinstance(again, Exception) else tensors_in(again[0])
        self._is_like_uncast.append(bool(same) and same[0].dtype == made.dtype and torch.equal(same[0], made.detach()))


def is_in_place(step: Step) -> bool:
    """True for an operation that writes into its first operand: it can only be done again before it is done."""
    name = step.name
    return name.startswith("__i") or (name.endswith("_") and not name.endswith("__"))


# TL402


def backward_in_region(scene: Scene) -> Facts:
    """Whether a region is open when the line goes back, and whether the gradients are others without it."""
    gradients: list[list[torch.Tensor]] = []
    facts: Facts = {}
    for stays_out in (False, False, True) if "an island keeps" in scene.text else (False,):
        REHEARSAL.clear(is_here=scene.lines.is_running, stays_out=stays_out)
        run = scene.watched(Ears())
        facts = facts or {**run.facts, "harm": [], "regions": list(REHEARSAL.backward)}
        gradients.append(_gradients(run))
    if facts["raised"] or not any(facts["regions"]):
        return facts
    if len(gradients) == 1:
        return {**facts, "harm": [{"differ": False}]}
    first, again, out = gradients
    is_same, differ = not _differ(first, again), _differ(first, out)
    return {**facts, "harm": [{"differ": True}] if is_same and differ else []}


def _gradients(run: Run) -> list[torch.Tensor]:
    found = [
        *run.parameters(),
        *(one for each in REHEARSAL.optimizers for group in each.param_groups for one in group["params"]),
    ]
    return [part.detach().clone() for one in found for part in (one, one.grad) if part is not None]


def _differ(one: list[torch.Tensor], other: list[torch.Tensor]) -> bool:
    return len(one) == len(other) and any(not torch.equal(a, b) for a, b in zip(one, other, strict=True))
