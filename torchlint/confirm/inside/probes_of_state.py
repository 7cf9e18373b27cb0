"""The probe of TL301: a conversion that takes integers, masks and complex numbers along."""

from __future__ import annotations

import re
from typing import Any

import torch

from .line_watch import Ears, LineWatch, Step
from .outcomes import said
from .rehearsal import REHEARSAL
from .scene import Scene, runs, swapped
from .subject import Facts
from .trace import tensors_in

_CAST = re.compile(r"can't be cast")


def converted_state(scene: Scene) -> Facts:
    """Which values of a state are converted at the line, and which of them were no real floating numbers."""
    harm: list[Facts] = []
    raised: list[tuple[Exception, Facts]] = []
    spared: list[str] = []
    named = re.search(r"\b(b?float(?:16|32|64))\b", scene.text)
    wanted = getattr(torch, named[1]) if named else None

    def before(step: Step) -> Any:
        found = [one for one in step.operands if _is_of_state(one)] if step.is_here else []
        spared.extend(str(one.dtype) for one in found if not one.is_floating_point())
        return found

    def after(step: Step, kept: Any, result: Any) -> None:
        made = [
            one for one in tensors_in(result) if one.is_floating_point() and (wanted is None or one.dtype == wanted)
        ]
        first = step.operands[:1]
        if not made or not kept or first[0] is not kept[0] or made[0].shape != first[0].shape:
            return
        if not first[0].is_floating_point() and step.name in _CONVERSIONS:
            harm.append({"operation": step.name, "line": step.line, **_lost(first[0], made[0])})

    def error(step: Step, error: Exception, watch: LineWatch) -> None:
        if step.is_here and _CAST.search(str(error)) and step.operands and _is_of_state(step.operands[0]):
            first = step.operands[0]
            if not first.is_floating_point() and runs(step.func, *swapped(step, first, first.float())):
                raised.append(
                    (error, {"operation": step.name, "line": step.line, "from": str(first.dtype), "error": said(error)})
                )

    REHEARSAL.clear()
    run = scene.watched(Ears(before=before, after=after, raised=error, is_deep=True))
    harm += [one for cause, one in raised if run.came_of(cause)]
    return {**run.facts, "harm": sorted(harm, key=lambda one: not one.get("lost")), "spared": spared[:1]}


_CONVERSIONS = frozenset("half float bfloat16 double to type type_as".split())


def _lost(before: torch.Tensor, after: torch.Tensor) -> Facts:
    """What a conversion did to the values."""
    back = after.detach().to(before.dtype)
    return {
        "from": str(before.dtype),
        "to": str(after.dtype),
        "shape": list(before.shape),
        "lost": not torch.equal(back, before.detach()),
    }


def _is_of_state(tensor: torch.Tensor) -> bool:
    """True for a tensor of a module, or of a state that was asked for or loaded."""
    return any(_memory(tensor) == _memory(one) for one in REHEARSAL.state)


def _memory(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage().data_ptr() if tensor.layout is torch.strided else id(tensor)
