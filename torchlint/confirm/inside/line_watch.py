"""A call that is watched at one line: which operations run there, and what becomes of the tensors that it makes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import FrameType
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from .trace import line_in, tensors_in

_MOST = 1 << 14
_ARITHMETIC = frozenset(
    """
    add radd sub rsub mul rmul div rdiv truediv rtruediv true_divide floordiv rfloordiv floor_divide mod rmod remainder
    pow rpow neg abs
    """.split()
)
_OF_OTHERS = frozenset("take copy index eq ne lt le gt ge".split())
_ATTRIBUTES = ("__get__", "__set__", "size", "dim", "stride", "numel", "is_floating_point", "is_complex", "data_ptr")


@dataclass(frozen=True)
class Lines:
    """The lines of a statement or expression in a file. file: its real path."""

    file: str
    first: int
    last: int

    def __contains__(self, line: int) -> bool:
        return self.first <= line <= self.last

    def are_above(self) -> bool:
        """True while some frame of the file is at one of the lines."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if frame.f_lineno in self and os.path.realpath(frame.f_code.co_filename) == self.file:
                return True
            frame = frame.f_back
        return False

    def is_running(self) -> bool:
        """True while the innermost frame of the file is at one of the lines."""
        return line_in(self.file) in self


@dataclass
class Step:
    """An operation that is about to run. is_here: it runs at the line. mine: its operands that come from there.

    unsaid: those that nothing says to be tensors: arguments of no known type, and what arithmetic makes of them.
    """

    func: Any
    args: Any
    kwargs: dict[str, Any]
    is_here: bool
    line: int
    mine: list[torch.Tensor]
    unsaid: list[torch.Tensor]

    @property
    def name(self) -> str:
        """The name of the operation, "__getitem__" for a subscript."""
        return str(getattr(self.func, "__name__", self.func))

    @property
    def operands(self) -> list[torch.Tensor]:
        """All tensors among the arguments."""
        return tensors_in((self.args, self.kwargs))

    @property
    def is_arithmetic(self) -> bool:
        """True for what numbers can do as well."""
        return self.name.strip("_") in _ARITHMETIC

    @property
    def is_of_others(self) -> bool:
        """True for what lists, dicts or arrays can do as well."""
        return self.is_arithmetic or self.is_question or self.name.startswith("__") or self.name in _OF_OTHERS

    @property
    def is_question(self) -> bool:
        """True where only a property of a tensor is asked for."""
        return self.name in _ATTRIBUTES


Before = Callable[[Step], Any]
After = Callable[[Step, Any, Any], None]
Raised = Callable[[Step, Exception, "LineWatch"], None]


@dataclass
class Ears:
    """What is told of each step. before: may give something, which `after` gets back; after: gets the result."""

    before: Before = lambda step: None
    after: After = lambda step, kept, result: None
    raised: Raised = lambda step, error, watch: None
    # What to do instead of the step: a function that gives the result, or None to do it.
    instead: Callable[[Step], Callable[[], Any] | None] = lambda step: None
    # True where a step counts as one of the line also when the line called another function of the file that does it.
    is_deep: bool = False
    # Which tensors are followed: of others it does not matter where they come from.
    follows: Callable[[torch.Tensor], bool] = lambda tensor: True


class LineWatch(TorchFunctionMode):
    """While it is on, the tensors that the lines make, and what is computed from them, are known."""

    def __init__(self, lines: Lines, ears: Ears) -> None:
        super().__init__()
        self._lines, self._ears = lines, ears
        self._known: dict[int, torch.Tensor] = {}
        self._mine: dict[int, torch.Tensor] = {}
        self._numbers: dict[int, float] = {}
        self._unsaid: dict[int, torch.Tensor] = {}
        self._before: Any = None
        self._real: dict[str, bool] = {}
        self.ran: set[int] = set()

    def know(self, tensors: Iterable[torch.Tensor]) -> None:
        """These are there before the call: nothing makes them."""
        self._known.update((id(one), one) for one in tensors)

    def doubt(self, tensors: Iterable[torch.Tensor]) -> None:
        """Nothing says that these arguments are tensors: numbers, lists and dicts may do as well."""
        self._unsaid.update((id(one), one) for one in tensors)

    def is_mine(self, tensor: torch.Tensor) -> bool:
        """True for what comes from the lines."""
        return id(tensor) in self._mine

    def is_number_of_mine(self, value: object) -> bool:
        """True for a number that a variable got at the lines."""
        return id(value) in self._numbers

    @property
    def has_run(self) -> bool:
        """True where one of the lines ran."""
        return any(line in self._lines for line in self.ran)

    def __enter__(self) -> LineWatch:
        super().__enter__()  # type: ignore[no-untyped-call]
        self._before = sys.gettrace()
        sys.settrace(self._call)
        return self

    def __exit__(self, *failure: Any) -> None:
        sys.settrace(self._before)
        super().__exit__(*failure)  # type: ignore[no-untyped-call]

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        line = line_in(self._lines.file)
        is_here = line in self._lines or (self._ears.is_deep and self._lines.are_above())
        step = Step(func, args, dict(kwargs or {}), is_here, line, [], [])
        for one in step.operands:
            self._meet(one, step.is_here)
        step.mine = [one for one in step.operands if self.is_mine(one)]
        step.unsaid = [one for one in step.operands if id(one) in self._unsaid]
        instead = self._ears.instead(step)
        kept = self._ears.before(step)
        try:
            result = instead() if instead is not None else func(*args, **(kwargs or {}))
        except Exception as error:
            self._ears.raised(step, error, self)
            raise
        self._ears.after(step, kept, result)
        for one in tensors_in(result):
            self._take(one, step.is_here or bool(step.mine))
        self._learn(step, result)
        return result

    def _learn(self, step: Step, result: Any) -> None:
        """Numbers make numbers; what a method of tensors is called of is a tensor, even where it gives it back."""
        if step.is_arithmetic and len(step.unsaid) == len(step.operands):
            self.doubt(tensors_in(result))
        elif not step.is_of_others:
            for one in step.unsaid:
                self._unsaid.pop(id(one), None)

    def _meet(self, tensor: torch.Tensor, is_here: bool) -> None:
        """Take note of an operand: one that nothing was seen to make comes from the line that first uses it."""
        if id(tensor) not in self._known:
            self._take(tensor, is_here)

    def _take(self, tensor: torch.Tensor, is_mine: bool) -> None:
        if len(self._known) < _MOST:
            self._known[id(tensor)] = tensor
            if is_mine and self._ears.follows(tensor):
                self._mine[id(tensor)] = tensor

    # The lines that run

    def _call(self, frame: FrameType, event: str, argument: object) -> Any:
        name = frame.f_code.co_filename
        if name not in self._real:
            self._real[name] = os.path.realpath(name) == self._lines.file
        return self._trace_of(frame) if self._real[name] else None

    def _trace_of(self, frame: FrameType) -> Any:
        before: dict[str, Any] | None = None

        def trace(frame: FrameType, event: str, argument: object) -> Any:
            nonlocal before
            if before is not None:
                self._look(before, {**_held(frame), "": argument if event == "return" else None})
            if event == "line":
                self.ran.add(frame.f_lineno)
                before = _held(frame) if frame.f_lineno in self._lines else None
            return trace

        return trace

    def _look(self, before: dict[str, Any], now: dict[str, Any]) -> None:
        """What is held anew after one of the lines ran, and nothing else was seen to make, comes from there."""
        for name, value in now.items():
            if value is None or value is before.get(name):
                continue
            if isinstance(value, float):
                self._numbers[id(value)] = value
            for one in tensors_in(value) if isinstance(value, (torch.Tensor, list, tuple, dict)) else ():
                self._meet(one, True)


def _held(frame: FrameType) -> dict[str, Any]:
    """The locals of a frame, and what its object holds."""
    found = dict(frame.f_locals)
    owner = found.get("self")
    if isinstance(owner, torch.nn.Module):
        parts = {**vars(owner), **vars(owner).get("_buffers", {}), **vars(owner).get("_parameters", {})}
        found |= {f"self.{name}": value for name, value in parts.items() if name[0] != "_"}
    return found
