"""Histories in which a module is moved to a device, or converted to a narrower dtype."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import torch
from torch import nn

from .outcomes import TOLERANCE, Output, changed, difference, error_in, output_of, plain, quietly, said, snapshot
from .recipe import Recipe
from .simulated import Placed, SimulatedTrace, simulation
from .subject import Facts, Subject, root_of
from .trace import Trace, tensors_in
from .walk import Reached, walk

_MOST_CLASHES = 20
Undo = Callable[[], object]


def move(subject: Subject, *, is_warm: bool, in_parent: bool = False) -> Facts:
    """Build, (eval, forward,) move to the device, forward there. Compared with the forward on the CPU."""
    recipe = subject.recipe
    module = recipe.build()
    root = root_of(module, in_parent=in_parent)
    facts: Facts = {"built": built_by_forward(recipe, module, root)} if is_warm else {}
    expected = _run_on_cpu(recipe) if subject.can_run else None
    is_pretended = subject.device == "sim"
    where = "cuda" if is_pretended else subject.device
    trace = SimulatedTrace(subject.file) if is_pretended else Trace(subject.file)
    with simulation(trace) if isinstance(trace, SimulatedTrace) else trace, torch.no_grad():
        root.to(where)
        if not is_warm:
            root.eval()
        held = walk(module)
        left = [one for one in held if not is_there(one.tensor, subject.device)]
        facts |= {"left": _paths(left), "there": [one.path for one in held if one not in left]}
        if subject.can_run:
            convert = _exchange if is_pretended else _replace
            facts |= _watched(trace, left, lambda: recipe.run(module, device=where), lambda one: convert(one, where))
            facts["brought along"] = _brought_along(module, left, lambda one: is_there(one, subject.device))
        if is_warm and facts.get("given out"):
            facts["given out"] = facts["given out"] if _fresh_stays_there(subject, where, in_parent=in_parent) else []
    facts["doubts"] = trace.doubts
    if facts.get("raised") == "" and isinstance(expected, list):
        facts["differs"] = difference(expected, facts["output"], TOLERANCE)
    facts.pop("output", None)
    return facts


def halve(
    subject: Subject, dtype: torch.dtype, *, is_warm: bool, in_parent: bool = False, again: bool = False
) -> Facts:
    """Build, (eval, forward,) convert to a narrower dtype, forward in it. again: train and eval once more before it."""
    recipe = subject.recipe
    module = recipe.build()
    root = root_of(module, in_parent=in_parent)
    facts: Facts = {"built": built_by_forward(recipe, module, root, again=again)} if is_warm else {}
    root.to(dtype)
    if not is_warm:
        root.eval()
    trace = Trace(subject.file)
    floating = [one for one in walk(module) if one.tensor.is_floating_point()]
    left = [one for one in floating if one.tensor.dtype != dtype]
    facts |= {"left": _paths(left), "there": [one.path for one in floating if one not in left]}
    if not subject.can_run:
        return facts
    with torch.no_grad(), trace:
        facts |= _watched(trace, left, lambda: recipe.run(module, dtype=dtype), lambda one: _replace(one, dtype))
        facts["brought along"] = _brought_along(module, left, lambda one: one.dtype == dtype)
    facts.pop("output", None)
    facts["fresh"] = error_in(output_of(lambda: _fresh_run(recipe, dtype, in_parent=in_parent))) if is_warm else ""
    facts["dtypes when all convert"] = _dtypes_when_all_convert(recipe, dtype)
    return facts


def _brought_along(module: nn.Module, left: list[Reached], has_followed: Callable[[torch.Tensor], bool]) -> list[str]:
    """What stayed behind and was put where the module is by forward: the attribute itself, not a copy for one use."""
    paths = {one.path for one in left}
    return [one.path for one in walk(module) if one.path in paths and has_followed(one.tensor)]


def built_by_forward(recipe: Recipe, module: nn.Module, root: nn.Module, *, again: bool = False) -> list[str]:
    """Switch to evaluation and run once; the paths of the plain tensors that this made or changed.

    again: back to training and to evaluation first.
    """
    before = snapshot(module)
    root.eval()
    if again:
        root.train()
        root.eval()
    if recipe.call is not None:
        quietly(lambda: recipe.run(module))
    return changed(before, snapshot(module))


def _run_on_cpu(recipe: Recipe) -> Output:
    module = recipe.build()
    module.eval()  # not chained: some return nothing
    return output_of(lambda: recipe.run(module))


def _fresh_run(recipe: Recipe, dtype: torch.dtype, *, in_parent: bool) -> Any:
    module = recipe.build()
    root = root_of(module, in_parent=in_parent)
    root.to(dtype)
    root.eval()
    return recipe.run(module, dtype=dtype)


def _fresh_stays_there(subject: Subject, where: str, *, in_parent: bool) -> bool:
    """True where all that a fresh module gives lies on the device that it was moved to."""
    recipe, device = subject.recipe, subject.device
    module = recipe.build()
    root = root_of(module, in_parent=in_parent)
    root.to(where)
    root.eval()
    try:
        return all(is_there(one, device) for one in tensors_in(recipe.run(module, device=where)))
    except Exception:
        return False  # then nothing is said of what a used one gives


def _dtypes_when_all_convert(recipe: Recipe, dtype: torch.dtype) -> list[str]:
    """The dtypes of the output of a module all of whose floating tensors were converted; [] where that does not run."""
    module = recipe.build()
    module.to(dtype)
    module.eval()
    try:
        with ExitStack() as undoing:
            for one in walk(module):
                if one.tensor.is_floating_point():
                    undoing.callback(_replace(one.tensor, dtype))
            return _dtypes(quietly(lambda: recipe.run(module, dtype=dtype)))
    except Exception:
        return []  # then nothing is said of what caused the dtype of the output


def _dtypes(output: Any) -> list[str]:
    return sorted({str(one.dtype) for one in tensors_in(output) if one.is_floating_point()})


def _watched(
    trace: Trace, left: list[Reached], action: Callable[[], Any], convert: Callable[[torch.Tensor], Undo]
) -> Facts:
    """What a forward does with the tensors that stayed behind; in the end they are what they were.

    Where one of them makes it raise, that one is converted by hand and forward is tried again, to see what the others
    do. raised: what came first. by_hand, in a clash: those that were converted before it.
    """
    # What a class or a file holds is held by each module that other histories build, too.
    with ExitStack() as undoing:
        return _tried(trace, left, action, lambda one: undoing.callback(convert(one)))


def _tried(
    trace: Trace, left: list[Reached], action: Callable[[], Any], convert: Callable[[torch.Tensor], object]
) -> Facts:
    for one in left:
        trace.mark(one.tensor, one.path)
    waiting = {one.path: one.tensor for one in left}
    clashes: list[Facts] = []
    facts: Facts = {"raised": None}
    by_hand: list[str] = []
    while True:
        output, error = _attempt(trace, action)
        clashes += [{**vars(one), "names": sorted(one.names), "by_hand": [*by_hand]} for one in trace.clashes]
        at_fault = sorted(path for one in trace.clashes for path in one.names if path in waiting)
        trace.clashes = []
        facts["raised"] = (said(error) if error else "") if facts["raised"] is None else facts["raised"]
        if error is None or not at_fault or not _is_converted(at_fault, waiting, convert):
            break
        by_hand += at_fault
    facts |= {"read": sorted(trace.operated), "computed": sorted(trace.computed), "clashes": clashes[:_MOST_CLASHES]}
    facts |= {"finished": error is None, "converted": sorted(trace.converted.difference(by_hand))}
    if error is None:
        facts |= {"output": [plain(one) for one in tensors_in(output)], "dtypes": _dtypes(output)}
        given_out = {id(one) for one in tensors_in(output)}
        facts["given out"] = [path for path, one in waiting.items() if id(one) in given_out]
    return facts


def _attempt(trace: Trace, action: Callable[[], Any]) -> tuple[Any, Exception | None]:
    try:
        output = action()
    except Exception as error:
        trace.settle(error)
        return None, error
    trace.settle(None)
    return output, None


def _is_converted(
    paths: list[str], waiting: dict[str, torch.Tensor], convert: Callable[[torch.Tensor], object]
) -> bool:
    """Convert tensors in their places; False where that cannot be."""
    try:
        for path in set(paths):
            convert(waiting.pop(path))
    except Exception:
        return False
    return True


def _exchange(tensor: torch.Tensor, where: str) -> Undo:
    other = tensor.to(where)
    torch.utils.swap_tensors(tensor, other)  # type: ignore[no-untyped-call]
    return lambda: torch.utils.swap_tensors(tensor, other)  # type: ignore[no-untyped-call]


def _replace(tensor: torch.Tensor, to: Any) -> Undo:
    kept = tensor.data
    tensor.data = kept.to(to)
    return lambda: setattr(tensor, "data", kept)


def _paths(reached: list[Reached]) -> list[str]:
    return [one.path for one in reached]


def is_there(tensor: torch.Tensor, device: str) -> bool:
    return isinstance(tensor, Placed) if device == "sim" else tensor.device.type == torch.device(device).type
