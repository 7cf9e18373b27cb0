"""The arguments that must hold integers: torch takes an int64 tensor there and refuses a float32 one."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import torch

from torchlint.knowledge._generate.names import everything
from torchlint.knowledge._generate.observe import Call, observe
from torchlint.knowledge._generate.samples import calls

SOFT = "soft"


def index_arguments() -> Iterator[tuple[str, tuple[Any, ...]]]:
    """("torch.gather", (2, "index")), ...: the position as the caller counts it, and the keyword.

    "soft" at the end says that floats are legal targets too: probabilities.
    """
    for name, function in everything().items():
        places = [
            place
            for position in sorted(_integral_positions(name, function))
            for place in _place(name, function, position)
        ]
        if places:
            soft = (SOFT,) if _takes_soft_targets(name, function) else ()
            yield name, (*places, *soft)


def _integral_positions(name: str, function: Callable[..., Any]) -> Iterator[int]:
    """The positions of integer tensors for which torch refuses float32 in every one of its samples."""
    accepted: Counter[int] = Counter()
    refused: Counter[int] = Counter()
    for call in calls(name, torch.float32):
        if observe(function, call) is None:
            continue
        for position in range(len(call.args)):
            if _holds_integers(call.args[position]):
                (refused if observe(function, _floated(call, position)) is None else accepted)[position] += 1
    yield from (position for position in refused if not accepted[position])


def _holds_integers(argument: Any) -> bool:
    if isinstance(argument, (tuple, list)):
        return bool(argument) and all(_holds_integers(item) for item in argument)
    return isinstance(argument, torch.Tensor) and argument.dtype is torch.int64


def _floated(call: Call, position: int) -> Call:
    argument = call.args[position]
    changed = (
        type(argument)(item.float() for item in argument) if isinstance(argument, (tuple, list)) else argument.float()
    )
    return Call((*call.args[:position], changed, *call.args[position + 1 :]), call.keywords)


def _takes_soft_targets(name: str, function: Callable[..., Any]) -> bool:
    """Whether floats of the input's shape are legal where class numbers stand."""
    scores = torch.rand(3, 4)
    return name.endswith("cross_entropy") and observe(function, Call((scores, scores.softmax(1)), {})) is not None


def _place(name: str, function: Callable[..., Any], position: int) -> tuple[Any, ...]:
    keyword = _keyword(name, function, position)
    seen_by_caller = position - 1 if name.startswith("Tensor.") else position
    if seen_by_caller < 0:
        return ()
    return (seen_by_caller,) if keyword is None else (seen_by_caller, keyword)


def _keyword(name: str, function: Callable[..., Any], position: int) -> str | None:
    """The name of the argument at `position`, from the Python signature or the most common one of torch's schemas."""
    try:
        keyword: str | None = list(inspect.signature(function).parameters)[position]
    except (ValueError, IndexError):
        keyword = _schema_keyword(name, position)
    return "input" if keyword == "self" else keyword


def _schema_keyword(name: str, position: int) -> str | None:
    spelled = name.removeprefix("Tensor.").removeprefix("torch.").replace("nn.functional.", "").replace(".", "_")
    names = Counter(
        schema.arguments[position].name
        for schema in torch._C._jit_get_schemas_for_operator(f"aten::{spelled}")
        if len(schema.arguments) > position and "Tensor" in str(schema.arguments[position].type)
    )
    return names.most_common(1)[0][0] if names else None
