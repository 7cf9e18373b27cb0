"""One call at which a finding is looked at, and what is asked of the operations that run at its line."""

from __future__ import annotations

import ast
import functools
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.utils._pytree import tree_map

from .inputs import Call
from .line_watch import Ears, Lines, LineWatch, Step
from .outcomes import said
from .search import to_eval
from .seeds import reseed
from .subject import Facts
from .trace import tensors_in
from .walk import walk
from .ways import Way

_BRANCHES = (ast.If, ast.IfExp, ast.While, ast.Try, ast.Match, ast.BoolOp)


@dataclass(frozen=True)
class Scene:
    """One call at which a finding is looked at. text: the message of the finding. device: as in Subject.

    unsaid: the arguments of which nothing says that they are tensors.
    """

    way: Way
    call: Call
    lines: Lines
    text: str
    device: str
    unsaid: frozenset[str] = frozenset()

    def module(self) -> nn.Module:
        """A new module in the usual mode."""
        return to_eval(self.way.build())

    def arguments(self, dtype: torch.dtype | None = None) -> tuple[list[Any], dict[str, Any]]:
        """The arguments, in plain memory order."""
        given, named = self.call.values(self.way.seed, dtype=dtype)
        return [_in_order(one) for one in given], {name: _in_order(one) for name, one in named.items()}

    def watched(
        self,
        ears: Ears,
        *,
        dtype: torch.dtype | None = None,
        know: Callable[[list[torch.Tensor]], None] = lambda inputs: None,
    ) -> Run:
        """Build what is called, and call it.

        dtype: what the module and the floating inputs are converted to. know: is told the inputs before.
        """
        given, named = self.arguments(dtype)
        watch = LineWatch(self.lines, ears)
        watch.know(tensors_in((given, named)))
        know(tensors_in((given, named)))
        watch.doubt(self._of_no_known_type(given, named))
        module, error = None, None
        forget_regions()
        try:
            with watch:
                module = self.module()
                if dtype is not None:
                    module.to(dtype)
                watch.know(one.tensor for one in walk(module))
                reseed(self.way.seed + 7)
                module(*given, **named)
        except Exception as raised:
            error = raised
        parts = [module, *given, *named.values()]
        return Run(watch, error, self.lines.file, [one for one in parts if isinstance(one, nn.Module)])

    def _of_no_known_type(self, given: list[Any], named: dict[str, Any]) -> list[torch.Tensor]:
        values = named or dict(zip(self.call.plans, given, strict=False))
        return [one for name, one in values.items() if name in self.unsaid and isinstance(one, torch.Tensor)]

    @property
    def is_straight(self) -> bool:
        """True where the function of the line has no branches: what runs there once runs so always."""
        return _is_straight(self.lines.file, self.lines.first)

    @property
    def source(self) -> str:
        """The text of the lines."""
        return "\n".join(_source(self.lines.file).splitlines()[self.lines.first - 1 : self.lines.last])


@dataclass(frozen=True)
class Run:
    """A call that was watched. modules: those that took part."""

    watch: LineWatch
    error: Exception | None
    file: str
    modules: list[nn.Module]

    @property
    def facts(self) -> Facts:
        """Whether the line ran, what the call raised, and where."""
        raised = said(self.error) if self.error is not None else ""
        return {"ran": self.watch.has_run, "raised": raised, "line": _line_of(self.error, self.file)}

    def came_of(self, cause: BaseException) -> bool:
        """True where the call ended with an error, or with another one that was raised from it."""
        error: BaseException | None = self.error
        while error is not None and error is not cause:
            error = error.__cause__
        return error is cause

    def parameters(self) -> Iterator[nn.Parameter]:
        """The parameters of all modules that took part."""
        for module in self.modules:
            yield from module.parameters()


def _in_order(value: Any) -> Any:
    return value.contiguous() if isinstance(value, torch.Tensor) else value


def _line_of(error: BaseException | None, file: str) -> int:
    """The last line of the file that an error passed through; 0 for none."""
    trace, line = error.__traceback__ if error is not None else None, 0
    while trace is not None:
        if os.path.realpath(trace.tb_frame.f_code.co_filename) == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


@functools.lru_cache(maxsize=4)
def _source(file: str) -> str:
    return Path(file).read_text(encoding="utf-8")


@functools.lru_cache(maxsize=16)
def _is_straight(file: str, line: int) -> bool:
    functions = [
        node
        for node in ast.walk(ast.parse(_source(file)))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    if not functions:
        return False
    innermost = max(functions, key=lambda one: one.lineno)
    return not any(isinstance(node, _BRANCHES) or getattr(node, "ifs", None) for node in ast.walk(innermost))


def forget_regions() -> None:
    """Leave all autocast regions: code that raised may have left one open."""
    for device in ("cpu", "cuda"):
        torch.set_autocast_enabled(device, False)
    torch.clear_autocast_cache()


# Operations, done again


def result_of(func: Any, args: Any, kwargs: Any) -> Any:
    """What an operation gives on copies of its operands, which it may write into; the error where it raises."""
    given, named = tree_map(_copy, (args, kwargs))
    try:
        with torch.no_grad():
            return func(*given, **named), (given, named)
    except Exception as error:
        return error


def runs(func: Any, args: Any, kwargs: Any) -> bool:
    """Whether an operation runs on copies of its operands."""
    return not isinstance(result_of(func, args, kwargs), Exception)


def _copy(value: Any) -> Any:
    return value.detach().clone() if isinstance(value, torch.Tensor) else value


def swapped(step: Step, tensor: torch.Tensor, other: Any) -> tuple[Any, Any]:
    """The arguments of a step with another value in the place of a tensor."""
    result: tuple[Any, Any] = tree_map(lambda one: other if one is tensor else one, (step.args, step.kwargs))
    return result
