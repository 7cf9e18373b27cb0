"""Wholes: the dict, list or state that a tensor is one of all the values of, and what kind of tensors it holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import (
    Attribute,
    Call,
    Comprehension,
    Constant,
    Display,
    Element,
    Imported,
    Item,
    Operation,
    Starred,
    Subscript,
    Term,
)
from torchlint.model.weights.enumerated import path_of, same_memory
from torchlint.model.weights.selections import is_filtered

_MOVES = frozenset("to cuda cpu detach clone contiguous numpy".split())
_MAKES = frozenset("stack cat as_tensor tensor from_numpy asarray".split())
_SAME_ELEMENTS = frozenset("list tuple iter sorted reversed set tqdm track islice".split())
_FIELDS = frozenset(("_fields", "__slots__", "__dataclass_fields__"))
_LOOKS_UP = frozenset("get pop get_tensor".split())
_SAME_DICT = frozenset("dict OrderedDict copy deepcopy".split())
_ARITHMETIC = frozenset("+ - * /".split())
_DEPTH = 8


@dataclass(frozen=True, slots=True)
class Whole:
    """What a term is one of all the values of. container: the dict or list. keys: the dict whose keys select, which is
    the container itself where no other one gives them. is_keyed: the container is a dict. part: the value as it was
    taken out, before it was moved."""

    container: Term
    keys: Term
    is_keyed: bool
    part: Term


def whole_of(term: Term, frame: Frame, depth: int = _DEPTH) -> Whole | None:
    """What `term` is each of: batch of `for key, value in batch.items()`, state of state[key], where the key runs over
    it; None for one value that the program chose, and where that is not known."""
    part = moved(term)
    if isinstance(part, (Subscript, Call)) and depth:
        return _looked_up(part)
    base, path = _unpacked(part)
    if not isinstance(base, Element) or not depth:
        return None
    found = _each(base.iterable, path, frame, depth - 1)
    return replace(found, part=part) if found is not None else None


def wholes_in(term: Term, frame: Frame, depth: int = _DEPTH) -> Iterator[tuple[Term, Whole]]:
    """The same for a value, and for each operand of what is computed: a * before[key] + b * after[key]."""
    found = whole_of(term, frame)
    if found is not None:
        yield term, found
    elif depth and isinstance(term, Operation) and term.operator in _ARITHMETIC:
        for part in term.parts:
            yield from wholes_in(part, frame, depth - 1)


def _unpacked(term: Term) -> tuple[Term, tuple[int, ...]]:
    """What a term was unpacked from, and where it stood in there."""
    path: tuple[int, ...] = ()
    while isinstance(term, Item):
        path = (term.index, *path)
        term = term.base
    return term, path


def moved(term: Term) -> Term:
    """The tensor behind x.cpu(), x.to(device), x.detach() and x.data; what torch.stack(samples) is made of."""
    while True:
        term = same_memory(term)
        if isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name in _MOVES:
            term = term.callee.base
        elif isinstance(term, Call) and isinstance(term.callee, Imported) and _makes_tensor(term):
            term = term.arguments[0]
            term = term.parts[-1] if isinstance(term, Comprehension) and len(term.parts) == 1 else term
        else:
            return term


def _makes_tensor(call: Call) -> bool:
    return last_name(call) in _MAKES and bool(call.arguments)


def _looked_up(term: Subscript | Call) -> Whole | None:
    """state[key], state.pop(key) for each key of a dict."""
    if isinstance(term, Subscript):
        holder, key = term.base, term.index
    elif last_name(term) == "getattr" and len(term.arguments) > 1:
        return _by_field(term, term.arguments[0], term.arguments[1])
    elif isinstance(term.callee, Attribute) and term.callee.name in _LOOKS_UP and len(term.inputs) == 1:
        holder, key = term.callee.base, term.inputs[0]
    else:
        return None
    keys = _keys_of(key)
    if keys is None:
        return None
    is_same = _is_same(keys, holder) or _same_dict(holder) is keys or _is_one_of_many(keys, holder)
    return Whole(holder, holder if is_same else keys, is_keyed=True, part=term)


def _by_field(call: Call, holder: Term, key: Term) -> Whole | None:
    """getattr(record, field.name) for field in fields(record), getattr(record, name) for name in record._fields."""
    key = key.base if isinstance(key, Attribute) and key.name == "name" else key
    names = key.iterable if isinstance(key, Element) else None
    if isinstance(names, Call) and last_name(names) == "fields" and names.arguments:
        source: Term | None = names.arguments[0]
    else:
        source = names.base if isinstance(names, Attribute) and names.name in _FIELDS else None
    is_same = source is not None and _is_same(source, holder)
    return Whole(holder, holder, is_keyed=True, part=call) if is_same else None


def _is_same(one: Term, other: Term) -> bool:
    return one is other or path_of(one) == path_of(other) != ""


def _is_one_of_many(keys: Term, holder: Term) -> bool:
    """True for the keys of samples[0] beside each of the samples."""
    if not isinstance(holder, Element) or not isinstance(keys, Subscript) or not isinstance(keys.index, Constant):
        return False
    return _is_same(keys.base, holder.iterable)


def _same_dict(holder: Term) -> Term:
    while isinstance(holder, Call) and last_name(holder) in _SAME_DICT and holder.arguments:
        holder = holder.arguments[0]
    return holder


def _keys_of(key: Term) -> Term | None:
    """The dict that a key runs over."""
    key, path = _unpacked(key)
    return _iterated(key.iterable, path) if isinstance(key, Element) else None


def _iterated(iterable: Term, path: tuple[int, ...]) -> Term | None:
    while isinstance(iterable, Call):
        name, given = last_name(iterable), iterable.arguments
        is_method = isinstance(iterable.callee, Attribute)
        if is_method and isinstance(iterable.callee, Attribute) and (name, path) in (("keys", ()), ("items", (0,))):
            return iterable.callee.base
        if name == "enumerate" and path[:1] == (1,) and given:
            iterable, path = given[0], path[1:]
        elif name == "zip" and path and path[0] < len(given):
            iterable, path = given[path[0]], path[1:]
        elif name in _SAME_ELEMENTS and given:
            iterable = given[0]
        else:
            break
    return iterable if not path else None


def _plain(container: Term, *, is_keyed: bool) -> Whole:
    return Whole(container, container, is_keyed, container)


def _each(iterable: Term, path: tuple[int, ...], frame: Frame, depth: int) -> Whole | None:
    """The same for one element of an iterable, and for the part of it that `path` unpacks."""
    if isinstance(iterable, Comprehension):
        part = iterable.parts[-1]
        while path and isinstance(part, Display) and path[0] < len(part.parts):
            part, path = part.parts[path[0]], path[1:]
        is_part = not path and len(iterable.parts) == 1 and not is_filtered(iterable, frame.function)
        return whole_of(part, frame, depth - 1) if depth and is_part else None
    if not isinstance(iterable, Call) or not depth:
        return _plain(iterable, is_keyed=False) if not path and depth else None
    return _each_of_call(iterable, path, frame, depth)


def _each_of_call(call: Call, path: tuple[int, ...], frame: Frame, depth: int) -> Whole | None:
    name, given = last_name(call), call.arguments
    if isinstance(call.callee, Attribute) and (name, path) in (("values", ()), ("items", (1,))):
        return _plain(call.callee.base, is_keyed=True)
    if (name, path) == ("named_buffers", (1,)):
        return _plain(call, is_keyed=False)
    if name == "zip" and not path and len(given) == 1 and isinstance(given[0], Starred):
        # The columns of a list of rows.
        return _plain(given[0], is_keyed=True)
    if name == "zip" and path and path[0] < len(given):
        return _each(given[path[0]], path[1:], frame, depth - 1)
    if name == "enumerate" and path[:1] == (1,) and given:
        return _each(given[0], path[1:], frame, depth - 1)
    if name == "from_iterable" and given and isinstance(given[0], Comprehension):
        return _each(given[0].parts[-1], path, frame, depth - 1)
    if name in _SAME_ELEMENTS | {"chain"} and given:
        found = (_each(one, path, frame, depth - 1) for one in (given if name == "chain" else given[:1]))
        return next((one for one in found if one is not None), None)
    return _plain(call, is_keyed=False) if not path else None
