"""Memos: tensors that a test of the object's own state keeps from one call to the next, wherever they are put."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.model.caches.memo_tests import asked_by_itself, asks_memory, changing_attributes, made_anew, tests_itself
from torchlint.model.caches.vain_tests import is_vain
from torchlint.model.events import Evaluated, Event, ItemWrite, Region, Write
from torchlint.model.facts import Function
from torchlint.model.flow.holders import (
    Holder,
    attribute_holder,
    holder_of,
    holds_tensor,
    keeps_tensor,
    puts_into_dict,
    table_around,
)
from torchlint.model.frames import Frame, Moment, last_name, self_use
from torchlint.model.modules.refresh import runs_in_backward_alone, runs_in_mode
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Constant,
    Global,
    Imported,
    Place,
    Subscript,
    Term,
)
from torchlint.model.unregistered.leftovers import mentions_attribute
from torchlint.model.values import TENSORS, Kind

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

# Events have rules of their own for what they store; and a helper that is run once, by hand, is no cache.
_ANSWERING = ("train", "eval", "_apply", "_load_from_state_dict", "load_state_dict", "__setstate__")
_ONCE = ("fuse", "merge", "reparam", "deploy", "export")
# What gives the elements of one tensor again, where it lies.
_REARRANGING = frozenset(
    "roll flip permute transpose t reshape view flatten squeeze unsqueeze index_select contiguous clone detach".split()
)


@dataclass(frozen=True, slots=True)
class Memo:
    """One store. keys: the keys of the dicts that it lies in. tests: the conditions that decide on it by the object's
    own state, each with the frame around it. changing: the plain attributes that later calls write."""

    holder: Holder
    moment: Moment
    value: Term
    keys: tuple[Term, ...]
    tests: tuple[tuple[Region, Frame], ...]
    changing: frozenset[str]

    @property
    def frame(self) -> Frame:
        """The function that stores it."""
        return self.moment.frame

    @property
    def place(self) -> Place:
        """The assignment, or the call that stores it."""
        event = self.moment.event
        return event.term.place if isinstance(event, Evaluated) else event.place  # type: ignore[attr-defined]


def memos(view: ModuleClass) -> tuple[Memo, ...]:
    """The memos of a class, the first store of each holder under each test, in order."""
    stores = list(_stores(view))
    if not stores:
        return ()
    found: dict[Event, Memo] = {}
    states: set[str] = set()
    for holder, moment, value, keys in stores:
        changing = changing_attributes(view, moment)
        guards = (*((region, moment.frame) for region in asked_by_itself(moment.event, moment.frame)), *moment.guards())
        tests = tuple(
            (region, frame)
            for region, frame in guards
            if asks_memory(region.subject, frame, holder, changing)
            and not (frame is moment.frame and is_vain(region.subject, keys))
        )
        is_memo = bool(tests) and not _is_updated(moment, holder, value) and not is_alias(value, moment.frame)
        earlier = next((memo for memo in found.values() if memo.holder == holder and _follows(moment, memo)), None)
        if earlier is not None:
            continue
        if not is_memo:
            if not _is_rearranged(moment, holder):
                states.add(holder.name)
            continue
        found[moment.event] = Memo(holder, moment, value, keys, tests, changing)
    return tuple(memo for memo in found.values() if memo.holder.name not in states and not _is_reset(view, memo))


def _follows(moment: Moment, memo: Memo) -> bool:
    """True for a store that reworks the value which the same run of the function has just stored."""
    around = {id(region) for region, _ in moment.guards()}
    return moment.frame.function is memo.frame.function and any(id(region) in around for region, _ in memo.tests)


def _stores(view: ModuleClass) -> Iterator[tuple[Holder, Moment, Term, tuple[Term, ...]]]:
    """The stores of tensors that methods other than the constructor make, with the calls that led to them."""
    if not _may_store(view):
        return
    seen: set[Event] = set()
    for moment in _walks(view):
        event = moment.event
        if event in seen or any(_is_once(frame.function.name) for frame in moment.functions()):
            continue
        for holder, value, keys in _stored(event, moment.frame, view):
            if keeps_tensor(value, moment.frame) or moment.frame.value(value).kind is Kind.UNKNOWN:
                seen.add(event)
                yield holder, moment, value, keys


def _may_store(view: ModuleClass) -> bool:
    """True where later calls write something, and do something under a condition: all else costs a walk for nothing."""
    functions = (*_later(view), *(wrapper.frame.function for wrapper in view.wrappers))
    steps = [step for function in functions for step in self_use(function).steps]
    if any(map(tests_itself, steps)):
        return True
    stores = any(isinstance(step, (Write, ItemWrite)) or puts_into_dict(step) for step in steps)
    return stores and any(step.guards() for step in steps)


def _later(view: ModuleClass) -> list[Function]:
    """The methods that later calls run, other than those that answer an event."""
    answering = {id(view.method(name)) for name in _ANSWERING}
    return [f for f in view.methods if id(f) not in answering and id(f) not in view.only_building]


def _is_once(name: str) -> bool:
    return any(word in name for word in _ONCE)


def _walks(view: ModuleClass) -> Iterator[Moment]:
    """What happens in later calls: what decorators run first, then forward, then the methods that no other method
    calls, then the rest."""
    entered: set[int] = set()
    for wrapper in view.wrappers:
        for moment in view.walk_frame(wrapper.frame):
            entered.add(id(moment.frame.function))
            yield moment
    called = set(entered)
    later = _leading_to_stores(view, _later(view))
    for function in later:
        frame = view.frame(function)
        for event in self_use(function).steps:
            if isinstance(event, Evaluated) and isinstance(event.term, Call):
                called.update(id(callee) for callee in view.functions_called(event.term, frame))
    order = sorted(later, key=lambda f: (f.name != "forward", id(f) in called))
    for function in order:
        if id(function) not in entered or id(function) not in called:
            for moment in view.walk_frame(view.frame(function)):
                entered.add(id(moment.frame.function))
                yield moment


def _leading_to_stores(view: ModuleClass, later: list[Function]) -> list[Function]:
    """The functions that may store something on the object, themselves or in what they run: most do neither."""
    leading = view.entering.leading_to(later, _may_hold_store)
    return [function for function in later if _may_hold_store(function) or id(function) in leading]


def _may_hold_store(function: Function) -> bool:
    """False where no event of a function is a store as `_stored` knows them; found once."""
    known: bool | None = function.derived.get("may hold store")
    if known is None:
        known = function.derived["may hold store"] = any(map(_may_be_store, self_use(function).steps))
    return known


def _may_be_store(event: Event) -> bool:
    if isinstance(event, Write):
        return event.operator == "=" and _may_be_object(event.base)
    puts = puts_into_dict(event)
    base = puts[0].base if puts else None
    while base is not None and (around := table_around(base)) is not None:
        base = around[0]
    return isinstance(base, (Choice, Global, Imported)) or (isinstance(base, Attribute) and _may_be_object(base.base))


def _may_be_object(term: Term) -> bool:
    """False where a term is neither the object nor its class, as _attribute_holder knows them."""
    if isinstance(term, Attribute):
        return term.name == "__class__"
    return isinstance(term, (Argument, Captured, Call, Global, Imported))


def _stored(event: Event, frame: Frame, view: ModuleClass) -> Iterator[tuple[Holder, Term, tuple[Term, ...]]]:
    if isinstance(event, Write) and event.operator == "=":
        names = (
            {event.attribute} if isinstance(event.attribute, str) else frame.evaluator.strings(event.attribute, frame)
        )
        for name in sorted(names):
            holder = attribute_holder(event.base, name, frame, view)
            if holder is not None and _is_plain(view, holder):
                yield holder, made_anew(event) or event.value, ()
        return
    for put in puts_into_dict(event):
        base, keys = put.base, [put.key]
        while (around := table_around(base)) is not None:
            base, key = around
            keys.append(key)
        holder = holder_of(base, frame, view)
        if holder is not None and _is_plain(view, holder) and _is_dict(base, holder, frame):
            yield holder, put.value, tuple(keys)


def _is_dict(base: Term, holder: Holder, frame: Frame) -> bool:
    return frame.value(base).kind not in TENSORS


def _is_plain(view: ModuleClass, holder: Holder) -> bool:
    if holder.is_global:
        return True
    return view.state.registration(holder.name) is None and not view.has_setter(holder.name)


# State that looks like a memo


def is_alias(value: Term, frame: Frame) -> bool:
    """True for a tensor that a plain attribute holds, as it is or in a list: it is set aside, and not made."""
    while isinstance(value, Subscript) and isinstance(value.index, Constant):
        value = value.base
    if not isinstance(value, Attribute) or not frame.is_self(value.base) or value.known is not None:
        return False
    view = frame.view
    return view is not None and view.method(value.name) is None and view.state.registration(value.name) is None


def _is_updated(moment: Moment, holder: Holder, value: Term) -> bool:
    """True for a value that is computed from what was there before."""
    event = moment.event
    if isinstance(event, Write):
        return mentions_attribute(value, event.base, holder.name)
    return (
        isinstance(event, ItemWrite)
        and isinstance(event.base, Attribute)
        and mentions_attribute(event.value, event.base.base, holder.name)
    )


def _is_rearranged(moment: Moment, holder: Holder) -> bool:
    """True for a value that is the old one in another order or shape: self.masks = self.masks[permutation]."""
    event = moment.event
    if not isinstance(event, Write):
        return False
    value = event.value
    while True:
        if isinstance(value, Attribute) and value.name == holder.name and value.base is event.base:
            return value is not event.value
        if isinstance(value, Subscript):
            value = value.base
        elif isinstance(value, Call) and last_name(value) in _REARRANGING:
            is_function = isinstance(value.callee, Imported)
            value = value.arguments[0] if is_function and value.arguments else getattr(value.callee, "base", value)
            if value is event.value:
                return False
        else:
            return False


def _is_reset(view: ModuleClass, memo: Memo) -> bool:
    """True where other code than an event's answer empties the holder or updates it in place: that code decides how
    long the value lives. What training alone drops evaluation keeps."""
    name = memo.holder.name
    answering = {id(m.frame.function) for m in view.walk(*_ANSWERING)} | view.only_building
    frames = (*map(view.frame, view.methods), *(wrapper.frame for wrapper in view.wrappers))
    for frame in frames:
        if id(frame.function) in answering or frame.function is view.method("__init__"):
            continue
        for event in self_use(frame.function).steps:
            if not _empties(event, name, frame, view) or _is_beside(event, memo):
                continue
            if runs_in_mode(Moment(event, frame)) is None and not runs_in_backward_alone(frame.function, view):
                return True
    return view.project.owners.may_assign(view.path, name)


def _is_beside(event: Event, memo: Memo) -> bool:
    """True inside the test that decides on the memo: what is emptied there makes room for the new value."""
    tests = {id(region) for region, _ in memo.tests}
    return any(id(region) in tests for region in event.regions)


def _empties(event: Event, name: str, frame: Frame, view: ModuleClass) -> bool:
    if isinstance(event, Write) and event.attribute == name and frame.is_self(event.base):
        value = frame.value(event.value)
        is_empty = value.kind is Kind.CONTAINER and not holds_tensor(value)
        return value.kind is Kind.NONE or is_empty or event.operator != "="
    if isinstance(event, ItemWrite):
        return event.operator != "=" and _is_named(event.base, name)
    callee = event.term.callee if isinstance(event, Evaluated) and isinstance(event.term, Call) else None
    if not isinstance(callee, Attribute) or not _is_named(callee.base, name):
        return False
    in_place = callee.name.endswith("_") and not callee.name.endswith("__") and callee.name != "requires_grad_"
    return callee.name in ("clear", "pop", "popitem") or in_place


def _is_named(term: Term, name: str) -> bool:
    while isinstance(term, Subscript):
        term = term.base
    return isinstance(term, Attribute) and term.name == name
