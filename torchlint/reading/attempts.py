"""What an `except` clause says of the object: the test that its `try` makes in other words."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torchlint.model.events import Evaluated, Event
from torchlint.model.terms import Argument, Attribute, Call, Constant, Global, Operation, Subscript, Term


def failed_test(handler: cst.ExceptHandler | cst.ExceptStarHandler, attempted: Sequence[Event]) -> Term | None:
    """The test that is false where the handler runs: hasattr(self, "x") where self.x raised AttributeError, key in
    self.table where self.table[key] raised KeyError; None for any other handler."""
    caught = handler.type.value if isinstance(handler.type, cst.Name) else ""
    for event in attempted:
        term = event.term if isinstance(event, Evaluated) else None
        if caught == "AttributeError" and isinstance(term, Attribute) and isinstance(term.base, Argument):
            place = term.place
            return Call(place, Global(place, "hasattr"), (term.base, Constant(place, term.name)), ())
        if caught == "KeyError" and isinstance(term, Subscript):
            return Operation(term.place, "in", (term.index, term.base))
    return None
