"""Programs that move all they have to the current CUDA device wherever there is one: what a forward() pins under that
test is then where everything else is."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.devices.guards import is_where_available
from torchlint.model.events import Evaluated
from torchlint.model.flow.callers import calling, is_named_test
from torchlint.model.flow.networks import written_name
from torchlint.model.frames import Frame, last_name
from torchlint.model.half.networks import names_network
from torchlint.model.terms import Attribute, Call, Term
from torchlint.model.values import TENSORS, Kind

_WORDS = ((b".cuda(", "cuda"), (b".to(", "to"))
_MAX_FILES = 30


def moves_alike(frame: Frame) -> bool:
    """True where the project moves a network, and whatever its functions move goes to the current CUDA device, under
    no test but torch.cuda.is_available()."""
    moves = [(event, one) for word, name in _WORDS for event, one in _moves(word, name, frame)]
    is_current = all(_goes_to_current(event, where) for event, where in moves)
    return is_current and any(_is_of_network(event.term, where) for event, where in moves)


def _moves(word: bytes, name: str, frame: Frame) -> Iterator[tuple[Evaluated, Frame]]:
    """The calls of .cuda() and .to() in the files of the project, but for those that change the dtype alone, and that
    follow another tensor."""
    project = frame.evaluator.project
    files = [file for file in project.files_around(frame.path, word) if not is_named_test(file)]
    for file in dict.fromkeys((frame.path, *project.looked_into(frame.path, files[:_MAX_FILES]))):
        for caller in calling(project, file, name):
            for event in caller.function.events:
                is_call = (
                    isinstance(event, Evaluated) and isinstance(event.term, Call) and last_name(event.term) == name
                )
                if is_call and isinstance(event, Evaluated) and not _stays(event.term, caller):
                    yield event, caller


def _stays(term: Term, frame: Frame) -> bool:
    """True for .to(dtype), .to(x.device) and .to(x)."""
    if not isinstance(term, Call) or not isinstance(term.callee, Attribute) or term.callee.name != "to":
        return False
    given = term.keyword("device") or (term.arguments[0] if term.arguments else None)
    if given is None or (isinstance(given, Attribute) and given.name in ("device", "dtype")):
        return True
    value = frame.value(given)
    return value.made_by == "dtype" or value.kind in TENSORS


def _goes_to_current(event: Evaluated, frame: Frame) -> bool:
    """True for .cuda() without a number that runs wherever CUDA is."""
    call = event.term
    if not isinstance(call, Call) or last_name(call) != "cuda":
        return False
    return not call.inputs and is_where_available(event, frame)


def _is_of_network(term: Term, frame: Frame) -> bool:
    base = term.callee.base if isinstance(term, Call) and isinstance(term.callee, Attribute) else None
    if base is None or frame.is_self(base):
        return False
    return frame.value(base).kind is Kind.MODULE or names_network(written_name(base))
