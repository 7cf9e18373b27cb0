"""What torch itself says of the lines of a facts file: the file runs, and each marked line shows its value."""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
import tempfile
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest
import torch
from fact_lines import Claim
from torch import nn

_CATEGORIES = {"floating": ("float", "bfloat"), "integral": ("int", "uint", "bool"), "complex": ("complex",)}
_NUMBERS = {bool: "bool", int: "integral", float: "floating", complex: "complex"}
_KINDS: dict[str, Callable[[Any], bool]] = {
    "tensor": lambda value: isinstance(value, torch.Tensor) and not isinstance(value, nn.Parameter),
    "buffer": lambda value: isinstance(value, torch.Tensor) and not isinstance(value, nn.Parameter),
    "parameter": lambda value: isinstance(value, nn.Parameter),
    "module": lambda value: isinstance(value, nn.Module),
    "container": lambda value: isinstance(value, Iterable) and not isinstance(value, str | torch.Tensor),
    "array": lambda value: isinstance(value, np.ndarray | np.generic),
    "number": lambda value: isinstance(value, int | float | complex),
    "callable": callable,
    "object": lambda value: type(value).__module__ != "builtins" and not isinstance(value, torch.Tensor | nn.Module),
    "other": lambda value: not isinstance(value, torch.Tensor | nn.Module | int | float | complex),
    "none": lambda value: value is None,
}


@dataclass
class Shown:
    """What a run showed: the marked lines that it reached, and where torch contradicts a claim, by file and line."""

    visited: set[tuple[Path, int]] = field(default_factory=set)
    contradictions: dict[tuple[Path, int], str] = field(default_factory=dict)


class _Show:
    """The function that marked lines call with their values."""

    def __init__(self, claims: tuple[Claim, ...]) -> None:
        self._claims = {(str(claim.path), claim.line): claim for claim in claims}
        self._holders: list[tuple[Claim, nn.Module]] = []
        self.found = Shown()

    def __call__(self, path: str, line: int, value: object, holder: object = None) -> object:
        """Compare a value with the claim on its line, and give it back. holder: the object whose attribute is meant."""
        claim = self._claims[path, line]
        caller = inspect.currentframe()
        assert caller is not None
        assert caller.f_back is not None
        self.found.visited.add((claim.path, line))
        self._note(claim, [*_value_problems(claim, value), *_region_problems(claim, caller.f_back)])
        if "registration" in claim.facets and isinstance(holder, nn.Module):
            self._holders.append((claim, holder))
        return value

    def look_at_holders(self) -> None:
        """Compare what is claimed of registration, now that every object is built."""
        for claim, holder in self._holders:
            self._note(claim, _registration_problems(claim, holder))

    def _note(self, claim: Claim, problems: list[str]) -> None:
        if problems:
            self.found.contradictions[claim.path, claim.line] = "; ".join(problems)


def shown(claims: tuple[Claim, ...], paths: tuple[Path, ...], start: Path) -> Shown:
    """What running demo() of `start`, one of the files `paths` in and below its folder, shows of the claims in them."""
    show = _Show(claims)
    with tempfile.TemporaryDirectory() as copy, pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for path in paths:
            instrumented = Path(copy) / path.relative_to(start.parent)
            instrumented.parent.mkdir(parents=True, exist_ok=True)
            instrumented.write_text(_instrumented(path, claims), encoding="utf-8")
        patch.setattr(builtins, "show_fact", show, raising=False)
        patch.syspath_prepend(copy)
        _run(Path(copy) / start.name, Path(copy))
    show.look_at_holders()
    return show.found


def _run(start: Path, folder: Path) -> None:
    torch.manual_seed(0)
    namespace: dict[str, Any] = {"__name__": start.stem, "__file__": str(start)}
    try:
        exec(compile(start.read_text(encoding="utf-8"), str(start), "exec"), namespace)
        namespace["demo"]()
    finally:
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None)).startswith(str(folder)):
                del sys.modules[name]


def _instrumented(path: Path, claims: tuple[Claim, ...]) -> str:
    """The text of a file in which each marked line calls show_fact."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    marked = {claim.statement.lineno: claim for claim in claims if claim.path == path}
    return ast.unparse(ast.fix_missing_locations(_Marker(marked).visit(tree)))


class _Marker(ast.NodeTransformer):
    def __init__(self, marked: dict[int, Claim]) -> None:
        self._marked = marked

    def visit(self, node: ast.AST) -> Any:
        """Let a marked statement show the value that it assigns, returns or evaluates."""
        self.generic_visit(node)
        claim = self._marked.get(getattr(node, "lineno", 0))
        if not isinstance(node, ast.stmt) or claim is None or type(node) is not type(claim.statement):
            return node
        if isinstance(node, ast.AugAssign):
            target = ast.parse(ast.unparse(node.target), mode="eval").body
            return [node, ast.Expr(_call(claim, target))]
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.Return | ast.Expr) and node.value is not None:
            node.value = _call(claim, node.value)
        return node


def _call(claim: Claim, value: ast.expr) -> ast.Call:
    holder = [claim.attribute.value] if claim.attribute is not None else []
    arguments = [ast.Constant(str(claim.path)), ast.Constant(claim.line), value, *holder]
    return ast.Call(ast.Name("show_fact", ast.Load()), arguments, [])


# Comparison


def _value_problems(claim: Claim, value: Any) -> list[str]:
    """Where a value contradicts a claim.

    None contradicts nothing: in the model it is absence, and an attribute that may be None is what it is otherwise.
    """
    facets = claim.facets
    kind = facets.get("kind", "unknown")
    if kind == "unknown" or (value is None and kind != "none"):
        return []
    problems = _type_problems(kind, facets.get("dtype", "?"), value)
    if facets.get("ndim", "?") != "?" and facets["ndim"] != f"{value.ndim}-dim":
        problems.append(f"it has {value.ndim} dimensions")
    if "device" in facets and value.device.type != facets["device"]:
        problems.append(f"it is on {value.device}")
    if facets.get("gradient") == "detached" and any(tensor.requires_grad for tensor in _tensors_in(value)):
        problems.append("it requires gradients")
    if "of" in facets and facets["of"] not in (type(value).__name__, getattr(value, "__name__", None)):
        problems.append(f"it is a {type(value).__name__}")
    if "made_by" in facets:
        problems += _origin_problems(facets["made_by"], value)
    element_kind, _, element_dtype = facets.get("element", "unknown").partition(" ")
    for element in _elements_of(value) if element_kind != "unknown" else ():
        problems += [f"of an element: {text}" for text in _type_problems(element_kind, element_dtype or "?", element)]
    return problems


def _type_problems(kind: str, dtype: str, value: Any) -> list[str]:
    problems = [] if _KINDS[kind](value) else [f"it is {type(value).__name__}"]
    return problems + _dtype_problems(dtype, value)


def _dtype_problems(claimed: str, value: Any) -> list[str]:
    real = _dtype_name(value)
    if claimed == "?" or claimed == real or real.startswith(_CATEGORIES.get(claimed, ("never",))):
        return []
    return [f"its dtype is {real}"]


def _dtype_name(value: Any) -> str:
    if isinstance(value, torch.Tensor | torch.dtype):
        return str(getattr(value, "dtype", value)).removeprefix("torch.")
    return _NUMBERS.get(type(value), "none")


def _elements_of(value: Any) -> list[Any]:
    """The elements of a container that can be looked at without using it up."""
    if isinstance(value, dict):
        value = value.values()
    return [element for element in value if element is not None] if isinstance(value, Collection) else []


def _tensors_in(value: Any) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    return [element for element in _elements_of(value) if isinstance(element, torch.Tensor)]


def _origin_problems(name: str, value: Any) -> list[str]:
    """What made a tensor cannot be seen; a callable is what its name leads to, a layer is called so."""
    if isinstance(value, nn.Module):
        return [] if name.endswith(f".{type(value).__name__}") else [f"it is a {type(value).__name__}"]
    if not callable(value):
        return []
    found: Any = torch
    for part in name.split(".")[1:]:
        found = getattr(found, part)
    return [] if found is value else [f"it is not {name}"]


def _registration_problems(claim: Claim, holder: nn.Module) -> list[str]:
    assert claim.attribute is not None
    name = claim.attribute.attr
    kinds: dict[str, Mapping[str, object]] = {
        "registered parameter": holder._parameters,
        "registered buffer": holder._buffers,
        "registered module": holder._modules,
    }
    real = next((kind for kind, names in kinds.items() if name in names), "plain")
    return [] if real == claim.facets["registration"] else [f"it is {real}"]


def _region_problems(claim: Claim, caller: FrameType) -> list[str]:
    facets = claim.facets
    problems = [] if "autocast" not in facets else _autocast_problems(facets["autocast"])
    if "gradients" in facets and torch.is_grad_enabled() is not (facets["gradients"] == "on"):
        problems.append(f"gradients are {'on' if torch.is_grad_enabled() else 'off'}")
    for condition in facets.get("holds", "nothing").split(", "):
        if condition != "nothing" and "?" not in condition and not eval(condition, caller.f_globals, caller.f_locals):
            problems.append(f"{condition} does not hold")
    return problems


def _autocast_problems(claimed: str) -> list[str]:
    is_on = torch.is_autocast_enabled("cpu")
    if is_on is not claimed.startswith("in autocast"):
        return [f"autocast is {'on' if is_on else 'off'}"]
    dtype = claimed.removeprefix("in autocast ").removeprefix("in autocast")
    return _dtype_problems(dtype, torch.get_autocast_dtype("cpu")) if is_on and dtype not in ("", "?") else []
