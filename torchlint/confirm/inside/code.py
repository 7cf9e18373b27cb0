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
from .standins import Role

_PLAIN = (bool, int, float, str, bytes, type(None))


def code_of_build(recipe: Recipe) -> str | None:
    """The expression that makes the module. It sees torch, nn, `checked` (the file) and import_module."""
    if recipe.origin:
        module, _, function = recipe.origin.partition(":")
        return f"import_module({module!r}).{function}()"
    given = {name: _of_candidate(one, recipe.kind) for name, one in recipe.arguments.items()}
    if None in given.values():
        return None
    return f"checked.{recipe.kind.__qualname__}({', '.join(f'{name}={code}' for name, code in given.items())})"


def code_of_call(call: Call | None, *, size: int = 0) -> str | None:
    """The arguments of forward, as they stand between its parentheses."""
    plans: Guess | None = None if call is None else call.longer if size else call.plans
    if call is None or plans is None:
        return None
    given = {name: _of_plan(plan) for name, plan in plans.items()}
    roles = [plan for plan in plans.values() if isinstance(plan, Role)]
    models = [plan for plan in roles if plan.is_model]
    if None in given.values() or len(models) > 1:
        return None
    if any(plan.is_over_model for plan in roles):
        return _with_one_model(plans, given, by_position=call.by_position)
    return ", ".join(f"{code}" if call.by_position else f"{name}={code}" for name, code in given.items())


def _with_one_model(plans: Guess, given: Mapping[str, str | None], *, by_position: bool) -> str:
    """The arguments where one of them is made from another: a model, and an optimizer over it."""
    is_model = {name: isinstance(plan, Role) and plan.is_model for name, plan in plans.items()}
    parts = {name: "model" if is_model[name] else code for name, code in given.items()}
    if by_position:
        return f"*(lambda model: ({''.join(f'{code}, ' for code in parts.values())}))(SmallModel())"
    named = ", ".join(f"{name!r}: {code}" for name, code in parts.items())
    return f"**(lambda model: {{{named}}})(SmallModel())"


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
        return "{" + ", ".join(f"{name!r}: {one}" for name, one in zip(plan.keys, found, strict=True)) + "}"
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
