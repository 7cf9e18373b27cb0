"""The protocol of a GradScaler: scale, unscale_ before gradients are touched, step, update; and what breaks it."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.events import Evaluated
from torchlint.model.flow.branches import implies
from torchlint.model.flow.callers import callers_of
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import Call
from torchlint.model.training.acts import Act, ActKind, training_acts
from torchlint.model.training.compared_acts import acts_of, calls_by, is_of_a_rival, share_loops, tests_added
from torchlint.model.training.hooks_that_clip import clippings_of_a_hook
from torchlint.model.training.rounds import is_of_a_round
from torchlint.model.training.scaler_breaks import Break, found, seen_beside
from torchlint.model.training.scaler_updates import never_updated, skipped, updated_alone
from torchlint.model.weights.aliases import function_called
from torchlint.source import Span


def breaks(frame: Frame) -> Iterator[Break]:
    """The calls of a function, and of the helpers that it calls, that break the protocol of a scaler."""
    acts = training_acts(frame)
    kinds = {act.kind for act in acts}
    if not kinds & {ActKind.SCALED, ActKind.STEP, ActKind.UNSCALE}:
        yield from _clipped_for_a_trainer(frame)
        return
    raw = list(_raw_steps(acts))
    yield from _clipped(acts, frame)
    yield from raw
    yield from _stepped_twice(acts, {one.span for one in raw})
    left_out = list(skipped(acts))
    yield from left_out
    # One update that is left out is told once.
    told = {one.span for one in left_out if one.kind == "skipped"}
    yield from (one for one in never_updated(acts, frame) if one.kind != "missed" or one.other not in told)
    if not raw:
        yield from updated_alone(acts)


# Gradients that are still scaled


def _clipped(acts: tuple[Act, ...], frame: Frame) -> Iterator[Break]:
    """(a) Clipping of gradients that still carry the scale, before the scaler's step."""
    for clip, cause, step in _clipped_at(acts, frame):
        yield seen_beside("clip", clip, (cause, step))


def _clipped_at(acts: tuple[Act, ...], frame: Frame) -> Iterator[tuple[Act, Act, Act]]:
    """The clippings of scaled gradients, each with the act that says that they are scaled, and the scaler's step."""
    for position, clip in enumerate(acts):
        if clip.kind is not ActKind.CLIP:
            continue
        for step in acts[position + 1 :]:
            if step.kind is ActKind.STEP and step.may_meet(clip) and share_loops(clip, step):
                cause = _scaled_at(acts, position, step, frame)
                if cause is not None:
                    yield clip, cause, step
                    break


def _clipped_for_a_trainer(frame: Frame) -> Iterator[Break]:
    """(a) Clipping in a method that the trainer, an object of another class, calls between the backward pass that it
    scales and the scaler's step."""
    clippings = clippings_of_a_hook(frame)
    if not clippings:
        return
    causes: list[Act] = []
    for caller in callers_of(frame):
        call = caller.event.term if isinstance(caller.event, Evaluated) else None
        acts = training_acts(caller.frame, call)
        if not isinstance(call, Call) or not acts_of(acts, ActKind.STEP):
            continue
        if function_called(call, caller.frame) is not None:
            # It is told where the trainer calls it.
            return
        told = [cause for clip, cause, _ in _clipped_at(acts, caller.frame) if clip.call is call]
        scaled = [cause for cause in told if cause.kind is ActKind.SCALED]
        if not scaled:
            # The method may be meant for this trainer alone.
            return
        causes += scaled
    for clipping in clippings if causes else ():
        yield Break("clip", frame.span(clipping.place), frame.symbol, last_name(clipping), causes[0].span)


def _scaled_at(acts: tuple[Act, ...], position: int, step: Act, frame: Frame) -> Act | None:
    """The act that says that gradients are scaled when acts[position] runs: the backward pass, or (where that stands
    elsewhere) the scaler's step itself."""
    act = acts[position]
    for start in range(position - 1, -1, -1):
        before = acts[start]
        if before.kind is ActKind.SCALED and before.may_meet(act, step):
            return None if _is_unscaled(acts[start:position], before, act) else before
        if before.kind in (ActKind.SCALED, ActKind.PLAIN) and implies(act.facts, before.facts):
            return None
    if any(one.kind in (ActKind.SCALED, ActKind.PLAIN) for one in acts):
        return None
    if _is_unscaled(acts[:position], act, act) or _unscales_elsewhere(frame):
        return None
    return step


def _is_unscaled(acts: tuple[Act, ...], *meets: Act) -> bool:
    return any(
        act.kind in (ActKind.UNSCALE, ActKind.RESCALE) and act.may_meet(*meets) and not _is_rarer(act, meets)
        for act in acts
    )


def _is_rarer(unscale: Act, meets: tuple[Act, ...]) -> bool:
    """True where tests that change from round to round let unscale_() run in some of the rounds only in which the
    gradients are looked at."""
    for one in meets:
        added = tests_added(unscale, one)
        if not added or not all(is_of_a_round(*test) for test in added):
            return False
        if any(is_of_a_round(*test) for test in tests_added(one, unscale)):
            return False
    return True


def _unscales_elsewhere(frame: Frame) -> bool:
    """True where another function of the file, or a caller of this one, calls unscale_()."""
    project = frame.evaluator.project
    others = [one for one in project.functions_in(frame.path) if one.function is not frame.function.definition]
    others += [moment.frame for moment in callers_of(frame)]
    return any(calls_by(other, "unscale") and not is_of_a_rival(other, frame) for other in others)


def _raw_steps(acts: tuple[Act, ...]) -> Iterator[Break]:
    """(d) A step of the optimizer itself on gradients that still carry the scale."""
    steps = acts_of(acts, ActKind.STEP)
    for position, raw in enumerate(acts):
        if raw.kind is not ActKind.RAW_STEP or _has_sibling(raw, steps):
            continue
        cause = _scaled_before(acts, position)
        if cause is None:
            continue
        around = _until_update(acts[acts.index(cause) :], raw)
        met = [step for step in steps if step in around and step.may_meet(raw) and step.may_meet(cause)]
        # Between the backward pass and this step the scaler may have served the network that the loss was for, and
        # another loss, which was not scaled, be meant here.
        served = [step for step in met if acts.index(cause) < acts.index(step) < position]
        has_other = any(one.may_meet(raw) for one in acts_of(acts, ActKind.PLAIN))
        if not (served and has_other) or any(step.optimizer & raw.optimizer for step in met):
            yield found("raw", raw, cause)


def _stepped_twice(acts: tuple[Act, ...], told: set[Span]) -> Iterator[Break]:
    """(d) A step of an optimizer that the scaler steps as well in the same round, without gradients of its own."""
    for position, raw in enumerate(acts):
        if raw.kind is not ActKind.RAW_STEP or raw.span in told:
            continue
        for at, step in enumerate(acts):
            is_same = step.kind is ActKind.STEP and bool(step.optimizer & raw.optimizer)
            if not is_same or not step.may_meet(raw) or not share_loops(step, raw):
                continue
            first, last = sorted((at, position))
            if not any(
                ActKind.PLAIN is one.kind or (at > position and ActKind.SCALED is one.kind) for one in acts[first:last]
            ):
                yield found("twice", raw, step)
                break


def _until_update(acts: tuple[Act, ...], act: Act) -> tuple[Act, ...]:
    """The acts up to the update that follows one of them."""
    ends = [at for at, one in enumerate(acts) if one.kind is ActKind.UPDATE and at > acts.index(act)]
    return acts[: ends[0]] if ends else acts


def _has_sibling(raw: Act, steps: list[Act]) -> bool:
    """True where a test decides between the scaler's step and this one."""
    return any(not step.may_meet(raw) and step.optimizer & raw.optimizer for step in steps)


def _scaled_before(acts: tuple[Act, ...], position: int) -> Act | None:
    act = acts[position]
    for start in range(position - 1, -1, -1):
        before = acts[start]
        if before.kind in (ActKind.UNSCALE, ActKind.RESCALE) and before.may_meet(act):
            return None
        if before.kind is ActKind.SCALED and before.may_meet(act) and share_loops(before, act):
            return before
        if before.kind in (ActKind.SCALED, ActKind.PLAIN) and implies(act.facts, before.facts):
            return None
    return None
