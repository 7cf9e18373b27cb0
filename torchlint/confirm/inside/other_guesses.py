"""Arguments that were guessed, guessed another way: a harm that only one guess shows is a harm of the guess."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch

from .inputs import Call
from .plans import Array, Constant, Group, Guess, Plan, Shape, changed
from .standins import Role

_OF_SHAPES = ("TL201", "TL205")
_OF_SIZES = ("TL205",)
_OF_FLAGS = ("TL201", "TL205", "TL302")
_LEAST = 3
_FEW = 2


@dataclass(frozen=True)
class Other:
    """A call with another guess. text: what is other in it. is_flag: it is the value of a flag."""

    call: Call
    text: str
    is_flag: bool


def others(code: str, call: Call, kinds: Mapping[str, Any]) -> Iterator[Other]:
    """Calls with other arguments that are as likely. kinds: the annotations."""
    flags = [*_flipped(call.plans)] if code in _OF_FLAGS else []
    guesses = _of_other_shapes(call.plans, _flat) if code in _OF_SHAPES else []
    guesses += _nested(call.plans, kinds) if code in _OF_SHAPES else []
    guesses += _of_other_shapes(call.plans, _grown) if code in _OF_SIZES else []
    guesses += _of_other_shapes(call.plans, _of_other_rank) if code in _OF_SIZES else []
    for plans in (*flags, *guesses):
        told = Call({name: plan for name, plan in plans.items() if plan != call.plans[name]}, call.by_position)
        yield Other(dataclasses.replace(call, plans=plans, longer=None), told.text, plans in flags)


def _flipped(plans: Guess) -> Iterator[Guess]:
    for name, plan in plans.items():
        if isinstance(plan, Constant) and isinstance(plan.value, bool):
            yield {**plans, name: Constant(not plan.value)}


def _nested(plans: Guess, kinds: Mapping[str, Any]) -> list[Guess]:
    """The guess with rows of numbers for a list of numbers, where no annotation says what is in it."""
    widths = dict.fromkeys(plan.shape[-1] for plan in plans.values() if isinstance(plan, Array) and plan.shape)
    lists = [name for name, plan in plans.items() if isinstance(plan, Constant) and isinstance(plan.value, list)]
    is_open = {name: kinds.get(name, "") in ("", list, Any) for name in lists}
    rows = [(name, [[0.5] * width] * 2) for name in lists if is_open[name] for width in widths]
    return [{**plans, name: Constant(value)} for name, value in rows]


def _of_other_shapes(plans: Guess, shapes: Any) -> list[Guess]:
    """The guess with the arrays of three and more dimensions in each of some other shapes."""
    found: list[Guess] = []
    for turn in (0, 1):
        guess: Guess = {name: changed(plan, lambda one: _reshaped(one, shapes, turn)) for name, plan in plans.items()}  # noqa: B023
        if guess != plans and guess not in found:
            found.append(guess)
    return found


def _reshaped(array: Array, shapes: Any, turn: int) -> Plan:
    return array if len(array.shape) < _LEAST else dataclasses.replace(array, shape=shapes(array.shape)[turn])


def _flat(shape: Shape) -> tuple[Shape, Shape]:
    """Two dimensions, of two sizes and of one."""
    return (shape[0], shape[-1]), (shape[-1], shape[-1])


def _grown(shape: Shape) -> tuple[Shape, Shape]:
    """A larger batch, a longer sequence."""
    return (shape[0] + 1, *shape[1:]), (*shape[:1], shape[1] + 1, *shape[2:])


def _of_other_rank(shape: Shape) -> tuple[Shape, Shape]:
    """Three dimensions for more, four for three."""
    if len(shape) > _LEAST:
        return (*shape[:2], shape[-1]), (shape[0], *shape[-2:])
    return (*shape[:2], _FEW, shape[-1]), (shape[0], _FEW, *shape[1:])


def misfit(kinds: Mapping[str, Any], call: Call) -> str:
    """The argument that is given a tensor although its annotation is another class; "" for none."""
    for name, plan in call.plans.items():
        kind = kinds.get(name)
        if isinstance(plan, Array) and isinstance(kind, type) and not _may_be_tensor(kind):
            return f"{name}: {kind.__name__}"
    return ""


def _may_be_tensor(kind: type) -> bool:
    """True for tensors, what stands for anything, and annotations of packages that only look like classes."""
    is_plain = type(kind) is type and kind.__module__.partition(".")[0] not in ("numpy", "jaxtyping", "torchtyping")
    return not is_plain or kind is object or issubclass(kind, torch.Tensor)


def made_up(call: Call) -> str:
    """The argument that is a stand-in, or a record of guessed entries, so that what comes out of it is made up too."""
    return next((name for name, plan in call.plans.items() if _is_made_up(plan)), "")


def _is_made_up(plan: Plan) -> bool:
    if isinstance(plan, Role):
        return not plan.text.startswith("torch.")  # a dtype decides nothing of the order in memory
    if isinstance(plan, Constant):
        return callable(plan.value)
    return isinstance(plan, Group) and bool(plan.keys)
