"""Arithmetic that meets all values of a state: a counter of batches is an integer and cannot hold a share of itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from torchlint.model.events import Evaluated, Event, ItemWrite
from torchlint.model.flow.callers import calling
from torchlint.model.flow.networks import written_name
from torchlint.model.flow.origins import origins
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import (
    Attribute,
    Call,
    Choice,
    Comprehension,
    Constant,
    Display,
    Element,
    Imported,
    Item,
    Operation,
    Subscript,
    Term,
)
from torchlint.model.values import Kind
from torchlint.model.weights.enumerated import writes_into
from torchlint.model.weights.named_states import is_a_state
from torchlint.model.weights.selections import is_filtered, is_selected
from torchlint.model.weights.whole_batches import Sort, sort_of
from torchlint.model.weights.wholes import whole_of

# Words of a name, not letters inside of one: neither "iteration" nor "steps" is a share.
_SHARES = re.compile(
    r"(?<![a-z])(?:weight|share|coef|ratio|frac|alpha|beta|decay|momentum|factor|scale|prob|sigma|noise|mix"
    r"|(?:lam|lambda|lambd|rate|lr|tau|eps|epsilon|std)s?(?![a-z]))"
)
_ARITHMETIC = frozenset("mul_ div_ add_ sub_ lerp_ addcmul_".split())
_PLAIN = frozenset("mul div add sub lerp true_divide mean sum stack reduce".split())
_NOISE = frozenset("randn_like rand_like normal randn rand".split())
# Dicts of what is counted and shown.
_NUMBERS = re.compile(r"(?<![a-z])(metric|stat|meter|info|log|total|reward|time|count|value)s?(?![a-z])")
_STATES = frozenset(("Module.state_dict", "torch.load"))
# What files that define networks say, and those that hold integers in their state: batch norms count, and what is
# registered may be a table.
_NETWORKS = (b"(nn.Module)", b"(torch.nn.Module)")
_COUNTING = (b"BatchNorm", b"num_batches_tracked", b"track_running_stats", b"register_buffer", b"resnet")
_DEPTH = 8


def state_arithmetic(frame: Frame) -> Iterator[tuple[Event, Term, str, bool]]:
    """The computations of a function that meet every value of a state with no test of its dtype: event, term, what the
    state is, and whether the values are changed in place. Elsewhere the results are kept under the same keys. None
    where the project defines networks, and none of its files speaks of a layer that has integers in its state."""
    found = list(_computations(frame))
    if found and (not _is_spoken_of(_NETWORKS, frame) or _is_spoken_of(_COUNTING, frame)):
        yield from found


def _is_spoken_of(words: tuple[bytes, ...], frame: Frame) -> bool:
    return any(frame.evaluator.project.files_around(frame.path, word) for word in words)


def _computations(frame: Frame) -> Iterator[tuple[Event, Term, str, bool]]:
    for event in frame.function.events:
        if not isinstance(event, Evaluated) or not isinstance(event.term, (Call, Operation)):
            continue
        what = _in_place(event.term, event, frame)
        if what is not None:
            yield event, event.term, what, True
        elif _may_be_share(event.term) and _is_kept(event.term, frame):
            what = _state_met(event.term, event, frame)
            if what is not None and _is_share(event.term, frame):
                yield event, event.term, what, False


# In place


def _in_place(term: Term, event: Event, frame: Frame) -> str | None:
    """value.mul_(decay) or value *= decay for every value of a state_dict."""
    if isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name in _ARITHMETIC:
        if term.callee.name in ("add_", "sub_") and not any(_is_part_share(part, frame) for part in term.inputs):
            return None
        changed = term.callee.base
    elif isinstance(term, Operation) and (term.operator in ("*=", "/=") or _adds_a_share(term, frame)):
        changed = term.parts[0]
    elif isinstance(term, Call) and last_name(term).removeprefix("_foreach_") in _ARITHMETIC:
        return _of_lists(term, event, frame)
    else:
        return None
    if is_selected(event, changed) or (isinstance(term, Operation) and _holds_floats(changed, term, frame)):
        return None
    return _state_of(changed, frame)


def _sort_of(term: Term, frame: Frame) -> Sort | None:
    """What a tensor is one of all the values of, unless it is known to be floating."""
    whole = whole_of(term, frame)
    sort = sort_of(whole, frame) if whole is not None and not frame.value(term).is_floating else None
    is_named = whole is not None and sort is not None and sort.kind == "named"
    return sort if whole is None or not is_named or is_a_state(whole.keys, frame) else None


def _is_state(sort: Sort) -> bool:
    return sort.kind == "named" or (sort.kind == "state" and sort.what in _STATES)


def _state_of(term: Term, frame: Frame) -> str | None:
    sort = _sort_of(term, frame)
    return sort.what if sort is not None and _is_state(sort) else None


def _of_lists(call: Call, event: Event, frame: Frame) -> str | None:
    """torch._foreach_mul_(values, decay), where the list is of all values of a state_dict."""
    written = next((one for one in writes_into(frame) if one.term is call), None)
    if written is None or not isinstance(call.callee, Imported) or not isinstance(written.target, Element):
        return None
    made_by = frame.value(written.target).made_by
    what = made_by if made_by in _STATES else _state_of(written.target, frame)
    if what is None or is_selected(event, written.target):
        return None
    target = written.outside if isinstance(written.outside, Element) else written.target
    return what if all(_takes_all(term, where) for term, where in origins(target.iterable, frame)) else None


def _takes_all(listed: Term, frame: Frame) -> bool:
    """True for a list of everything that it is made from: no test picks some."""
    if isinstance(listed, Comprehension):
        return not is_filtered(listed, frame.function)
    name = last_name(listed) if isinstance(listed, Call) else ""
    if isinstance(listed, Call) and name in ("list", "tuple") and len(listed.arguments) == 1:
        return _takes_all(listed.arguments[0], frame)
    return name == "values"


def _adds_a_share(term: Operation, frame: Frame) -> bool:
    """True for total[key] += share * value, where the total is made of the values of a state, integer ones included."""
    total = term.parts[0]
    if term.operator not in ("+=", "-=") or not isinstance(total, Subscript):
        return False
    if not isinstance(term.parts[1], Operation) or not _is_share(term.parts[1], frame):
        return False
    return _is_like_state(term, frame)


def _holds_floats(total: Term, term: Term, frame: Frame) -> bool:
    """True where an earlier statement has put a share, or 0.0, under each key: the total is of floating tensors by
    then, whatever is added to it."""
    if not isinstance(total, Subscript):
        return False
    for event in frame.function.events:
        if isinstance(event, Evaluated) and event.term is term:
            return False
        if isinstance(event, ItemWrite) and event.operator == "=" and event.base is total.base:
            is_float = isinstance(event.value, Constant) and isinstance(event.value.value, float)
            if _is_share(event.value, frame) or (is_float and not is_selected(event, event.index)):
                return True
    return False


def _is_like_state(term: Operation, frame: Frame) -> bool:
    value = frame.value(term.parts[0])
    return value.made_by == "Module.state_dict" or (value.kind is Kind.TENSOR and value.dtype is None)


# Kept under the same keys


def _may_be_share(term: Call | Operation) -> bool:
    """A cheap question, asked first."""
    return last_name(term) in _PLAIN if isinstance(term, Call) else term.operator in ("+", "-", "*", "/")


def _is_kept(term: Term, frame: Frame) -> bool:
    """True for what is stored under a key: out[key] = term, {key: term for ..}, OrderedDict((key, term) for ..)."""
    parents = parents_in(frame.function)
    for _ in range(_DEPTH):
        for parent in parents.get(id(term), ()):
            if isinstance(parent, ItemWrite) and parent.value is term:
                return True
            if isinstance(parent, Comprehension) and len(parent.parts) == 2 and parent.parts[-1] is term:
                return True
            is_pair = isinstance(parent, Display) and len(parent.parts) == 2 and parent.parts[1] is term
            if is_pair and any(isinstance(one, Comprehension) for one in parents.get(id(parent), ())):
                return True
        above = next((one for one in parents.get(id(term), ()) if isinstance(one, Choice)), None)
        if above is None:
            return False
        term = above
    return False


def _state_met(term: Term, event: Event, frame: Frame) -> str | None:
    """The state that the operands of a computation are all the values of; also two dicts that are mixed where a state
    is loaded."""
    mixed: set[str] = set()
    for operand in _operands(term, _DEPTH):
        sort = _sort_of(operand, frame)
        if sort is None or is_selected(event, operand):
            continue
        if sort.kind in ("dict", "other keys"):
            mixed.add(sort.what)
        elif _is_state(sort):
            return sort.what
    is_mix = len(mixed) > 1 and any(calling(frame.evaluator.project, frame.path, "load_state_dict"))
    return min(mixed) if is_mix and not any(map(_NUMBERS.search, mixed)) else None


def _operands(term: Term, depth: int) -> Iterator[Term]:
    """What a computation is made from, as it is: not what is converted on the way."""
    if isinstance(term, Operation):
        parts = term.parts
    elif isinstance(term, Call) and last_name(term) in _PLAIN:
        is_method = isinstance(term.callee, Attribute)
        parts = (*((term.callee.base,) if isinstance(term.callee, Attribute) and is_method else ()), *term.inputs)
    elif isinstance(term, Comprehension):
        parts = term.parts[-1:]
    else:
        yield term
        return
    for part in parts if depth else ():
        yield from _operands(part, depth - 1)


def _is_share(term: Term, frame: Frame) -> bool:
    """True for what is no whole number of what it is computed from: a product with a fraction, a quotient, a mean."""
    if isinstance(term, Operation):
        if term.operator == "*":
            return any(_is_part_share(part, frame) for part in term.parts)
        return term.operator == "/" or any(_is_share(part, frame) for part in term.parts if term.operator in ("+", "-"))
    if not isinstance(term, Call):
        return False
    name = last_name(term)
    if name in ("lerp", "div", "true_divide", "mean"):
        return term.keyword("rounding_mode") is None
    if name in ("mul", "add", "sub"):
        return any(_is_part_share(part, frame) for part in term.inputs)
    return name in _NOISE


def _is_part_share(part: Term, frame: Frame) -> bool:
    return _is_fraction(part, frame) or _is_share(part, frame)


def _is_fraction(factor: Term, frame: Frame) -> bool:
    """True for a number that is no integer, or that is called a share."""
    value = frame.value(factor)
    if value.kind not in (Kind.UNKNOWN, Kind.NUMBER) or isinstance(value.constant, int):
        return False
    is_float = value.is_floating or isinstance(value.constant, float) or getattr(factor, "operator", "") in ("/",)
    is_rest = isinstance(factor, Operation) and factor.operator in ("+", "-")
    if is_rest and isinstance(factor, Operation):
        return is_float or any(_is_fraction(part, frame) for part in factor.parts)
    return is_float or bool(_SHARES.search(_name_of_number(factor).lower()))


def _name_of_number(term: Term) -> str:
    """The name of a number, or of the numbers that it is one of: shares of `for share, m in zip(shares, models)`."""
    if isinstance(term, Item) and isinstance(term.base, Element):
        listed = term.base.iterable
        if isinstance(listed, Call) and last_name(listed) == "zip" and term.index < len(listed.arguments):
            return written_name(listed.arguments[term.index])
    return written_name(term)
