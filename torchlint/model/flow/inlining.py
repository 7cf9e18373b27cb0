"""Functions with their helpers written out: in the place of a call of a small function of the same file stands what
that does, so that a question about one function sees what it does through others."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from torchlint.model.evaluation.truths import combined, compared, constant
from torchlint.model.events import Delete, Evaluated, Event, ItemWrite, Rebind, Region, RegionKind, Return, Write
from torchlint.model.facts import Function
from torchlint.model.flow.opened import terms_given
from torchlint.model.flow.rebuilding import rebuilt
from torchlint.model.frames import is_left_open
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Closure,
    Constant,
    Super,
    Term,
    children,
)

if TYPE_CHECKING:
    from torchlint.model.frames import Frame

_MAX_EVENTS = 500
_MAX_HELPER_EVENTS = 100
_DEPTH = 4


def written_out(frame: Frame) -> Function | None:
    """The function of a frame with its helpers written out; None where it calls none, or is too long."""
    old = frame.function
    if frame.outer is not None or len(old.events) > _MAX_EVENTS:
        return None
    writer = _Writer(frame, old, _Terms({}, None), ())
    # No more than it takes to see that it is too long: helpers of helpers may be many.
    events = tuple(islice(writer.events(None), _MAX_EVENTS + 1))
    if not writer.has_found or len(events) > _MAX_EVENTS:
        return None
    head = (old.name, old.qualname, old.place, old.parameters, old.decorators, old.returns)
    return Function(*head, events, old.nested, old.owner, old.path, written_from=old)


class _Writer:
    """Writes out a function, called by those `around`, for the frame of the outermost one. terms: how its own terms
    look there. has_found: whether a helper was written out."""

    def __init__(self, frame: Frame, function: Function, terms: _Terms, around: tuple[Function, ...]) -> None:
        self._frame, self._function, self._terms = frame, function, terms
        self._around = (*around, function)
        self.has_found = False

    def events(self, outer: Region | None) -> Iterator[Event]:
        """The events of the function inside the region `outer`."""
        regions = _Regions(self._terms, outer)
        for event in self._function.events:
            region = regions.moved(event.region)
            if region is not None and region is not event.region and _is_ruled_out(region):
                continue
            call = event.term if isinstance(event, Evaluated) else None
            helper = self._helper(call) if isinstance(call, Call) else None
            if isinstance(call, Call) and helper is not None:
                yield from self._inside(call, helper, region)
            else:
                yield self._terms.moved(event, region)

    def _inside(self, call: Call, helper: _Writer, region: Region | None) -> Iterator[Event]:
        """The events of a helper; its result stands in the place of the call from then on."""
        self.has_found = True
        results = []
        for event in helper.events(region):
            if isinstance(event, Return):
                results.append(event.value)
            else:
                yield event
        result = results[0] if len(results) == 1 else Choice(call.place, tuple(results))
        self._terms.put(call, result if results else Constant(call.place, None))

    def _helper(self, call: Call) -> _Writer | None:
        """What writes out the function that a call runs; None where that is not known or not possible."""
        found = self._called(call) if len(self._around) <= _DEPTH else None
        if found is None or found in self._around or not _is_simple(found) or found.path != self._function.path:
            return None
        outer = self._terms if isinstance(call.callee, Closure) else None
        given = _given(call, found, self._terms)
        terms = _Terms(given, outer, anew=True) if given is not None else None
        return _Writer(self._frame, found, terms, self._around) if terms is not None else None

    def _called(self, call: Call) -> Function | None:
        if isinstance(call.callee, Closure):
            nested = self._function.nested
            return nested[call.callee.index] if call.callee.index < len(nested) else None
        callee, view = self._terms.term(call.callee), self._frame.view
        if isinstance(callee, Attribute):
            is_own = view is not None and self._frame.is_self(callee.base)
            return view.method(callee.name) if view is not None and is_own else None
        target = self._frame.evaluator.project.names.of_term(callee, self._frame.path)
        return target if isinstance(target, Function) else None


def _is_simple(helper: Function) -> bool:
    """True for a short function that neither yields, nor holds others, nor is decorated, nor calls super(), and that is
    not left to subclasses."""
    known: bool | None = helper.derived.get("can be written out")
    if known is None:
        bases = (call.callee.base for call in helper.calls if isinstance(call.callee, Attribute))
        is_tied = helper.nested or helper.decorators or any(one.is_yield for one in helper.returned)
        is_tied = is_tied or is_left_open(helper)
        is_short = len(helper.events) <= _MAX_HELPER_EVENTS
        known = is_short and not is_tied and not any(isinstance(base, Super) for base in bases) and not _drops(helper)
        helper.derived["can be written out"] = known
    return known


def _drops(helper: Function) -> bool:
    """True where a test decides whether an argument is kept: `if len(mask.shape) == 1: mask = None`."""
    choices = (part for event in helper.events for part in _parts_of(event) if isinstance(part, Choice))
    return any(
        any(isinstance(one, Argument) for one in choice.options)
        and any(isinstance(one, Constant) and one.value is None for one in choice.options)
        for choice in choices
    )


def _parts_of(event: Event) -> tuple[Term, ...]:
    term = event.term if isinstance(event, Evaluated) else getattr(event, "value", None)
    return (term, *children(term)) if term is not None else ()


def _is_ruled_out(region: Region) -> bool:
    """True inside a condition that does not hold, now that the arguments are known."""
    guards = (one for one in region.chain() if one.kind is RegionKind.GUARD)
    return any(_truth(one.subject) is (not one.holds) for one in guards)


def _truth(condition: Term) -> bool | None:
    """Whether a condition of constants holds; None where that is not known."""
    return combined(condition, lambda part: compared(part, constant))


def _given(call: Call, helper: Function, terms: _Terms) -> dict[int, Term] | None:
    """The terms for the parameters of a helper; None where one is left open."""
    found = None if any(one.kind for one in helper.parameters) else terms_given(call, helper)
    if found is None:
        return None
    given = {index: terms.term(term) for index, term in found.items()}
    for index, parameter in enumerate(helper.parameters):
        if index not in given:
            if parameter.default is None:
                return None
            is_nested = isinstance(call.callee, Closure)
            given[index] = terms.term(parameter.default) if is_nested else parameter.default
    return given


class _Regions:
    """The regions of a function inside those of the one that it is written into."""

    def __init__(self, terms: _Terms, outer: Region | None) -> None:
        self._terms, self._outer = terms, outer
        self._known: dict[int, Region] = {}

    def moved(self, region: Region | None) -> Region | None:
        if region is None:
            return self._outer
        found = self._known.get(id(region))
        if found is None:
            outer, subject = self.moved(region.outer), self._terms.term(region.subject)
            is_same = not self._terms.anew and outer is region.outer and subject is region.subject
            found = region if is_same else Region(region.kind, subject, region.holds, region.place, outer)
            self._known[id(region)] = found
        return found


class _Terms:
    """The terms of a function where it is written into another: with those of the caller for its parameters, and the
    results of helpers for their calls. outer: those of the function around a nested one. anew: whether each
    is a term of its own, as two runs of a helper make two objects."""

    def __init__(self, given: dict[int, Term], outer: _Terms | None, *, anew: bool = False) -> None:
        self._given, self._outer, self.anew = given, outer, anew
        # Each beside its result, so that no other term gets its identity.
        self._known: dict[int, tuple[Term, Term]] = {}

    def put(self, call: Call, result: Term) -> None:
        """Let `result` stand in the place of `call` from now on."""
        self._known[id(call)] = (call, result)

    def term(self, term: Term) -> Term:
        found = self._known.get(id(term))
        if found is None:
            self._known[id(term)] = (term, term)
            found = self._known[id(term)] = (term, self._made(term))
        return found[1]

    def _made(self, term: Term) -> Term:
        if isinstance(term, Argument):
            return self._given.get(term.index, term)
        if isinstance(term, Captured) and self._outer is not None:
            return self._outer.term(term.value)
        return rebuilt(term, self.term, anew=self.anew)

    def moved(self, event: Event, region: Region | None) -> Event:
        """An event with its terms as they are here."""
        if isinstance(event, Evaluated):
            term = self.term(event.term)
            return event if term is event.term and region is event.region else Evaluated(region, term)
        if isinstance(event, Return):
            return Return(region, self.term(event.value), event.place, event.is_yield)
        if isinstance(event, ItemWrite):
            parts = (self.term(event.base), self.term(event.index), self.term(event.value))
            return ItemWrite(region, *parts, event.place, event.operator)
        if isinstance(event, Rebind):
            return Rebind(region, event.name, self.term(event.value), event.place, event.operator)
        assert isinstance(event, (Write, Delete))
        name = event.attribute if isinstance(event.attribute, str) else self.term(event.attribute)
        if isinstance(event, Delete):
            return Delete(region, self.term(event.base), name, event.place)
        base, value = self.term(event.base), self.term(event.value)
        return Write(region, base, name, value, event.place, event.operator, event.unseen)
