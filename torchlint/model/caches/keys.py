"""What the test of a memo leaves out: the value depends on it, and nothing renews the value when it changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from torchlint.knowledge.factories import TABLES
from torchlint.model.caches.caches import belongs_to_mode
from torchlint.model.caches.memo_reads import reads_of
from torchlint.model.caches.memo_tests import answers_of
from torchlint.model.caches.memos import Memo, memos
from torchlint.model.events import Return, Write
from torchlint.model.facts import Function
from torchlint.model.flow.holders import keeps_tensor
from torchlint.model.frames import Frame, Moment
from torchlint.model.modules.dependences import (
    DEVICE,
    DTYPE,
    NOTHING,
    Dependence,
    Dependences,
    Dependencies,
    Facet,
    Scope,
)
from torchlint.model.modules.refresh import answers_conversion, answers_load, deciding_attributes, has_version_key
from torchlint.model.modules.state import Registration
from torchlint.model.terms import Argument, Call, Constant, Operation, Term, mentions
from torchlint.model.values import Kind
from torchlint.model.weights.enumerated import within
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_INPUTS = frozenset({Facet.ARGUMENT, Facet.SHAPE, Facet.DATA})
_BOTH = frozenset({DEVICE, DTYPE})
_VERSION = frozenset({"_version"})


class Lacking(Enum):
    """What is left out, from the gravest on: learned values, sizes and arguments, device and dtype."""

    VALUES = "values"
    INPUTS = "inputs"
    PLACEMENT = "placement"


@dataclass(frozen=True, slots=True)
class IncompleteKey:
    """A memo whose test leaves something out.

    shown: the memo as code writes it. test: the condition that decides on it. read: where it is used. asked: what its
    test asks. deciding: where it does not ask for the value itself, the attributes of earlier calls that it asks.
    missing: what it leaves out, and nothing else renews the value for.
    """

    shown: str
    symbol: str
    span: Span
    test: Span
    read: Span | None
    asked: tuple[Dependence, ...]
    deciding: tuple[str, ...]
    missing: tuple[Dependence, ...]
    is_shared: bool

    @property
    def lacking(self) -> Lacking:
        """The gravest thing that is left out."""
        facets = {one.facet for one in self.missing}
        if Facet.STATE in facets:
            return Lacking.VALUES
        return Lacking.PLACEMENT if facets <= {Facet.DEVICE, Facet.DTYPE} else Lacking.INPUTS


def incomplete_keys(view: ModuleClass) -> Iterator[IncompleteKey]:
    """The memos of a class whose tests leave something out, in order."""
    if view.state.registers_itself:
        return
    for memo in memos(view):
        if keeps_tensor(memo.value, memo.frame):
            found = _judged(view, memo)
            if found is not None:
                yield found


def _judged(view: ModuleClass, memo: Memo) -> IncompleteKey | None:
    dependencies = Dependencies(view)
    needed = _with_numbers(dependencies.of(memo.value, dependencies.scope_of(memo.moment)), memo)
    asked = _asked(memo, dependencies)
    is_of_input = any(one.facet is Facet.DATA and one not in asked for one in needed)
    if is_of_input and (all(one.facet is not Facet.STATE for one in needed) or _has_an_end(view, memo)):
        return None
    reads = reads_of(view, memo.holder)
    if not reads:
        return None
    missing = _missing(view, memo, needed, asked) - _BOTH.intersection(*(read.converted(view) for read in reads))
    missing = frozenset(one for one in missing if not _is_renewed(view, memo, one))
    missing = _beside_mode(view, memo, missing, needed, asked)
    if not missing:
        return None
    first = reads[0]
    return IncompleteKey(
        shown=memo.holder.shown,
        symbol=f"{memo.frame.method.owner or view.facts.qualname}.{memo.holder.name}",
        span=memo.frame.span(memo.place),
        test=memo.tests[0][1].span(memo.tests[0][0].place),
        read=first.frame.span(first.term.place),
        asked=in_order(one for one in asked if _is_told(memo, one)),
        deciding=_deciding(memo),
        missing=in_order(missing),
        is_shared=memo.holder.is_shared,
    )


def _has_an_end(view: ModuleClass, memo: Memo) -> bool:
    """True where another method than the constructor empties the cache, though only the constructor be seen to call it;
    and where a file without a part of the class has an attribute of that name."""
    for moment in view.state.writes(memo.holder.name):
        value = moment.frame.value(moment.event.value) if isinstance(moment.event, Write) else None
        is_empty = value is not None and (value.kind is Kind.NONE or value.items == ())
        if is_empty and moment.frame.function.name != "__init__":
            return True
    own = {one.path for one in view.ancestors}
    around = view.project.files_around(view.path, f".{memo.holder.name}".encode())
    return not own.issuperset(around)


def _deciding(memo: Memo) -> tuple[str, ...]:
    """The attributes that earlier calls left and that the tests ask, where they do not ask for the value itself."""
    asked = [region.subject for region, _ in memo.tests]
    if any(mentions(term, frozenset({memo.holder.name})) for term in asked):
        return ()
    return tuple(name for name in sorted(memo.changing) if any(mentions(term, frozenset({name})) for term in asked))


def in_order(found: Iterable[Dependence]) -> tuple[Dependence, ...]:
    """Dependences as messages list them."""
    return tuple(sorted(found, key=lambda one: (list(Facet).index(one.facet), one.name)))


def _is_told(memo: Memo, one: Dependence) -> bool:
    """False for what an earlier call left on the object: it is what the test compares with, and not what it asks."""
    return one.facet is not Facet.SETTING or (memo.holder.is_shared and one.name not in memo.changing)


# What the value needs, and what the test asks


def _asked(memo: Memo, dependencies: Dependencies) -> Dependences:
    """What the tests and the keys of a memo ask."""
    found = NOTHING.union(*(dependencies.of(key, dependencies.scope_of(memo.moment)) for key in memo.keys))
    for region, frame in memo.tests:
        moment: Moment | None = memo.moment
        while moment is not None and moment.frame is not frame:
            moment = moment.caller
        if moment is not None:
            found |= _of_test(region.subject, dependencies.scope_of(moment), dependencies)
    return found


def _of_test(term: Term, scope: Scope, dependencies: Dependencies, depth: int = 6) -> Dependences:
    """What a condition asks. The identity of state says nothing of it: the object stays, whatever it holds."""
    if isinstance(term, Operation) and term.operator in ("and", "or", "not") and depth:
        return NOTHING.union(*(_of_test(part, scope, dependencies, depth - 1) for part in term.parts))
    if isinstance(term, Call) and depth:
        entered = dependencies.entered(term, scope)
        if entered is not None:
            parts = answers_of(entered.frame)
            return NOTHING.union(*(_of_test(part, entered, dependencies, depth - 1) for part in parts))
    found = dependencies.of(term, scope)
    is_identity = isinstance(term, Operation) and term.operator in ("is", "is not")
    return NOTHING if is_identity and any(one.facet is Facet.STATE for one in found) else found


def _missing(view: ModuleClass, memo: Memo, needed: Dependences, asked: Dependences) -> Dependences:
    """What the value depends on and the test does not ask."""
    value = memo.frame.value(memo.value)
    if not (value.ndim == 0 and DEVICE not in needed):
        needed |= {DEVICE}
    if value.is_integral:
        needed -= {DTYPE}
    return left_out(frozenset(one for one in needed - asked if _may_change(view, memo, one)), asked)


def left_out(needed: Dependences, asked: Dependences) -> Dependences:
    """What of `needed` a test says nothing of. Asked for the sizes of one input, it speaks of the others' too; asked
    for a whole, of its parts."""
    asks_input = any(one.facet in _INPUTS for one in asked)
    names = {one.name for one in asked if one.facet in _INPUTS}
    return frozenset(
        one
        for one in needed
        if not (one.facet is Facet.SHAPE and asks_input)
        and not (one.facet is Facet.ARGUMENT and (one.name in names or _is_part(one.name, names)))
        and not (one.facet is Facet.SETTING and _is_part(one.name, {a.name for a in asked if a.facet is one.facet}))
    )


def _is_part(name: str, names: Iterable[str]) -> bool:
    """True for "cfg.rate" where "cfg" is asked, and for "x" where "x.length" is: the one decides on the other."""
    return any(name.startswith(f"{other}.") or name == other for other in names)


def _may_change(view: ModuleClass, memo: Memo, one: Dependence) -> bool:
    """True for what can be another thing at the next read, as far as the memo is concerned."""
    if one.facet is Facet.STATE:
        return not is_constant_table(view, one.name)
    if one.facet is Facet.SETTING:
        name = one.name.partition(".")[0]
        return name != memo.holder.name and (memo.holder.is_shared or _is_set_later(view, memo, name))
    return True


def _with_numbers(found: Dependences, memo: Memo) -> Dependences:
    """The same where a parameter of the call is a number by its default: what has sizes by it depends on the number."""
    parameters = memo.moment.functions()[-1].function.parameters
    defaults = ((one.name, one.default) for one in parameters)
    numbers = {name for name, one in defaults if isinstance(one, Constant) and isinstance(one.value, (int, float))}
    return frozenset(
        Dependence(Facet.ARGUMENT, one.name) if one.facet is Facet.SHAPE and one.name in numbers else one
        for one in found
    )


def _is_set_later(view: ModuleClass, memo: Memo, name: str) -> bool:
    """True for a setting that a method of the object, one that has nothing to do with the memo, sets to what it is
    given."""
    if name in memo.changing:
        return False
    storing = {id(frame.function) for frame in memo.moment.functions()} | view.only_building
    return any(id(m.frame.function) not in storing and _is_given(m) for m in view.state.writes(name))


def _is_given(moment: Moment) -> bool:
    event, frame = moment.event, moment.frame
    parts = within(event.value, 30) if isinstance(event, Write) and moment.caller is None else ()
    return any(isinstance(part, Argument) and not frame.is_self(part) for part in parts)


def is_constant_table(view: ModuleClass, name: str) -> bool:
    """True for a buffer that construction computes from constants, so that every checkpoint brings the same."""
    if view.state.registration(name) is not Registration.BUFFER:
        return False
    writes = [m for m in view.state.writes(name) if id(m.frame.function) not in view.construction_functions]
    calls = view.state.registrations.get(name, ())
    if writes or (not calls and not view.state.writes(name)):
        return False
    terms = [(call.value, call.moment.frame) for call in calls if call.value is not None and call.moment is not None]
    terms += [(m.event.value, m.frame) for m in view.state.writes(name) if isinstance(m.event, Write)]
    return bool(terms) and (not view.state.is_saved(name) or all(_is_table(term, frame) for term, frame in terms))


def _is_table(term: Term, frame: Frame, depth: int = 4) -> bool:
    """True where the value comes from arange() and its like, here or in the function that is called."""
    if mentions(term, TABLES):
        return True
    if not depth or not isinstance(term, Call) or frame.view is None:
        return False
    entered = [*frame.view.callees(term, frame)]
    target = frame.value(term.callee).of
    if not entered and isinstance(target, Function):
        entered = [frame.evaluator.entered(target, term, frame)]
    return any(
        _is_table(event.value, one, depth - 1)
        for one in entered
        for event in one.function.events
        if isinstance(event, Return)
    )


# What renews the value all the same


def _is_renewed(view: ModuleClass, memo: Memo, one: Dependence) -> bool:
    """True where the class renews the value when this changes: in `_apply`, in a load, or by a key of versions."""
    plain = {name for name in deciding_attributes(memo.moment) if view.state.registration(name) is None}
    names = plain | {memo.holder.name}
    if one in _BOTH:
        return any(answers_conversion(view, name) for name in names)
    if one.facet is Facet.STATE:
        has_key = has_version_key(memo.moment) or any(mentions(key, _VERSION) for key in memo.keys)
        return has_key or any(answers_load(view, name) for name in names)
    return False


def _beside_mode(
    view: ModuleClass, memo: Memo, missing: Dependences, needed: Dependences, asked: Dependences
) -> Dependences:
    """Without what TL103 says of the mode change that forgets the value: it speaks of learned values, and of all where
    the test asks for nothing but presence."""
    learned = frozenset(one for one in needed if one.facet is Facet.STATE and _may_change(view, memo, one))
    if not learned or not belongs_to_mode(view, memo.holder.name, memo.moment):
        return missing
    has_key = any(one.facet in _INPUTS or one in _BOTH for one in asked)
    return missing - learned if has_key else NOTHING
