"""Branches that run where the program stays on the CPU: under `device == "cpu"`, in the other branch of use_cuda."""

from __future__ import annotations

import re

from torchlint.model.events import Event
from torchlint.model.terms import Attribute, Call, Constant, Operation, Term

_ACCELERATED = re.compile(r"(.*_)?(cuda|gpu|gpus|is_available)(_.*)?|(use|on|to|is|with)(cuda|gpu)", re.IGNORECASE)
_NEGATED = {"!=": "==", "is not": "is", "not in": "in"}


def is_on_cpu(event: Event) -> bool:
    """True where a condition around an event says that the program runs on the CPU."""
    return any(_says_cpu(region.subject, region.holds) for region in event.guards())


def _says_cpu(term: Term, holds: bool) -> bool:
    if isinstance(term, Operation) and term.operator == "not":
        return _says_cpu(term.parts[0], not holds)
    if isinstance(term, Operation) and term.operator == ("and" if holds else "or"):
        return any(_says_cpu(part, holds) for part in term.parts)
    if isinstance(term, Operation) and len(term.parts) == 2:
        operator = _NEGATED.get(term.operator, term.operator)
        is_equal = holds is (operator == term.operator)
        places = [one.value for one in term.parts if isinstance(one, Constant) and isinstance(one.value, str)]
        return operator in ("==", "in", "is") and any(
            place.startswith("cpu" if is_equal else "cuda") for place in places
        )
    return not holds and _is_flag(term)


def _is_flag(term: Term) -> bool:
    """True for args.cuda, use_gpu and torch.cuda.is_available()."""
    if isinstance(term, Call):
        term = term.callee
    name = getattr(term, "name", "")
    last = name if isinstance(term, Attribute) else name.rpartition(".")[2] if isinstance(name, str) else ""
    return _ACCELERATED.fullmatch(last) is not None
