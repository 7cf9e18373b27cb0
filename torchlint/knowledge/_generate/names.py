"""The names that the tables speak of, and the object behind each."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType
from typing import Any

import torch

NAMESPACES: dict[str, ModuleType] = {
    "torch": torch,
    "torch.linalg": torch.linalg,
    "torch.fft": torch.fft,
    "torch.special": torch.special,
    "torch.signal.windows": torch.signal.windows,
    "torch.nn.functional": torch.nn.functional,
    "torch.nn.init": torch.nn.init,
}
# Helpers that torch's namespaces import from elsewhere, and functions that act on the process instead of on tensors.
_HELPERS = frozenset(
    """
    assert_int_or_pair boolean_dispatch handle_torch_function has_torch_function has_torch_function_unary
    has_torch_function_variadic compile vmap load save export import_ir_module import_ir_module_from_buffer parse_ir
    parse_schema parse_type_comment merge_type_from_type_comment manual_seed seed fork wait
    """.split()
)


@cache
def everything() -> dict[str, Callable[..., Any]]:
    """Every name of the tables with a callable for it."""
    return dict((*functions(), *methods()))


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public function of the namespaces, as ("torch.zeros", torch.zeros), in alphabetical order."""
    for prefix, namespace in NAMESPACES.items():
        for name in sorted(dir(namespace)):
            function = getattr(namespace, name)
            if name.startswith("_") or name in _HELPERS or not inspect.isroutine(function):
                continue
            yield f"{prefix}.{name}", function


def methods() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public method and attribute of a tensor, as ("Tensor.topk", a function of the tensor and the arguments)."""
    for name in sorted(dir(torch.Tensor)):
        if name.startswith("_"):
            continue
        member = inspect.getattr_static(torch.Tensor, name)
        if callable(getattr(torch.Tensor, name)) or isinstance(member, staticmethod):
            yield f"Tensor.{name}", getattr(torch.Tensor, name)
        else:
            yield f"Tensor.{name}", _attribute_reader(name)


def is_attribute(name: str) -> bool:
    """Whether "Tensor.shape" is read and not called."""
    prefix, _, last = name.rpartition(".")
    return prefix == "Tensor" and not callable(getattr(torch.Tensor, last))


def _attribute_reader(name: str) -> Callable[..., Any]:
    def read(tensor: torch.Tensor) -> Any:
        return getattr(tensor, name)

    return read
