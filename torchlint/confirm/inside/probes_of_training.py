"""Probes of TL404 to TL406: training steps with a gradient scaler, run with and without what the finding blames."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import torch

from .line_watch import Ears, Step
from .rehearsal import REHEARSAL
from .scene import Run, Scene
from .subject import Facts

_CASTS = frozenset("to half bfloat16 float double type type_as".split())
_REFUSES = re.compile(r"unscale FP16 gradients")
# What the scaler raises, by what the finding says of its calls.
_PROTOCOL = {
    "next unscale_() raises": r"unscale_\(\) has already been called",
    "its second call raises": r"unscale_\(\) has already been called",
    "the second step() raises": r"step\(\) has already been called",
    "the second step() in the loop raises": r"step\(\) has already been called",
    "the second one raises": r"step\(\) has already been called",
    "is skipped there): it raises": r"No inf checks were recorded",
}
_FAR = 100.0


def half_weights(scene: Scene) -> Facts:
    """The scaler refuses gradients, and does not where the line converts nothing; or the optimizer has half weights."""
    run = _run(scene)
    facts: Facts = {**run.facts, "harm": []}
    if _REFUSES.search(facts["raised"]):
        without = _run(scene, instead=_unconverted(is_deep=True))
        # Another error is a proof only where it comes after the backward pass: before it nothing could be refused.
        if without.error is None or (REHEARSAL.scaled and not _REFUSES.search(str(without.error))):
            facts["harm"] = [
                {
                    "does": f"raises, and does not where line {scene.lines.first} converts nothing",
                    "error": facts["raised"],
                }
            ]
    elif run.error is None and "updates smaller than" in scene.text and run.watch.has_run:
        facts["harm"] = _stepped_in_half(scene)
    return facts


def _stepped_in_half(scene: Scene) -> list[Facts]:
    """What an optimizer had stepped when the call ended, if its parameters are of the dtype of the finding."""
    named = re.search(r"weights are (\w+)", scene.text)
    wanted = getattr(torch, named[1], None) if named else None
    for optimizer in REHEARSAL.optimizers:
        own = [one for group in optimizer.param_groups for one in group["params"]]
        if own and all(one.dtype == wanted for one in own) and any(REHEARSAL.regions):
            return [{"does": f"trains parameters in {wanted} under autocast", "error": ""}]
    return []


def half_loss(scene: Scene) -> Facts:
    """The gradients of the scaled loss are infinite, and finite where the line converts nothing."""
    run = _run(scene)
    facts: Facts = {**run.facts, "harm": [], "went back": bool(REHEARSAL.scaled)}
    if run.error is None and REHEARSAL.scaled and all(REHEARSAL.scaled):
        without = _run(scene, instead=_unconverted(is_deep=False))
        if without.error is None and REHEARSAL.scaled and not any(REHEARSAL.scaled):
            facts["harm"] = [{"skipped": True}]
    return facts


def scaler_protocol(scene: Scene) -> Facts:
    """How far the parameters move with a scaler and with one that is switched off; or what the scaler raises."""
    run = _run(scene)
    facts: Facts = {**run.facts, "harm": []}
    moved = _moved()
    plain = _run(scene, is_scaling=False)
    if plain.error is not None:
        return facts
    if run.error is not None:
        is_it = any(words in scene.text and re.search(text, str(run.error)) for words, text in _PROTOCOL.items())
        if is_it:
            return {**facts, "harm": [{"error": facts["raised"], "ratio": 0.0}]}
    expected = _moved()
    ratio = moved / expected if moved > 0 and expected > 0 else 1.0
    if not run.watch.has_run:
        return facts
    is_clipped = "still carry the loss scale" in scene.text and ratio < 1 / _FAR
    is_raw = "steps with gradients of a loss" in scene.text and ratio > _FAR
    return {**facts, "ratio": ratio, "harm": [{"error": "", "ratio": ratio}] if is_clipped or is_raw else []}


def _run(scene: Scene, *, instead: Callable[[Step], Any] | None = None, is_scaling: bool = True) -> Run:
    REHEARSAL.clear(is_here=scene.lines.is_running, is_scaling=is_scaling)
    is_deep = bool(getattr(instead, "is_deep", False))
    return scene.watched(Ears(instead=instead, is_deep=is_deep) if instead is not None else Ears())


def _unconverted(*, is_deep: bool) -> Callable[[Step], Any]:
    """Casts at the line hand on what they get."""

    def instead(step: Step) -> Any:
        first = step.operands[:1]
        is_cast = step.is_here and step.name in _CASTS and first and first[0].is_floating_point()
        return (lambda: first[0]) if is_cast else None

    instead.is_deep = is_deep  # type: ignore[attr-defined]
    return instead


def _moved() -> float:
    """How far the parameters of all optimizers moved."""
    total = 0.0
    for one, start in REHEARSAL.starts:
        if one.shape == start.shape and one.dtype == start.dtype and bool(one.isfinite().all()):
            total += float((one.detach() - start).double().norm())
    return total
