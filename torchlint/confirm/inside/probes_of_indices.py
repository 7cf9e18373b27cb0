"""Probes of TL201 and TL205: an index that is floating, a view() of what is out of order in memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import torch
from torch.utils._pytree import tree_map

from .line_watch import Ears, LineWatch, Step
from .outcomes import said
from .scene import Scene, result_of, runs, swapped
from .subject import Facts
from .trace import tensors_in

# TL201


# What torch says where an index has a dtype that it does not take.
_OF_INDEX = re.compile(
    r"tensors used as indices|valid indices|slice indices|only integer tensors"
    r"|[Ii]ndex\S*( tensor)?(:| to| for|,).*(long|int)|dtype int(32|64).* for index|long tensor for index"
    r"|scalar types?:? Long|target dtype to be Long|scalar type Long"
)


def float_index(scene: Scene) -> Facts:
    """An operation that raises for the dtype of a value that the line makes: with integers in it, it would run."""
    clashes: list[tuple[Exception, Facts]] = []
    guesses = _Guesses()

    def raised(step: Step, error: Exception, watch: LineWatch) -> None:
        if not _OF_INDEX.search(str(error)):
            return
        wrong = (one for one in step.mine if _is_wrong_index(step, one) and not guesses.has(one))
        found = next((one for one in wrong if not guesses.is_of_other_types(step, one)), None)
        kind = str(found.dtype) if found is not None else ""
        if found is None and step.name in _SUBSCRIPTS and _is_wrong_number(step, watch):
            kind = "Python float"
        if kind:
            clashes.append((error, {"operation": step.name, "line": step.line, "error": said(error), "dtype": kind}))

    run = scene.watched(Ears(after=guesses.after, raised=raised, follows=torch.is_floating_point), know=guesses.start)
    return {**run.facts, "harm": [one for cause, one in clashes if run.came_of(cause)]}


class _Guesses:
    """The tensors that are floating only because an input was guessed to be: of integers they would be integers."""

    def __init__(self) -> None:
        self._found: dict[int, torch.Tensor] = {}
        self._memory: set[int] = set()
        self._inputs: dict[int, torch.Tensor] = {}

    def is_of_other_types(self, step: Step, index: torch.Tensor) -> bool:
        """True where the operand may be no tensor, and what it is then may take this key: a dict, an array."""
        operand = step.args[0] if step.args else None
        if step.name in _SUBSCRIPTS and id(operand) in self._inputs and isinstance(index, torch.nn.Parameter):
            return True
        is_unsaid = any(one is operand for one in step.unsaid)
        is_number = any(one is index for one in step.unsaid)
        return is_unsaid and (step.name == "take" or (step.name in _SUBSCRIPTS and is_number))

    def start(self, inputs: list[torch.Tensor]) -> None:
        """The inputs of the call."""
        self._inputs = {id(one): one for one in inputs}
        floating = [one for one in inputs if one.is_floating_point()]
        self._found = {id(one): one for one in floating}
        self._memory = {one.untyped_storage().data_ptr() for one in floating}

    def has(self, tensor: torch.Tensor) -> bool:
        """True for an input, what shares its memory, and what has its dtype from it."""
        return id(tensor) in self._found or tensor.untyped_storage().data_ptr() in self._memory

    def after(self, step: Step, kept: Any, result: Any) -> None:
        """Follow the dtype through an operation, by doing it with integers."""
        if step.is_question or not any(self.has(one) for one in step.operands):
            return
        args, kwargs = tree_map(self._as_integers, (step.args, step.kwargs))
        found = result_of(step.func, args, kwargs)
        made = tensors_in(result)
        if isinstance(found, Exception):
            return  # it needs floating ones
        for one, other in zip(made, tensors_in(found[0]), strict=False):
            if one.is_floating_point() and not other.is_floating_point():
                self._found[id(one)] = one

    def _as_integers(self, value: Any) -> Any:
        return value.detach().long() if isinstance(value, torch.Tensor) and self.has(value) else value


_SUBSCRIPTS = ("__getitem__", "__setitem__")


def _is_wrong_index(step: Step, tensor: torch.Tensor) -> bool:
    """True where the operation raises for zeros of this dtype, and not for integer ones."""
    if not (tensor.is_floating_point() or tensor.is_complex()):
        return False
    zeros = torch.zeros_like(tensor)
    return runs(step.func, *swapped(step, tensor, zeros.long())) and not runs(step.func, *swapped(step, tensor, zeros))


def _is_wrong_number(step: Step, watch: LineWatch) -> bool:
    """True where a subscript raises for a float of the line, and not for zeros in the places of floats."""
    found = list(_floats(step.args[1]))
    if not found or not (step.is_here or any(map(watch.is_number_of_mine, found))):
        return False
    index = _with_zeros(step.args[1])
    return runs(step.func, (step.args[0], index, *step.args[2:]), step.kwargs)


def _floats(index: Any) -> Iterator[float]:
    if isinstance(index, float):
        yield index
    elif isinstance(index, (tuple, list)):
        for one in index:
            yield from _floats(one)
    elif isinstance(index, slice):
        yield from _floats((index.start, index.stop, index.step))


def _with_zeros(index: Any) -> Any:
    if isinstance(index, float):
        return 0
    if isinstance(index, (tuple, list)):
        return type(index)(map(_with_zeros, index))
    return slice(*map(_with_zeros, (index.start, index.stop, index.step))) if isinstance(index, slice) else index


# TL205


def merging_view(scene: Scene) -> Facts:
    """A view() at the line that raises for the order of its operand in memory: of a copy in plain order it runs."""
    clashes: list[tuple[Exception, Facts]] = []
    views: list[Facts] = []

    def raised(step: Step, error: Exception, watch: LineWatch) -> None:
        if step.is_here and step.name in ("view", "view_as") and step.operands:
            first = step.operands[0]
            plain = first.contiguous()
            if "stride" in str(error) and _runs_on(step, plain):
                seen = {"operation": step.name, "line": step.line, "error": said(error)}
                clashes.append((error, {**seen, "shape": list(first.shape), "strides": list(first.stride())}))

    def after(step: Step, kept: Any, result: Any) -> None:
        if step.is_here and step.name in ("view", "view_as") and step.operands:
            first = step.operands[0]
            views.append({"contiguous": first.is_contiguous(), "wide": min(first.shape, default=0) > 1})

    run = scene.watched(Ears(raised=raised, after=after))
    harm = [one for cause, one in clashes if run.came_of(cause)]
    return {**run.facts, "harm": harm, "views": views, "straight": scene.is_straight}


def _runs_on(step: Step, plain: torch.Tensor) -> bool:
    # A copy in plain order is the operand itself, not what runs() copies in the order that it has.
    try:
        with torch.no_grad():
            step.func(plain.detach(), *step.args[1:], **step.kwargs)
    except Exception:
        return False
    return True
