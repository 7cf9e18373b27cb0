"""Updates of a GradScaler: the steps and unscale_() calls that no update follows, and updates without a step."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.flow.branches import implies
from torchlint.model.flow.callers import callers_of
from torchlint.model.flow.same_object import Key, keys_of
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import Attribute, Call, Constant, Global, Imported
from torchlint.model.training.acts import Act, ActKind
from torchlint.model.training.compared_acts import (
    acts_of,
    calls_by,
    cover,
    is_of_a_rival,
    is_of_each,
    share_loops,
    tests_added,
)
from torchlint.model.training.rounds import counts, is_of_a_round
from torchlint.model.training.scaler_breaks import Break, found
from torchlint.model.weights.aliases import function_called


def skipped(acts: tuple[Act, ...]) -> Iterator[Break]:
    """(b) An update that is left out together with the step although unscale_() has run: the next one raises."""
    updates = acts_of(acts, ActKind.UPDATE)
    for unscale in acts_of(acts, ActKind.UNSCALE):
        met = [update for update in updates if update.may_meet(unscale) and share_loops(unscale, update)]
        if met and _is_repeated_before(unscale, met, acts):
            yield found("often", unscale, met[0])
            continue
        if not met or any(implies(unscale.facts, update.facts) for update in met) or cover(met, unscale):
            continue
        for update in met:
            added = tests_added(update, unscale)
            counted = any(counts(*test) for test in added)
            if added and all(is_of_a_round(*test) for test in added):
                yield found("often", unscale, update) if counted else found("skipped", update, unscale)
                break


def _is_repeated_before(unscale: Act, updates: list[Act], acts: tuple[Act, ...]) -> bool:
    """True for unscale_() in a loop over backward passes that no update is in, and no step: that would be told."""
    others = (*updates, *acts_of(acts, ActKind.STEP))
    passes = acts_of(acts, ActKind.SCALED)
    return any(
        any(loop in one.loops for one in passes) and not any(loop in one.loops for one in others)
        for loop in unscale.loops
        if not is_of_each(unscale.call, loop)
    )


def never_updated(acts: tuple[Act, ...], frame: Frame) -> Iterator[Break]:
    """(c) A scaler's step that no update follows: the second one raises."""
    updates = acts_of(acts, ActKind.UPDATE)
    for step in acts_of(acts, ActKind.STEP):
        met = [update for update in updates if update.may_meet(step)]
        if not met:
            if not updates and _is_repeated(step, frame) and not _updates_elsewhere(frame, step):
                yield found("never", step, step)
        elif not any(share_loops(step, update) and not _leaves(step, update) for update in met):
            loop = next(loop for loop in step.loops if all(loop not in update.loops for update in met))
            if not is_of_each(step.call, loop) and not _updates_elsewhere(frame, step):
                yield found("late", step, met[0])
        elif _is_rarer(met, step):
            yield found("missed", step, met[0])


def _is_rarer(updates: list[Act], step: Act) -> bool:
    """True where tests that change from round to round let the step run without any of the updates."""
    if any(implies(step.facts, update.facts) for update in updates) or cover(updates, step):
        return False
    added = [tests_added(update, step) for update in updates]
    return all(tests and all(is_of_a_round(*test) for test in tests) for tests in added)


def _leaves(step: Act, update: Act) -> bool:
    """True where the step runs in a loop that the update is not in."""
    return bool({id(loop) for loop in step.loops} - {id(loop) for loop in update.loops})


def _is_repeated(step: Act, frame: Frame) -> bool:
    """True for a step in a loop, or in a function: its caller has the loop."""
    return bool(step.loops) or frame.function.name != "<module>"


def _updates_elsewhere(frame: Frame, step: Act) -> bool:
    """True where another function of the file, or a caller of this one, updates a scaler before the next step."""
    project = frame.evaluator.project
    updating = [
        one.function
        for one in project.functions_in(step.moment.frame.path)
        if one.function is not frame.function.definition and _updates(one) and not is_of_a_rival(one, frame)
    ]
    if _comes_back(step):
        return _hands_on_in_rounds(step, frame, {function.name for function in updating})
    return bool(updating) or any(_updates(moment.frame) for moment in callers_of(frame))


def _updates(frame: Frame) -> bool:
    return calls_by(frame, "update", "scaler") or calls_by(frame, "update", "amp")


def _comes_back(step: Act) -> bool:
    """True for a step that the function itself repeats: nothing that its callers do comes in between."""
    rounds = [loop for loop in step.loops if not is_of_each(step.call, loop)]
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


def updated_alone(acts: tuple[Act, ...]) -> Iterator[Break]:
    """(e) An update in rounds that neither step nor unscale: it raises, for no gradient was looked at."""
    checks = acts_of(acts, ActKind.STEP, ActKind.UNSCALE)
    for update in acts_of(acts, ActKind.UPDATE):
        met = [check for check in checks if check.may_meet(update) and share_loops(update, check)]
        if met and all(_leaves(check, update) for check in met):
            continue
        if not met:
            other = _otherwise_stepped(update, acts)
            if other is not None:
                yield found("alone", update, other)
            continue
        if any(implies(update.facts, check.facts) for check in met) or cover(met, update):
            continue
        added = [tests_added(check, update) for check in met]
        if all(tests and all(is_of_a_round(*test) for test in tests) for tests in added):
            yield found("alone", update, met[0])


def _otherwise_stepped(update: Act, acts: tuple[Act, ...]) -> Act | None:
    """The step of the same scaler in the other branch of a test that changes from round to round, where that branch has
    an update of its own: in this branch no gradient was looked at."""
    rivals = [act for act in acts_of(acts, ActKind.STEP) if act.loops and share_loops(update, act)]
    served = [act for act in acts_of(acts, ActKind.UPDATE) if act is not update]
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
