"""Influence: whether what a method reads from its object decides what the object computes, or only what it shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated, Event, ItemWrite, Return, Write
from torchlint.model.flow.timeline import attribute_of_self, changed_in_place
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, last_name
from torchlint.model.modules.state import Registration
from torchlint.model.terms import Attribute, Call, Constant, Operation, Term

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_SHOWS = frozenset(
    """print log log_dict info debug warn warning error exception isinstance issubclass len str repr type format write
    add_scalar add_scalars add_histogram add_image set_postfix set_description""".split()
)
_METADATA = frozenset("shape dtype device ndim size dim numel is_cuda requires_grad layout nbytes".split())
_COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!="))
_MAX_TERMS = 200


class Influence:
    """What the attribute `name` of a class decides, beside its own next value."""

    def __init__(self, module: ModuleClass, name: str) -> None:
        self._module = module
        self._name = name

    def decides(self, read: Term, frame: Frame) -> bool:
        """True where a value read in `frame` reaches what a method returns, state of the object, or a test that
        decides on either."""
        return any(self._ends(term, frame) or self._guards(term, frame) for term in self._flow(read, frame))

    def _flow(self, term: Term, frame: Frame) -> Iterator[Term]:
        """The term, and the terms of the function that are computed from it."""
        parents, waiting, seen = parents_in(frame.function), [term], {id(term)}
        while waiting and len(seen) < _MAX_TERMS:
            one = waiting.pop()
            yield one
            again = [read for read in _read_again(frame).get(id(one), ()) if id(read) not in seen]
            seen.update(map(id, again))
            waiting += again
            for parent in parents.get(id(one), ()):
                if isinstance(parent, Term) and id(parent) not in seen and self._passes(one, parent, frame):
                    seen.add(id(parent))
                    waiting.append(parent)

    def _passes(self, term: Term, parent: Term, frame: Frame) -> bool:
        if isinstance(parent, Attribute):
            return parent.name not in _METADATA
        if isinstance(parent, Operation):
            return parent.operator != "f-string"
        if isinstance(parent, Call) and parent.callee is not term:
            return last_name(parent) not in _SHOWS
        return True

    def _ends(self, term: Term, frame: Frame) -> bool:
        """True where the value is returned, stored as other state, or written into another tensor."""
        for parent in parents_in(frame.function).get(id(term), ()):
            if isinstance(parent, Return):
                return True
            if isinstance(parent, Write) and self._is_read(parent, frame):
                return True
            if isinstance(parent, ItemWrite) and attribute_of_self(parent.base, frame) != self._name:
                return True
            if isinstance(parent, Call) and parent.callee is not term:
                changed = changed_in_place(parent)
                if changed is not None and attribute_of_self(changed, frame) != self._name:
                    return True
        return False

    def _is_read(self, write: Write, frame: Frame) -> bool:
        """True for a store in another attribute that is state, or that some method reads."""
        other = write.attribute
        if not isinstance(other, str) or other == self._name:
            return False
        if not frame.is_self(write.base):
            return attribute_of_self(write.base, frame) != self._name
        state = self._module.state
        return state.registration(other) is not None or any(
            moment.frame.function is not frame.function for moment in state.reads(other)
        )

    def _guards(self, test: Term, frame: Frame) -> bool:
        """True where `test` decides on what is returned, or on a store in what a checkpoint holds."""
        guarded = [e for e in frame.function.events if any(region.subject is test for region in e.guards())]
        if not guarded and isinstance(test, Operation) and test.operator in _COMPARISONS:
            # It chooses between constants, which are no events.
            return not parents_in(frame.function).get(id(test))
        return any(self._matters(event, frame) or self._matters_inside(event, frame) for event in guarded)

    def _matters_inside(self, event: Event, frame: Frame) -> bool:
        """True where a method that is called there stores what a checkpoint holds."""
        if not isinstance(event, Evaluated) or not isinstance(event.term, Call):
            return False
        return any(
            self._matters(inner, callee)
            for callee in self._module.callees(event.term, frame)
            for inner in callee.function.events
            if not isinstance(inner, Return)
        )

    def _matters(self, event: Event, frame: Frame) -> bool:
        if isinstance(event, Return):
            return not (isinstance(event.value, Constant) and event.value.value is None)
        if isinstance(event, Write):
            name = event.attribute if isinstance(event.attribute, str) and frame.is_self(event.base) else ""
            return self._is_kept(name or attribute_of_self(event.base, frame))
        if isinstance(event, ItemWrite):
            return self._is_kept(attribute_of_self(event.base, frame))
        if not isinstance(event, Evaluated) or not isinstance(event.term, (Call, Operation)):
            return False
        changed = changed_in_place(event.term) if isinstance(event.term, Call) else None
        if changed is not None and self._is_kept(attribute_of_self(changed, frame)):
            return True
        return any(_is_returned(term, frame) for term in self._flow(event.term, frame))

    def _is_kept(self, other: str) -> bool:
        """True for another attribute that a checkpoint brings back."""
        if not other or other == self._name:
            return False
        state = self._module.state
        return state.registration(other) is Registration.PARAMETER or state.is_saved(other)


def _read_again(frame: Frame) -> dict[int, list[Term]]:
    """For each value (by identity) that a function stores on an attribute, where it reads that attribute again."""
    known: dict[int, list[Term]] | None = frame.function.derived.get("read again")
    if known is None:
        known = frame.function.derived["read again"] = {}
        for event in frame.function.events:
            term = event.term if isinstance(event, Evaluated) else None
            if isinstance(term, Attribute) and term.known is not None:
                known.setdefault(id(term.known), []).append(term)
    return known


def _is_returned(term: Term, frame: Frame) -> bool:
    return any(isinstance(parent, Return) for parent in parents_in(frame.function).get(id(term), ()))
