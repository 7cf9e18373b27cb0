"""How a class is built and called, as code that needs nothing of ours; None where that cannot be written."""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from .candidates import Candidate
from .inputs import Call
from .plans import COMPLEX, FLAGS, IDS, STEPS, UNIT, Array, Constant, Group, Guess, Plan
from .recipe import Recipe
from .shared_code import spoken
from .standins import Role

_PLAIN = (bool, int, float, str, bytes, type(None))


def code_of_build(recipe: Recipe) -> str | None:
    """The expression that makes the module. It sees torch, nn, `checked` (the file) and import_module."""
    if recipe.origin:
        module, _, function = recipe.origin.partition(":")
        return f"import_module({module!r}).{function}()"
    given = _all_written({name: _of_candidate(one, recipe.kind) for name, one in recipe.arguments.items()})
    if given is None:
        return None
    return f"checked.{recipe.kind.__qualname__}({', '.join(f'{name}={code}' for name, code in spoken(given).items())})"


def code_of_call(call: Call | None, *, size: int = 0) -> str | None:
    """The arguments of forward, as they stand between its parentheses.

    SmallModel() is what standins.StandIn() is here, and Record() a dict whose entries are attributes as well.
    """
    plans: Guess | None = None if call is None else call.longer if size else call.plans
    if call is None or plans is None:
        return None
    given = _all_written({name: _of_plan(plan) for name, plan in plans.items()})
    if given is None:
        return None
    return ", ".join(code if call.by_position else f"{name}={code}" for name, code in spoken(given).items())


def _all_written(codes: Mapping[str, str | None]) -> dict[str, str] | None:
    """The expressions; None where one of them is missing."""
    found = {name: code for name, code in codes.items() if code is not None}
    return found if len(found) == len(codes) else None


def _of_candidate(one: Candidate, kind: type) -> str | None:
    """Its text, or the repr of its value, if that means the same where the file is called `checked`."""
    if one.code is not None:
        return one.code or None
    value = one.make()
    for text in (one.text, repr(value)):
        code = _seen_from_outside(text, kind)
        if code is not None and _is_same(code, value, kind):
            return code
    return None


def _seen_from_outside(text: str, kind: type) -> str | None:
    """The expression with the names of the file written as names of `checked`."""
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError:
        return None
    own = vars(sys.modules[kind.__module__])

    class Prefix(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            if node.id in ("torch", "nn") or node.id not in own:
                return node
            return ast.Attribute(ast.Name("checked", ast.Load()), node.id, ast.Load())

    return ast.unparse(Prefix().visit(tree))


def _is_same(code: str, value: Any, kind: type) -> bool:
    try:
        found = eval(code, {"torch": torch, "nn": nn, "checked": sys.modules[kind.__module__]})
    except Exception:
        return False
    if isinstance(value, nn.Module):
        return isinstance(found, nn.Module)
    if isinstance(value, torch.Tensor):
        return isinstance(found, torch.Tensor) and found.shape == value.shape and found.dtype == value.dtype
    return type(found) is type(value) and (found == value or bool(getattr(value, "__dataclass_fields__", None)))


def _of_plan(plan: Plan) -> str | None:
    if isinstance(plan, Role):
        return plan.code or None
    if isinstance(plan, Array):
        return _of_array(plan)
    if isinstance(plan, Constant):
        return repr(plan.value) if _is_plain(plan.value) else None
    if not isinstance(plan, Group):
        return None
    parts = [_of_plan(one) for one in plan.parts]
    found = [one for one in parts if one is not None]
    if len(found) < len(parts):
        return None
    if plan.keys:
        entries = ", ".join(f"{name!r}: {one}" for name, one in zip(plan.keys, found, strict=True))
        return f"Record({{{entries}}})"
    return f"[{', '.join(found)}]" if plan.is_list else f"({''.join(f'{one}, ' for one in found)})"


def _is_plain(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return all(map(_is_plain, value))
    return isinstance(value, _PLAIN)


def _of_array(plan: Array) -> str:
    shape, limit = plan.shape, max(plan.limit, 1)
    if plan.kind == IDS:
        return f"torch.randint(0, {limit}, {shape})"
    if plan.kind == STEPS:
        return f"torch.arange({shape[-1] if shape else 1}).remainder({limit}).expand({shape})"
    if plan.kind == FLAGS:
        return f"torch.ones({shape}, dtype=torch.bool)"
    if plan.kind == UNIT:
        return f"torch.rand({shape})"
    return f"torch.randn({shape}, dtype=torch.complex64)" if plan.kind == COMPLEX else f"torch.randn({shape})"
