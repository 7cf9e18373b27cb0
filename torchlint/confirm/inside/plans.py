"""What an argument of forward is before it is made: an array of some kind and shape, several values, or a constant."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch

from .candidates import GRID, IMAGE, LENGTH, VOCABULARY

BATCH = 2
FLOATS, UNIT, IDS, FLAGS, STEPS, COMPLEX = "floats", "unit", "ids", "flags", "steps", "complex"
Shape = tuple[int, ...]


@dataclass(frozen=True)
class Array:
    """A tensor. kind: normal, in [0, 1), ids below `limit`, True everywhere, 0 1 2 .. along the last size, complex."""

    shape: Shape
    kind: str = FLOATS
    limit: int = VOCABULARY - 4


@dataclass(frozen=True)
class Group:
    """Several values: a tuple, a list, or a dict where there are keys."""

    parts: tuple[Plan, ...]
    keys: tuple[str, ...] = ()
    is_list: bool = False


@dataclass(frozen=True)
class Constant:
    """A value as it is."""

    value: Any


@dataclass(frozen=True)
class Made:
    """A value that a person gives: a function from the size to it."""

    make: Callable[[int], Any]


Plan = Array | Group | Constant | Made
# What forward is called with, by the names of its parameters.
Guess = Mapping[str, Plan]


class Record(dict):  # type: ignore[type-arg]
    """A dict whose entries are attributes as well, as those of many batches are."""

    def __getattr__(self, name: str) -> Any:
        """The entry of that name."""
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"{name!r} is no entry of the inputs") from None


def made(plan: Plan, size: int = 0) -> Any:
    """The value of a plan, new each time, from torch's random numbers."""
    if isinstance(plan, Group):
        parts = [made(one, size) for one in plan.parts]
        if plan.keys:
            return Record(zip(plan.keys, parts, strict=True))
        return parts if plan.is_list else tuple(parts)
    if isinstance(plan, Constant):
        return plan.value
    return _array(plan) if isinstance(plan, Array) else plan.make(size)


def _array(plan: Array) -> torch.Tensor:
    shape = plan.shape
    if plan.kind == IDS:
        return torch.randint(0, max(plan.limit, 1), shape)
    if plan.kind == STEPS:
        return torch.arange(shape[-1] if shape else 1).remainder(max(plan.limit, 1)).expand(shape)
    if plan.kind == FLAGS:
        return torch.ones(shape, dtype=torch.bool)
    if plan.kind == UNIT:
        return torch.rand(shape)
    return torch.randn(shape, dtype=torch.complex64 if plan.kind == COMPLEX else None)


def arrays(plan: Plan) -> Iterator[Array]:
    """The arrays of a plan."""
    if isinstance(plan, Array):
        yield plan
    elif isinstance(plan, Group):
        for part in plan.parts:
            yield from arrays(part)


def changed(plan: Plan, change: Callable[[Array], Plan]) -> Plan:
    """The plan with each of its arrays changed."""
    if isinstance(plan, Group):
        return dataclasses.replace(plan, parts=tuple(changed(part, change) for part in plan.parts))
    return change(plan) if isinstance(plan, Array) else plan


def resized(array: Array, old: int, new: int, *, at: int | None = None) -> Array:
    """The array with dimensions of `old` made `new`: the one that is given, or all but the batch."""
    first = 1 if len(array.shape) > 1 else 0
    chosen = range(first, len(array.shape)) if at is None else (at,)
    shape = tuple(new if one == old and index in chosen else one for index, one in enumerate(array.shape))
    return dataclasses.replace(array, shape=shape)


def plan_at(guess: Guess, path: str) -> Plan:
    """The plan of an argument, or of a part of it: "x", "xs[1]"."""
    name, _, index = path.partition("[")
    plan = guess[name]
    return plan.parts[int(index[:-1])] if index and isinstance(plan, Group) else plan


def with_plan(guess: Guess, path: str, plan: Plan) -> Guess:
    """The guess with another plan for an argument, or for a part of it."""
    name, _, index = path.partition("[")
    whole = guess.get(name)
    if index and isinstance(whole, Group):
        at = int(index[:-1])
        plan = dataclasses.replace(whole, parts=(*whole.parts[:at], plan, *whole.parts[at + 1 :]))
    return {**guess, name: plan}


def elements(guess: Guess) -> int:
    """How many numbers the arrays of a guess have."""
    return sum(math.prod(one.shape) for plan in guess.values() for one in arrays(plan))


def of_rank(shape: Shape, rank: int) -> list[Shape]:
    """Shapes of another number of dimensions that have most sizes in common with `shape`, the likeliest first."""
    first, last = (shape[0], shape[-1]) if shape else (BATCH, LENGTH)
    if rank <= 0:
        return [()]
    if rank == 1:
        return list(dict.fromkeys([(last,), (first,)]))
    if rank == 2:
        return list(dict.fromkeys([(first, last), (first, shape[1] if len(shape) > 2 else LENGTH)]))
    if rank == 3:
        wide = shape[1] if len(shape) > 3 else last
        return list(dict.fromkeys([(first, LENGTH, last), (first, wide, LENGTH), (first, 1, last)]))
    if rank == 4:
        deep = shape[1] if len(shape) > 2 else last
        images = [(first, last, GRID, GRID), (first, deep, GRID, GRID), (first, GRID, GRID, last)]
        return list(dict.fromkeys([*images, (first, 3, IMAGE, IMAGE)]))
    wide = shape[1] if len(shape) > 1 else last
    return [(first, wide, *(4,) * (rank - 4), GRID, GRID), (first, 3, *(IMAGE,) * (rank - 2))]


def described(value: Any) -> str:
    """A made value as a person would describe it: "2x16x32"."""
    if isinstance(value, torch.Tensor):
        return "x".join(map(str, value.shape)) or "0-dim"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {described(one)}" for key, one in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(described, value))}]"
    return repr(value)[:60]
