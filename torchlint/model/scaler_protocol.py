"""The protocol of a GradScaler: scale, unscale_ before gradients are touched, step, update; and what breaks it."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.aliases import function_called, words_of
from torchlint.model.branches import extra, implies
from torchlint.model.callers import callers_of
from torchlint.model.enumerated import within
from torchlint.model.events import Evaluated, Region
from torchlint.model.frames import Frame, last_name
from torchlint.model.rounds import counts, is_of_a_round
from torchlint.model.same_object import Key, keys_of
from torchlint.model.scaler_breaks import Break, found, seen_beside
from torchlint.model.terms import Attribute, Call, Constant, Display, Global, Imported, Term
from torchlint.model.training_acts import Act, ActKind, training_acts


def breaks(frame: Frame) -> Iterator[Break]:
    """The calls of a function, and of the helpers that it calls, that break the protocol of a scaler."""
    acts = training_acts(frame)
    kinds = {act.kind for act in acts}
    if not kinds & {ActKind.SCALED, ActKind.STEP, ActKind.UNSCALE}:
        return
    raw = list(_raw_steps(acts))
    yield from _clipped(acts, frame)
    yield from raw
    yield from _skipped(acts)
    yield from _never_updated(acts, frame)
    if not raw:
        yield from _updated_alone(acts)


def _of(acts: tuple[Act, ...], *kinds: ActKind) -> list[Act]:
    return [act for act in acts if act.kind in kinds]


# Gradients that are still scaled


def _clipped(acts: tuple[Act, ...], frame: Frame) -> Iterator[Break]:
    """(a) Clipping of gradients that still carry the scale, before the scaler's step."""
    for position, clip in enumerate(acts):
        if clip.kind is not ActKind.CLIP:
            continue
        for step in acts[position + 1 :]:
            if step.kind is ActKind.STEP and step.may_meet(clip) and _share_loops(clip, step):
                cause = _scaled_at(acts, position, step, frame)
                if cause is not None:
                    yield seen_beside("clip", clip, (cause, step))
                    break


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
    return any(act.kind in (ActKind.UNSCALE, ActKind.RESCALE) and act.may_meet(*meets) for act in acts)


def _unscales_elsewhere(frame: Frame) -> bool:
    """True where another function of the file, or a caller of this one, calls unscale_()."""
    project = frame.evaluator.project
    others = [one for one in project.functions_in(frame.path) if one.function is not frame.function]
    others += [moment.frame for moment in callers_of(frame)]
    return any(_calls(other, "unscale") for other in others)


def _calls(frame: Frame, word: str, receiver: str = "") -> bool:
    return any(
        isinstance(event, Evaluated)
        and isinstance(event.term, Call)
        and word in last_name(event.term)
        and receiver in words_of(event.term.callee)
        for event in frame.function.events
    )


def _share_loops(one: Act, other: Act) -> bool:
    """True where the two run in the same round: in the same loops, or one of them in further ones. A loop over the
    optimizers, or over the networks that are clipped, is no round of its own."""
    fewer, more = sorted((_rounds(one), _rounds(other)), key=len)
    return fewer <= more


def _rounds(act: Act) -> set[int]:
    is_of_many = act.kind in (ActKind.CLIP, ActKind.STEP)
    return {id(loop) for loop in act.loops if not is_of_many or not _is_of_each(act.call, loop)}


def _raw_steps(acts: tuple[Act, ...]) -> Iterator[Break]:
    """(d) A step of the optimizer itself on gradients that still carry the scale."""
    steps = _of(acts, ActKind.STEP)
    for position, raw in enumerate(acts):
        if raw.kind is not ActKind.RAW_STEP or _has_sibling(raw, steps):
            continue
        cause = _scaled_before(acts, position)
        if cause is None:
            continue
        met = [step for step in steps if step.may_meet(raw) and step.may_meet(cause)]
        # Between the backward pass and this step the scaler may have served the network that the loss was for.
        served = [step for step in met if acts.index(cause) < acts.index(step) < position]
        if not met or not served or any(step.optimizer & raw.optimizer for step in met):
            yield found("raw", raw, cause)


def _has_sibling(raw: Act, steps: list[Act]) -> bool:
    """True where a test decides between the scaler's step and this one."""
    return any(not step.may_meet(raw) and step.optimizer & raw.optimizer for step in steps)


def _scaled_before(acts: tuple[Act, ...], position: int) -> Act | None:
    act = acts[position]
    for start in range(position - 1, -1, -1):
        before = acts[start]
        if before.kind in (ActKind.UNSCALE, ActKind.RESCALE) and before.may_meet(act):
            return None
        if before.kind is ActKind.SCALED and before.may_meet(act) and _share_loops(before, act):
            return before
        if before.kind in (ActKind.SCALED, ActKind.PLAIN) and implies(act.facts, before.facts):
            return None
    return None


# Steps without updates, updates without steps


def _skipped(acts: tuple[Act, ...]) -> Iterator[Break]:
    """(b) An update that is left out together with the step although unscale_() has run: the next one raises."""
    updates = _of(acts, ActKind.UPDATE)
    for unscale in _of(acts, ActKind.UNSCALE):
        met = [update for update in updates if update.may_meet(unscale) and _share_loops(unscale, update)]
        if not met or any(implies(unscale.facts, update.facts) for update in met) or _cover(met, unscale):
            continue
        for update in met:
            added = _tests_added(update, unscale)
            counted = any(counts(*test) for test in added)
            if added and all(is_of_a_round(*test) for test in added):
                yield found("often", unscale, update) if counted else found("skipped", update, unscale)
                break


def _cover(acts: list[Act], given: Act) -> bool:
    """True where a test decides which of the acts runs, so that one of them does."""
    added = [{key: act.facts[key] for key in extra(act.facts, given.facts)} for act in acts]
    return any(
        key in two and two[key] is not one[key]
        for index, one in enumerate(added)
        for two in added[index + 1 :]
        for key in one
    )


def _tests_added(act: Act, given: Act) -> list[tuple[Term, Frame]]:
    """The conditions around an act that decide on it and not on `given`, each with its function."""
    around = {id(region) for region, _ in given.moment.guards()}
    subjects = {id(region.subject) for region, _ in given.moment.guards()}
    if not extra(act.facts, given.facts):
        return []
    return [
        (region.subject, frame)
        for region, frame in act.moment.guards()
        if id(region) not in around and id(region.subject) not in subjects and not isinstance(region.subject, Constant)
    ]


def _never_updated(acts: tuple[Act, ...], frame: Frame) -> Iterator[Break]:
    """(c) A scaler's step that no update follows: the second one raises."""
    updates = _of(acts, ActKind.UPDATE)
    for step in _of(acts, ActKind.STEP):
        met = [update for update in updates if update.may_meet(step)]
        if not met:
            if not updates and _is_repeated(step, frame) and not _updates_elsewhere(frame, step):
                yield found("never", step, step)
        elif not any(_share_loops(step, update) and not _leaves(step, update) for update in met):
            loop = next(loop for loop in step.loops if all(loop not in update.loops for update in met))
            if not _is_of_each(step.call, loop) and not _updates_elsewhere(frame, step):
                yield found("late", step, met[0])
        elif _is_rarer(met, step):
            yield found("missed", step, met[0])


def _is_rarer(updates: list[Act], step: Act) -> bool:
    """True where tests that change from round to round let the step run without any of the updates."""
    if any(implies(step.facts, update.facts) for update in updates) or _cover(updates, step):
        return False
    added = [_tests_added(update, step) for update in updates]
    return all(tests and all(is_of_a_round(*test) for test in tests) for tests in added)


def _leaves(step: Act, update: Act) -> bool:
    """True where the step runs in a loop that the update is not in."""
    return bool({id(loop) for loop in step.loops} - {id(loop) for loop in update.loops})


def _is_of_each(call: Call, loop: Region) -> bool:
    """True for a loop over optimizers, and for one of a fixed few: `for opt in (a, b)`."""
    if isinstance(loop.subject, Display):
        return True
    subjects = [part for part in within(loop.subject, 30) if not isinstance(part, Constant)]
    return any(part is loop.subject or part in subjects for term in call.arguments for part in within(term, 30))


def _is_repeated(step: Act, frame: Frame) -> bool:
    """True for a step in a loop, or in a function: its caller has the loop."""
    return bool(step.loops) or frame.function.name != "<module>"


def _updates_elsewhere(frame: Frame, step: Act) -> bool:
    """True where another function of the file, or a caller of this one, updates a scaler before the next step."""
    project = frame.evaluator.project
    updating = [
        one.function
        for one in project.functions_in(step.moment.frame.path)
        if one.function is not frame.function and _updates(one)
    ]
    if _comes_back(step):
        return _hands_on_in_rounds(step, frame, {function.name for function in updating})
    return bool(updating) or any(_updates(moment.frame) for moment in callers_of(frame))


def _updates(frame: Frame) -> bool:
    return _calls(frame, "update", "scaler") or _calls(frame, "update", "amp")


def _comes_back(step: Act) -> bool:
    """True for a step that the function itself repeats: nothing that its callers do comes in between."""
    rounds = [loop for loop in step.loops if not _is_of_each(step.call, loop)]
    yields = (event.is_yield for one in step.moment.functions() for event in one.function.returned)
    return bool(rounds) and not any(yields)


def _hands_on_in_rounds(step: Act, frame: Frame, names: set[str]) -> bool:
    """True where a call between two steps may update: it is so named, or says that name, or gets what takes part."""
    said = any(
        last_name(call) in names or any(isinstance(term, Constant) and term.value in names for term in call.arguments)
        for one in step.moment.functions()
        for call in one.function.calls
    )
    return said or any(
        call is not step.call and function_called(call, one) is None and _gets(call, one, scaler, optimizer, names)
        for one, scaler, optimizer in _participants(step, frame)
        for call in one.function.calls
    )


def _participants(step: Act, frame: Frame) -> Iterator[tuple[Frame, frozenset[Key], frozenset[Key]]]:
    """The names of the scaler and the optimizer in the function looked at, and in that of the step."""
    yield frame, step.scaler, step.optimizer
    inner, callee = step.moment.frame, step.call.callee
    if isinstance(callee, Attribute):
        yield inner, keys_of(callee.base, inner), keys_of(step.call.arguments[0], inner)


def _gets(call: Call, frame: Frame, scaler: frozenset[Key], optimizer: frozenset[Key], names: set[str]) -> bool:
    """True for a call that gets the scaler, and, where some object updates when it is called, for one of an object with
    the optimizer or with nothing."""
    given = frozenset[Key]().union(*(keys_of(term, frame) for term in call.inputs))
    if given & scaler:
        return True
    if "__call__" not in names or isinstance(call.callee, (Global, Imported)):
        return False
    is_object = not isinstance(call.callee, Attribute) or frame.is_self(call.callee.base)
    return is_object and (bool(given & optimizer) or not call.inputs)


def _updated_alone(acts: tuple[Act, ...]) -> Iterator[Break]:
    """(e) An update in rounds that neither step nor unscale: it raises, for no gradient was looked at."""
    checks = _of(acts, ActKind.STEP, ActKind.UNSCALE)
    for update in _of(acts, ActKind.UPDATE):
        met = [check for check in checks if check.may_meet(update) and _share_loops(update, check)]
        if not met:
            other = _otherwise_stepped(update, acts)
            if other is not None:
                yield found("alone", update, other)
            continue
        if any(implies(update.facts, check.facts) for check in met) or _cover(met, update):
            continue
        added = [_tests_added(check, update) for check in met]
        if all(tests and all(is_of_a_round(*test) for test in tests) for tests in added):
            yield found("alone", update, met[0])


def _otherwise_stepped(update: Act, acts: tuple[Act, ...]) -> Act | None:
    """The step of the same scaler in the other branch of a test that changes from round to round, where that branch has
    an update of its own: in this branch no gradient was looked at."""
    rivals = [act for act in _of(acts, ActKind.STEP) if act.loops and _share_loops(update, act)]
    served = [act for act in _of(acts, ActKind.UPDATE) if act is not update]
    for step in rivals:
        is_served = any(one.may_meet(step) and not one.may_meet(update) for one in served)
        if is_served and step.scaler & update.scaler and _is_other_branch(update, step):
            return step
    return None


def _is_other_branch(one: Act, other: Act) -> bool:
    """True where a test that changes from round to round keeps the two apart."""
    held = {id(region.subject): region.holds for region, _ in other.moment.guards()}
    apart = [
        (region.subject, frame)
        for region, frame in one.moment.guards()
        if held.get(id(region.subject), region.holds) is not region.holds
    ]
    return bool(apart) and all(is_of_a_round(*test) for test in apart)
