"""A trace of the tensors that a conversion left behind: which operations they take part in, and where."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map

from .placed import Placed

# Of what the file makes no more is kept in mind: it would fill the memory.
_MOST_ELEMENTS = 1 << 20
_MOST_KEPT = 4096
Names = frozenset[str]
NOBODY: Names = frozenset()
# What hands a tensor on without computing with it; views do as well.
_CONVERSIONS = frozenset(("_to_copy", "clone", "detach", "alias", "lift_fresh", "copy_"))
_ASKS_FOR_DTYPE = frozenset("float double half bfloat16 to type type_as".split())
# item(), and what numpy() begins with.
_FOR_NUMBERS = frozenset(("_local_scalar_dense", "detach"))
# These read the values below the operations that a mode sees.
_READS = frozenset(("numpy", "__array__", "tolist"))


@dataclass(frozen=True)
class Clash:
    """An operation in which a marked tensor met others. what: "raised", or "promoted" where the result has the dtype of
    the marked one. line: in the file of the module, 0 where no frame of it was running."""

    what: str
    operation: str
    names: Names
    line: int
    error: str = ""


def warm_up() -> None:
    """Watch one operation, and take a step: what torch imports for these, half of itself, all children have then.

    It was seen that 2.13 imports that for the first, and 2.4 for the second. Nothing goes back: that may start threads.
    """
    with Trace(""):
        torch.ones(1)
    parameter = torch.nn.Parameter(torch.ones(1))
    parameter.grad = torch.ones(1)
    torch.optim.SGD([parameter], lr=1.0).step()


class Trace(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """While it is on, the marked tensors and what is computed from them are known by their names.

    A tensor that the file makes meanwhile, from no other, is known as "line 12" in clashes.
    """

    def __init__(self, file: str) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._file = _real(file) if file else ""
        self._names: dict[int, Names] = {}
        # Whose dtype a tensor has only because a marked one has it, by identity.
        self._owed: dict[int, Names] = {}
        self._kept: list[torch.Tensor] = []  # their memory and identity is not given to others meanwhile
        self._raised: list[tuple[Clash, BaseException]] = []
        self._requests = _Requests(self)
        self.marked: set[str] = set()
        self.read: set[str] = set()
        # Those that an operation reads. Of the others no more than numbers or arrays of the CPU are taken.
        self.operated: set[str] = set()
        self.computed: set[str] = set()
        self.converted: set[str] = set()
        self.clashes: list[Clash] = []
        self.doubts: list[str] = []

    def __enter__(self) -> Trace:
        super().__enter__()  # type: ignore[no-untyped-call]
        self._requests.__enter__()  # type: ignore[no-untyped-call]
        return self

    def __exit__(self, *failure: Any) -> None:
        self._requests.__exit__(*failure)  # type: ignore[no-untyped-call]
        super().__exit__(*failure)  # type: ignore[no-untyped-call]

    def mark(self, tensor: torch.Tensor, name: str) -> None:
        """Follow `tensor`, and all views of its memory, as `name`."""
        self.marked.add(name)
        names = frozenset((name,)) | (self.names_of((tensor,)) & self.marked)
        self._remember(tensor, names, owed=names)

    def names_of(self, tensors: Iterable[torch.Tensor]) -> Names:
        """The marked tensors that some of `tensors` are, or were computed from."""
        return NOBODY.union(*(self._names.get(_memory(tensor), NOBODY) for tensor in tensors))

    def owed_to(self, tensor: torch.Tensor) -> Names:
        """The marked tensors but for which `tensor` would have another dtype."""
        return self._owed.get(id(tensor), NOBODY)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        operands = tensors_in((args, kwargs))
        names = self.names_of(operands)
        self.note(func, names)
        try:
            with torch._C.DisableTorchFunction():
                result = func(*args, **kwargs)
        except Exception as error:
            if names:
                self._blame(func, args, kwargs, error)
            raise
        if names:
            self.carry(func, (args, kwargs), operands, result)
        elif not operands or name_of(func) == "lift_fresh":
            self._made(result)
        return result

    def note(self, func: Any, names: Names) -> None:
        """Remember that an operation reads the marked tensors `names`."""
        self.read |= names & self.marked
        if name_of(func) not in _FOR_NUMBERS:
            self.operated |= names & self.marked
        if name_of(func) == "_to_copy":
            self.converted |= names & self.marked
        if name_of(func) not in _CONVERSIONS and not getattr(func, "is_view", False):
            self.computed |= names & self.marked

    def carry(self, func: Any, given: Any, operands: Sequence[torch.Tensor], result: Any) -> None:
        """Give the results of an operation the names of its operands, and remember where they have their dtype."""
        has_dtype = _has_dtype(given) or name_of(func) == "copy_"
        for tensor in tensors_in(result):
            sources = [one for one in operands if one.device == tensor.device]
            names = self.names_of(sources)
            if not names:
                continue
            if any(tensor is operand for operand in operands):
                self._remember(tensor, names, owed=self.owed_to(tensor))
                continue
            owed = NOBODY if has_dtype else self._dtype_owed(tensor, sources)
            self._remember(tensor, names, owed=owed)
            if owed and any(self._lost(one, tensor) for one in sources):
                self.clash("promoted", name_of(func), owed)

    def excuse(self, tensor: torch.Tensor) -> torch.Tensor:
        """The tensor under another identity, whose dtype was asked for and is owed to nobody."""
        asked: torch.Tensor = torch.ops.aten.alias.default(tensor)
        self._owed.pop(id(asked), None)
        return asked

    def follow(self, tensor: torch.Tensor, model: torch.Tensor) -> torch.Tensor:
        """The tensor under another identity, whose dtype and device are those of a marked one."""
        names = self.names_of((tensor, model) if tensor.device == model.device else (tensor,))
        followed = self.excuse(tensor)
        self._remember(followed, names, owed=self.owed_to(model))
        return followed

    def clash(self, what: str, operation: str, names: Names, error: Exception | None = None) -> None:
        """Remember an operation in which the marked tensors do harm."""
        if any(raised is error for _, raised in self._raised):
            return  # it has been seen on a lower level
        text = f"{type(error).__name__}: {error}" if error is not None else ""
        found = Clash(what, operation, names, line_in(self._file), text)
        if error is None and found in self.clashes:
            return
        self.clashes.append(found)
        if error is not None:
            self._raised.append((found, error))

    def doubt(self, reason: str) -> None:
        """Remember why what happens from here on may not be what happens elsewhere."""
        if reason not in self.doubts:
            self.doubts.append(reason)

    def settle(self, error: BaseException | None) -> None:
        """Forget the clashes that raised an error which is no cause of `error`: the code caught it and went on."""
        causes = list(_chain(error))
        caught = {id(clash) for clash, raised in self._raised if not any(raised is one for one in causes)}
        self.clashes = [one for one in self.clashes if id(one) not in caught]

    def _remember(self, tensor: torch.Tensor, names: Names, *, owed: Names) -> None:
        self._names[_memory(tensor)] = names
        self._kept.append(tensor)
        if owed:
            self._owed[id(tensor)] = owed

    def _made(self, result: Any) -> None:
        """Name what the file makes from nothing by its line."""
        made = [one for one in tensors_in(result) if one.numel() <= _MOST_ELEMENTS]
        line = line_in(self._file) if made and len(self._kept) < _MOST_KEPT else 0
        for tensor in made if line else ():
            names = frozenset((f"line {line}",))
            self._remember(tensor, names, owed=NOBODY)

    def _dtype_owed(self, tensor: torch.Tensor, operands: Sequence[torch.Tensor]) -> Names:
        alike = [one for one in operands if one.dtype == tensor.dtype]
        owed = [self.owed_to(one) for one in alike]
        return NOBODY.union(*owed) if tensor.is_floating_point() and all(owed) else NOBODY

    def _lost(self, operand: torch.Tensor, result: torch.Tensor) -> bool:
        """True for an operand of its own, floating dtype that the result has not."""
        return operand.is_floating_point() and operand.dtype != result.dtype and not self.owed_to(operand)

    def _blame(self, func: Any, args: Any, kwargs: Any, error: Exception) -> None:
        """Remember a clash if the operation runs once the marked operands are converted to what the others are."""
        operands = tensors_in((args, kwargs))
        others = [one for one in operands if not self.names_of((one,)) or not one.is_floating_point()]
        others += [one for one in operands if one.is_floating_point() and self._is_own(one)]
        converted = {
            id(one): changed
            for one in operands
            if self.names_of((one,)) and (changed := self._fitted(one, others)) is not None
        }
        if not converted:
            return
        at_fault = NOBODY.union(
            *(
                self.owed_to(one) if converted[id(one)].device == one.device else self.names_of((one,))
                for one in operands
                if id(one) in converted
            )
        )
        try:
            given, named = tree_map(lambda value: converted.get(id(value), _copied(value)), (args, dict(kwargs)))
            func(*given, **named)
        except Exception:
            return  # it fails for another reason as well
        self.clash("raised", name_of(func), at_fault, error)

    def _is_own(self, tensor: torch.Tensor) -> bool:
        return bool(self.names_of((tensor,))) and not self.owed_to(tensor)

    def _fitted(self, tensor: torch.Tensor, others: Sequence[torch.Tensor]) -> torch.Tensor | None:
        """The tensor where and in what the others are; None where it is already, or its dtype is its own."""
        device = next((one.device for one in others if one.device.type not in ("cpu", "meta")), tensor.device)
        dtypes = [one.dtype for one in others if one.is_floating_point() and one is not tensor]
        dtype = dtypes[0] if dtypes and tensor.is_floating_point() and self.owed_to(tensor) else tensor.dtype
        if (device, dtype) == (tensor.device, tensor.dtype):
            return None
        return tensor.to(device, dtype)


class _Requests(TorchFunctionMode):
    """Sees what the code asks for where no operation runs: a dtype that the tensor has already, its values."""

    def __init__(self, trace: Trace) -> None:
        super().__init__()
        self._trace = trace

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if name in _READS and isinstance(args[0], torch.Tensor):
            names = self._trace.names_of(args[:1]) & self._trace.marked
            self._trace.read |= names
            self._trace.computed |= names
        result = func(*args, **kwargs)
        if not isinstance(result, torch.Tensor):
            return result
        model = _model_of(name, args, kwargs)
        if model is not None and self._trace.names_of((model,)) and not self._is_old(result, args):
            return self._trace.follow(result, model)
        if not self._trace.owed_to(result):
            return result
        if _has_dtype((args, kwargs)) or (name in _ASKS_FOR_DTYPE and _names_dtype(name, args, kwargs)):
            return self._trace.excuse(result)
        return result

    def _is_old(self, result: torch.Tensor, args: Any) -> bool:
        """True where nothing was converted: the result shares its memory with what has no name."""
        return any(result is one for one in args) and not self._trace.names_of((result,)) & self._trace.marked


def _model_of(name: str, args: Any, kwargs: Any) -> torch.Tensor | None:
    """The tensor whose dtype and device another is to have: `t` in `x.to(t)`."""
    if name not in ("to", "type_as"):
        return None
    return next((one for one in (*args[1:], *kwargs.values()) if isinstance(one, torch.Tensor)), None)


def _names_dtype(name: str, args: Any, kwargs: Any) -> bool:
    """True where a conversion decides the dtype: all do but `to` a device."""
    return name != "to" or any(isinstance(one, torch.Tensor) for one in (*args[1:], *kwargs.values()))


def tensors_in(values: Any) -> list[torch.Tensor]:
    """The tensors in nested arguments or results."""
    return list(_tensors(values))


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _tensors(one)
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _tensors(one)
    elif hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        yield from _tensors(vars(value) if hasattr(value, "__dict__") else ())


def name_of(func: Any) -> str:
    """The name of an operation without its overload: "add" of aten.add.Tensor."""
    return str(func._schema.name).partition("::")[2]


def line_in(file: str) -> int:
    """The line of `file` that runs now; 0 where none does."""
    frame = sys._getframe(1)
    while frame is not None:
        if _real(frame.f_code.co_filename) == file:
            return frame.f_lineno
        frame = frame.f_back  # type: ignore[assignment]
    return 0


@functools.lru_cache(maxsize=4096)
def _real(file: str) -> str:
    return os.path.realpath(file)


def _has_dtype(given: Any) -> bool:
    """True where a dtype is among the arguments."""
    args, kwargs = given
    return any(isinstance(one, torch.dtype) for one in (*args, *kwargs.values()))


def _copied(value: Any) -> Any:
    return value.detach().clone() if isinstance(value, torch.Tensor) else value


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error, what it was raised from, and what was handled meanwhile."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _memory(tensor: torch.Tensor) -> int:
    values = tensor.values if isinstance(tensor, Placed) else tensor
    address = values.untyped_storage().data_ptr() if values.layout is torch.strided else 0
    return address or id(tensor)
