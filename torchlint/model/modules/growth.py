"""Growth: new values that are elementwise functions of the old one, as running statistics are."""

from __future__ import annotations

from torchlint.model.facts import Function
from torchlint.model.frames import Frame
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Choice,
    Display,
    Imported,
    Item,
    Operation,
    Subscript,
    Term,
    children,
)

# A statistic is an elementwise function of its old value; what joins, shifts or mixes pieces (cat, roll, a layer) keeps
# a window of the past, which is a stream.
_ELEMENTWISE = frozenset(
    """add sub mul div lerp maximum minimum where clamp clamp_min clamp_max max min abs sqrt square detach clone to
    float double half type type_as contiguous addcmul addcdiv normalize nan_to_num float_power pow item round exp
    """.split()
)
_COPIES = frozenset("to type type_as detach clone contiguous float half double".split())

_Given = dict[int, "frozenset[int] | None"]


class Growth:
    """Whether a new value is an elementwise function of the old one, also by way of a helper.

    given: the arguments of the helper that are the old value; a tuple that holds it, with its positions there.
    of_items: the values are those of a container.
    """

    def __init__(
        self, frame: Frame, base: Term, name: str, given: _Given | None = None, *, of_items: bool = False
    ) -> None:
        self._frame = frame
        self._base = base
        self._name = name
        self._given = given or {}
        self._of_items = of_items

    def holds(self, term: Term, depth: int) -> bool:
        if depth == 0:
            return False
        if self._is_old(term):
            # What this call has stored by then is as new as what it was made of.
            return getattr(term, "known", None) is None or self.holds(term.known, depth - 1)  # type: ignore[attr-defined]
        if isinstance(term, Operation) and term.operator in ("+", "-", "*", "/", "**", "|", "&"):
            return any(self.holds(part, depth - 1) for part in term.parts)
        if isinstance(term, (Choice, Display)):
            return any(self.holds(part, depth - 1) for part in children(term))
        if isinstance(term, Item) and isinstance(term.base, Call):
            return self._by_helper(term.base, term.index, depth)
        return isinstance(term, Call) and (self._by_method(term, depth) or self._by_helper(term, None, depth))

    def _is_old(self, term: Term) -> bool:
        if isinstance(term, Argument) and term.index in self._given:
            return self._given[term.index] is None
        if isinstance(term, Item) and isinstance(term.base, Argument) and term.base.index in self._given:
            places = self._given[term.base.index]
            return places is None or term.index in places
        if self._of_items and isinstance(term, Subscript):
            term = term.base
        return isinstance(term, Attribute) and term.base is self._base and term.name == self._name

    def _by_method(self, call: Call, depth: int) -> bool:
        if not isinstance(call.callee, (Attribute, Imported)):
            return False
        method = call.callee.name.rpartition(".")[2].rstrip("_")
        receiver = (call.callee.base,) if isinstance(call.callee, Attribute) else ()
        if method not in _ELEMENTWISE or (method in _COPIES and any(map(self._is_old, receiver))):
            # self.x.to(..) is the same value, elsewhere.
            return False
        return any(self.holds(part, depth - 1) for part in (*receiver, *call.inputs))

    def _by_helper(self, call: Call, index: int | None, depth: int) -> bool:
        """A function of the project that gets the old value and returns the new one, perhaps as one of several."""
        project = self._frame.evaluator.project
        target = None if isinstance(call.callee, Attribute) else project.names.of_term(call.callee, self._frame.path)
        given = {i: self._places(term, depth) for i, term in enumerate(call.arguments) if self.holds(term, depth - 1)}
        if not isinstance(target, Function) or not given:
            return False
        inner = Growth(self._frame.evaluator.frame(target, None), self._base, "", given)
        values = [event.value for event in target.returned]
        if index is not None:
            values = [v.parts[index] for v in values if isinstance(v, Display) and index < len(v.parts)]
        return any(inner.holds(value, depth - 3) for value in values if depth > 3)

    def _places(self, term: Term, depth: int) -> frozenset[int] | None:
        """Where in a tuple the old value stands; None where it is the value itself."""
        if not isinstance(term, Display):
            return None
        return frozenset(i for i, part in enumerate(term.parts) if self.holds(part, depth - 1))
