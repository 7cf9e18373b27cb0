"""What two acts of a training function are to one another: of the same round, apart by a test, of rivals."""

from __future__ import annotations

from torchlint.model.events import Evaluated, Region
from torchlint.model.flow.branches import extra
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import Call, Constant, Display, Term
from torchlint.model.training.acts import Act, ActKind
from torchlint.model.weights.aliases import words_of
from torchlint.model.weights.enumerated import within


def acts_of(acts: tuple[Act, ...], *kinds: ActKind) -> list[Act]:
    """The acts of some kinds, in order."""
    return [act for act in acts if act.kind in kinds]


def calls_by(frame: Frame, word: str, receiver: str = "") -> bool:
    """True where a function calls anything by such a name, of a receiver with such a word."""
    return any(
        isinstance(event, Evaluated)
        and isinstance(event.term, Call)
        and word in last_name(event.term)
        and receiver in words_of(event.term.callee)
        for event in frame.function.events
    )


def is_of_a_rival(other: Frame, frame: Frame) -> bool:
    """True for a method of a class that does the same work in another way: the two classes share a base of the project,
    and neither is derived from the other."""
    one, two = other.view, frame.view
    if one is None or two is None or one is two:
        return False
    ours = {id(each) for each in two.ancestors}
    shares = any(id(each) in ours for each in one.ancestors)
    return shares and id(one) not in ours and all(each is not two for each in one.ancestors)


def share_loops(one: Act, other: Act) -> bool:
    """True where the two run in the same round: in the same loops, or one of them in further ones. A loop over the
    optimizers, or over the networks that are clipped, is no round of its own."""
    fewer, more = sorted((_rounds(one), _rounds(other)), key=len)
    return fewer <= more


def _rounds(act: Act) -> set[int]:
    is_of_many = act.kind in (ActKind.CLIP, ActKind.STEP)
    return {id(loop) for loop in act.loops if not is_of_many or not is_of_each(act.call, loop)}


def is_of_each(call: Call, loop: Region) -> bool:
    """True for a loop over optimizers, and for one of a fixed few: `for opt in (a, b)`."""
    if isinstance(loop.subject, Display):
        return True
    subjects = [part for part in within(loop.subject, 30) if not isinstance(part, Constant)]
    return any(part is loop.subject or part in subjects for term in call.arguments for part in within(term, 30))


def cover(acts: list[Act], given: Act) -> bool:
    """True where a test decides which of the acts runs, so that one of them does."""
    added = [{key: act.facts[key] for key in extra(act.facts, given.facts)} for act in acts]
    return any(
        key in two and two[key] is not one[key]
        for index, one in enumerate(added)
        for two in added[index + 1 :]
        for key in one
    )


def tests_added(act: Act, given: Act) -> list[tuple[Term, Frame]]:
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
