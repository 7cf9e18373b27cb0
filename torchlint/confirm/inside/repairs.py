"""What to change in the inputs of a forward that failed: sizes, numbers of dimensions, kinds, what is given."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator

import torch

from .candidates import LENGTH
from .clues import lines
from .complaints import MAX_SIZE, Ranked, Sided, Sized, ranks_in, sides_in, sizes_in
from .inputs import Inputs
from .plans import (
    FLAGS,
    FLOATS,
    IDS,
    STEPS,
    UNIT,
    Array,
    Constant,
    Group,
    Guess,
    Plan,
    arrays,
    changed,
    of_rank,
    plan_at,
    resized,
    with_plan,
)
from .trial import Failure

_MOST_OF_A_KIND = 8
_NEEDS_MORE = 4
Change = Callable[[Array], Plan]


def repairs(guess: Guess, failure: Failure, inputs: Inputs) -> Iterator[Guess]:
    """Other guesses that what is known of a failure suggests, the likeliest first, each once."""
    seen = {repr(guess)}
    for one in _all_repairs(guess, failure, inputs):
        if repr(one) not in seen:
            seen.add(repr(one))
            yield one


def _all_repairs(guess: Guess, failure: Failure, inputs: Inputs) -> Iterator[Guess]:
    text = lines(failure.error)
    names = _concerned(guess, failure, text)
    wanted = [*sizes_in(failure), *ranks_in(failure)][:_MOST_OF_A_KIND]
    yield from _given(guess, failure, inputs, text)
    yield from _of_kind(guess, failure, text)
    yield from _as_tensors(guess, failure, inputs, text)
    yield from _limited(guess, failure)
    yield from _grouped(guess, failure, text)
    for sided in sides_in(failure):
        yield from _with_sides(guess, sided, names)
    for one in wanted:
        if isinstance(one, Sized):
            yield from _with_size(guess, one, names)
        elif isinstance(one, Ranked):
            yield from _with_rank(guess, one, names)
    yield from _others(guess, failure, inputs, text)
    for one in wanted:
        if isinstance(one, Sized):
            yield from _with_derived(guess, one, names)


def _concerned(guess: Guess, failure: Failure, text: str) -> list[str]:
    """The arguments that a failure has to do with: by what the operation was given, by name, or all of them."""
    statements = text.partition("\n")[2]
    return sorted(failure.inputs) or [name for name in guess if _names(statements, name)] or list(guess)


def _names(text: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


# What is given


def _given(guess: Guess, failure: Failure, inputs: Inputs, text: str) -> Iterator[Guess]:
    """With an argument that has a default and is needed all the same, by its name in the error or in its line."""
    is_missing = re.search(r"NoneType|missing \d+ required|specify|provide|must be|None|required|needed", text)
    for name in inputs.parameters:
        if is_missing and name not in guess and _names(text, name):
            for plan in inputs.plans(name):
                if plan != Constant(None):
                    yield {**guess, name: plan}
                    break


def _others(guess: Guess, failure: Failure, inputs: Inputs, text: str) -> Iterator[Guess]:
    """With other plans for the arguments concerned."""
    for name in {one.partition("[")[0]: None for one in _concerned(guess, failure, text)}:
        plans = inputs.plans(name)
        if guess[name] in plans or isinstance(guess[name], (Constant, Group)):
            for plan in plans[:_NEEDS_MORE]:
                if plan != guess[name]:
                    yield {**guess, name: plan}


# Kinds

_WANTS_IDS = re.compile(
    r"tensors used as indices must be|index_select\(\): Expected dtype int|argument .* scalar types: Long"
    r"|[Ee]xpected.*(dtype|type|tensor).* (int64|Long)|only applicable to index tensor|expected scalar type Long"
    r"|must be (int|integer)|integer tensor|LongTensor|\"(bincount|bitwise\w*|gather|one_hot)|Expected dtype int"
)
_WANTS_FLOATS = re.compile(
    r"not implemented for '(Long|Int|Bool)'|must have the same dtype|have the same dtype|same dtype.*(long|Long|int)"
    r"|mixed dtype|same datatype"
    r"|expected (scalar )?type Float|expected m1 and m2|floating point|[Ff]ound dtype Long|should be the same"
)
_WANTS_FLAGS = re.compile(r"bool(ean)? (tensor|mask|dtype)|expected .* Bool|expects a boolean", re.I)
_WANTS_UNIT = re.compile(r"negative|positive|between 0 and 1|in \[0, ?1\]|range 0")
_WANTS_NUMBERS = re.compile(
    r"must be int|got \(Tensor|got Tensor|only integer tensors of a single|cannot be interpreted as an integer"
    r"|ambiguous|type (must be )?tuple of ints|not Tensor"
)
_WANTS_NO_NUMBER = re.compile(
    r"must be Tensor, not (int|float|tuple|bool)|'(Tensor|Parameter)' and 'tuple'"
    r"|'(int|float|tuple)' and '(Tensor|Parameter)'"
    r"|'(int|float|tuple|bool)' object has no attribute '(shape|size|dim|ndim|view|dtype|device|mean|to)'"
)
_INDEXING = ("__getitem__", "__setitem__", "index_select", "gather", "scatter", "scatter_", "index_add", "index_add_")


def _of_kind(guess: Guess, failure: Failure, text: str) -> Iterator[Guess]:
    message = str(failure.error)
    names = _concerned(guess, failure, text)
    for pattern, kind, others in (
        (_WANTS_IDS, IDS, (FLOATS,)),
        (_WANTS_FLAGS, FLAGS, (FLOATS, IDS)),
        (_WANTS_FLOATS, FLOATS, (IDS, FLAGS, STEPS)),
        (_WANTS_UNIT, UNIT, (FLOATS,)),
    ):
        if pattern.search(message):
            for name in _indices(failure) or names if kind == IDS else names:
                if any(one.kind in others for one in arrays(plan_at(guess, name))):
                    yield _applied(guess, [name], lambda one, kind=kind: dataclasses.replace(one, kind=kind))  # type: ignore[misc]
    if _WANTS_NUMBERS.search(message):
        for some in (names, *([name] for name in names if len(names) > 1)):
            yield _applied(guess, some, lambda one: Constant(LENGTH))


def _as_tensors(guess: Guess, failure: Failure, inputs: Inputs, text: str) -> Iterator[Guess]:
    """With a tensor for a number that its name suggested."""
    if _WANTS_NO_NUMBER.search(str(failure.error)):
        numbers = [name for name, plan in guess.items() if isinstance(plan, Constant) and plan.value is not None]
        named = [name for name in numbers if _names(text.partition("\n")[2], name)]
        yield from ({**guess, name: shape} for name in named or numbers for shape in inputs.shapes[:_NEEDS_MORE])


def _indices(failure: Failure) -> list[str]:
    """The arguments that an operation took as an index."""
    if failure.operation not in _INDEXING:
        return []
    return sorted(frozenset().union(*(one.inputs for one in failure.operands[1:2])))


def _limited(guess: Guess, failure: Failure) -> Iterator[Guess]:
    """With smaller ids, where an index was out of range."""
    message = str(failure.error)
    if not isinstance(failure.error, (IndexError, RuntimeError)) or "out of" not in message:
        return
    found = re.search(r"out of (?:bounds|range).*(?:size|dimension) (\d+)", message)
    limits = [int(found[1])] if found else []
    limits += [one.shape[0] for one in failure.operands if one.dtype.is_floating_point and one.shape]
    names = sorted(failure.inputs) or list(guess)
    kinds = {one.kind for name in names for one in arrays(plan_at(guess, name))}
    if failure.operation == "embedding" and FLOATS in kinds:
        yield _applied(guess, names, lambda one: dataclasses.replace(one, kind=IDS))
    for limit in [*limits, 4, 2]:
        if any(one.limit > limit for name in names for one in arrays(plan_at(guess, name))):
            yield _applied(guess, names, lambda one, limit=limit: dataclasses.replace(one, limit=min(one.limit, limit)))  # type: ignore[misc]


# Sizes


def _with_size(guess: Guess, sized: Sized, names: list[str]) -> Iterator[Guess]:
    """With every dimension of the old size made the new one; then each dimension alone."""
    if not 0 < sized.new <= MAX_SIZE and sized.old >= 0:
        return
    if sized.old < 0:
        yield from _with_elements(guess, -sized.old, sized.new, names)
        return
    yield _applied(guess, names, lambda one: resized(one, sized.old, sized.new))
    for name in names:
        plan = plan_at(guess, name)
        yield _applied(guess, [name], lambda one: resized(one, sized.old, sized.new))
        for at in range(max((len(one.shape) for one in arrays(plan)), default=0) - 1, -1, -1):
            yield _applied(guess, [name], lambda one, at=at: resized(one, sized.old, sized.new, at=at))  # type: ignore[misc]
        if plan == Constant(sized.old):
            yield with_plan(guess, name, Constant(sized.new))
    if not set(guess) <= set(names):
        yield from _with_size(guess, sized, list(guess))


def _with_sides(guess: Guess, sided: Sided, names: list[str]) -> Iterator[Guess]:
    """With images that are larger or smaller by as much as what was computed from them should be."""
    for name in names:
        plan = plan_at(guess, name)
        if isinstance(plan, Array) and len(plan.shape) >= 4:
            new = tuple(max(1, round(side * (sided.new / sided.old) ** 0.5)) for side in plan.shape[-2:])
            if max(new) <= MAX_SIZE:
                yield with_plan(guess, name, dataclasses.replace(plan, shape=(*plan.shape[:-2], *new)))


def _with_derived(guess: Guess, sized: Sized, names: list[str]) -> Iterator[Guess]:
    """With a size from which the old one may have been computed: by a factor, a summand, or as the area of an image."""
    for name in names:
        plan = plan_at(guess, name)
        if not isinstance(plan, Array) or sized.old <= 0:
            continue
        if len(plan.shape) >= 4 and plan.shape[-1] == plan.shape[-2]:
            side = plan.shape[-1]
            for new in (side * sized.new // sized.old, round(side * (sized.new / sized.old) ** 0.5)):
                if 0 < new <= MAX_SIZE:
                    yield with_plan(guess, name, dataclasses.replace(plan, shape=(*plan.shape[:-2], new, new)))
        for at in range(len(plan.shape) - 1, 0 if len(plan.shape) > 1 else -1, -1):
            size = plan.shape[at]
            factor = size * sized.new // sized.old if size * sized.new % sized.old == 0 else 0
            for new in (factor, size + sized.new - sized.old):
                if 0 < new <= MAX_SIZE:
                    yield with_plan(guess, name, resized(plan, size, new, at=at))


def _with_elements(guess: Guess, total: int, wanted: int, names: list[str]) -> Iterator[Guess]:
    for name in names:
        for old in dict.fromkeys(size for one in arrays(plan_at(guess, name)) for size in one.shape[:0:-1]):
            if old and old * wanted % total == 0 and 0 < old * wanted // total <= MAX_SIZE:
                yield _applied(guess, [name], lambda one, old=old: resized(one, old, old * wanted // total))  # type: ignore[misc]
            elif old and wanted > 1:
                yield _applied(guess, [name], lambda one, old=old: resized(one, old, wanted))  # type: ignore[misc]


# Numbers of dimensions


def _with_rank(guess: Guess, ranked: Ranked, names: list[str]) -> Iterator[Guess]:
    """With more or fewer dimensions: as many more as the one that failed should have had, then as many as it should."""
    steps = [ranked.new - ranked.old] if ranked.old is not None else []
    for name in names:
        plan = plan_at(guess, name)
        if not isinstance(plan, Array):
            continue
        for rank in dict.fromkeys([*(len(plan.shape) + step for step in steps), ranked.new]):
            if 0 <= rank <= 5 and rank != len(plan.shape):
                for shape in of_rank(plan.shape, rank):
                    yield with_plan(guess, name, dataclasses.replace(plan, shape=shape))
                    if len(names) > 1:
                        yield _applied(guess, names, lambda one, shape=shape: dataclasses.replace(one, shape=shape))  # type: ignore[misc]


# Several in one


def _grouped(guess: Guess, failure: Failure, text: str) -> Iterator[Guess]:
    """With a list, a tuple or a dict where the error is of a tensor that is used as one."""
    message = str(failure.error)
    count = re.search(r"values to unpack \(expected (\d+)", message)
    entry = re.search(r"^'(\w+)' is no entry of the inputs", message)
    key = entry[1] if entry else failure.error.args[0] if isinstance(failure.error, KeyError) else None
    attribute = re.search(r"'(?:Tensor|NoneType)' object has no attribute '(\w+)'", message)
    for name in {one.partition("[")[0]: None for one in _concerned(guess, failure, text)}:
        plan = guess[name]
        if isinstance(plan, Array) and count and _names(text.partition("\n")[2].partition("\n")[0], name):
            yield {**guess, name: Group((plan,) * int(count[1]))}
        if isinstance(plan, Array) and attribute and not hasattr(torch.Tensor, attribute[1]):
            yield {**guess, name: Group((plan,), (attribute[1],))}
        if isinstance(plan, Group) and plan.keys and isinstance(key, str) and key not in plan.keys:
            yield {**guess, name: Group((*plan.parts, plan.parts[0]), (*plan.keys, key))}
        if isinstance(plan, Group) and not plan.keys and "index out of range" in message and len(plan.parts) < 8:
            yield {**guess, name: dataclasses.replace(plan, parts=(*plan.parts, plan.parts[-1]))}
        if isinstance(plan, Array) and (_WANTS_LIST.search(message) or _is_iterated(text, name)):
            yield {**guess, name: Group((plan,) * 2, is_list=True)}
        if isinstance(plan, Group) and not plan.keys and _WANTS_TENSOR.search(message):
            yield {**guess, name: plan.parts[0]}
        if isinstance(plan, Array) and "'Tensor' object is not callable" in message:
            yield {**guess, name: Constant(_first)}


_WANTS_LIST = re.compile(r"(tuple|list|sequence) of Tensors|no attribute '(append|extend|pop|keys|items|values)'")


_WANTS_TENSOR = re.compile(r"must be Tensor, not (list|tuple)|'(list|tuple)' object has no attribute")


def _is_iterated(text: str, name: str) -> bool:
    uses = rf"\bin (enumerate\(|zip\(.*)?{name}\b|\b{name}\[[^],:]*\]|len\({name}\)|isinstance\({name}|cat\({name}"
    return re.search(uses, text) is not None


def _first(value: object, *others: object, **named: object) -> object:
    """A function that hands on what it is given."""
    return value


def _applied(guess: Guess, names: Iterable[str], change: Change) -> Guess:
    for name in names:
        guess = with_plan(guess, name, changed(plan_at(guess, name), change))
    return guess
