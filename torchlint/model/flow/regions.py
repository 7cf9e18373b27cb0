"""What the regions around an event mean for it: gradients off, a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.model.frames import Frame, Moment
from torchlint.model.terms import Call, Imported, Term

if TYPE_CHECKING:
    from torchlint.model.evaluation.evaluate import Evaluator

_GRAD_OFF = frozenset(("no_grad", "inference_mode"))


def grad_is_off(moment: Moment, evaluator: Evaluator) -> bool:
    """True where autograd records nothing: a no_grad or inference_mode region or decorator here or around a caller."""
    managers = [(region.subject, frame) for region, frame in moment.managers()]
    decorators = [(decorator, frame) for frame in moment.functions() for decorator in frame.method.decorators]
    return any(_turns_grad_off(term, frame, evaluator) for term, frame in (*managers, *decorators))


def _turns_grad_off(term: Term, frame: Frame, evaluator: Evaluator) -> bool:
    callee = term.callee if isinstance(term, Call) else term
    if not isinstance(callee, Imported):
        return False
    name = callee.name.rpartition(".")[2]
    given = term.argument(0, "mode") if isinstance(term, Call) else None
    is_off = given is not None and evaluator.value(given, frame).constant is False
    return is_off if name == "set_grad_enabled" else name in _GRAD_OFF and not is_off
