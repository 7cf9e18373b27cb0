"""Batches and states that are converted as a whole: a term that is one of all the tensors of one."""

from __future__ import annotations

import re

from torchlint.model.callers import callers_of
from torchlint.model.events import Evaluated
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, Moment, has_self, last_name
from torchlint.model.networks import written_name
from torchlint.model.terms import Argument, Attribute, Call, Element, Global, Item, Subscript, Term
from torchlint.model.values import Kind, TensorValue

_BATCH = re.compile(r"_?(mini_?|sub_?|micro_?)?batch(_data|_dict|_inputs)?|(data|inputs?)_(batch|dict)|sample")
_LOADER = re.compile(r"_?(\w+_)?(data_?)?(loader|dl|dataloader)s?")
_SAME = frozenset("to cuda cpu detach clone contiguous".split())
_SAME_KEYS = frozenset("list tuple sorted keys".split())


def batch_of(term: Term, frame: Frame) -> bool:
    """True for one of all the tensors of a batch: value of `for key, value in batch.items()`, batch[key], t of
    `for t in batch`; and what a function that goes through nested batches gets, where it calls itself for the parts."""
    while isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name in _SAME:
        term = term.callee.base
    if isinstance(term, Argument):
        return not frame.is_self(term) and goes_through(term.index, frame)
    whole = _whole(term)
    if isinstance(whole, Subscript):
        # One field of it, by a key that the program chose.
        return batch_of(whole, frame)
    if whole is None or frame.value(whole).is_tensor or not is_whole_batch(whole):
        return False
    return not (isinstance(term, Element) and term.iterable is whole and _joins_samples(frame))


def is_of_state(term: Term, frame: Frame) -> bool:
    """True for one of all the values of a parameter that every caller passes a state_dict() for."""
    whole = _whole(term)
    if not isinstance(whole, Argument) or frame.is_self(whole) or frame.value(whole).kind is not Kind.UNKNOWN:
        return False
    passed = [given for moment in callers_of(frame) if (given := _given(moment, whole, frame.function)) is not None]
    return bool(passed) and all(value.made_by == "Module.state_dict" for value in passed)


def _given(moment: Moment, argument: Argument, function: Function) -> TensorValue | None:
    call = moment.event.term if isinstance(moment.event, Evaluated) else None
    if not isinstance(call, Call):
        return None
    is_bound = has_self(function) and isinstance(call.callee, Attribute)
    term = call.argument(argument.index - int(is_bound), argument.name)
    return moment.frame.value(term) if term is not None else None


def _joins_samples(frame: Frame) -> bool:
    """True for a function that makes a batch of a list of samples, which is called a batch as well."""
    names = {last_name(call) for call in frame.function.calls}
    return "collate" in frame.function.name or bool(names & {"stack", "cat", "pad_sequence"})


def _whole(term: Term) -> Term | None:
    """What a term is each of: batch of batch[key], where the key runs over it, and of an element or a value."""
    if isinstance(term, Subscript):
        keys = term.index.base if isinstance(term.index, Item) else term.index
        return term.base if isinstance(keys, Element) and _keys_of(keys.iterable) is term.base else None
    if isinstance(term, Item) and term.index == 1 and isinstance(term.base, Element):
        return _held(term.base.iterable, "items")
    if isinstance(term, Element):
        return _held(term.iterable, "values") or term.iterable
    return None


def _held(iterable: Term, method: str) -> Term | None:
    if isinstance(iterable, Call) and isinstance(iterable.callee, Attribute) and iterable.callee.name == method:
        return iterable.callee.base
    return None


def _keys_of(iterable: Term) -> Term:
    """The dict whose keys an iterable gives."""
    while isinstance(iterable, Call) and last_name(iterable) in _SAME_KEYS | {"items"}:
        given = iterable.arguments[0] if iterable.arguments else None
        inner = iterable.callee.base if isinstance(iterable.callee, Attribute) else given
        if inner is None:
            break
        iterable = inner
    return iterable


def is_whole_batch(whole: Term) -> bool:
    """True for what a loader gives, and for what is so called."""
    if isinstance(whole, Call):
        is_next = last_name(whole) == "next" and bool(whole.arguments)
        return is_next and _LOADER.fullmatch(_loader_of(whole.arguments[0])) is not None
    if isinstance(whole, Item) and isinstance(whole.base, Element) and last_name(whole.base.iterable) == "enumerate":
        return whole.index == 1 and _LOADER.fullmatch(_loader_of(whole.base.iterable)) is not None
    if isinstance(whole, Element):
        return _LOADER.fullmatch(_loader_of(whole.iterable)) is not None
    return _BATCH.fullmatch(written_name(whole).lower()) is not None


def _loader_of(term: Term) -> str:
    """The name of a loader, of iter(loader), of enumerate(loader); "" for what has none."""
    while isinstance(term, Call) and last_name(term) in ("iter", "enumerate", "tqdm") and term.arguments:
        term = term.arguments[0]
    return "loader" if isinstance(term, Call) and last_name(term) == "DataLoader" else written_name(term).lower()


def goes_through(index: int, frame: Frame) -> bool:
    """True where the function calls itself for each part of its argument at `index`."""
    for call in frame.function.calls:
        callee = call.callee
        is_own = isinstance(callee, (Global, Attribute)) and last_name(call) == frame.function.name
        for given in call.arguments if is_own else ():
            whole = _whole(given)
            if isinstance(whole, Argument) and whole.index == index:
                return True
    return False
