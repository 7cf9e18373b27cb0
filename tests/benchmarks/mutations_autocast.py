"""Mutations of code around autocast: a region that is opened, a cast that is added or taken away, a decorator lost."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from tests.benchmarks.mutations_pages import Edit
from tests.benchmarks.mutations_syntax import Definition, Function, Mutation, Swap, calls, expression, text_of

Swaps = Callable[[Definition], Iterator[Swap]]
_REGION = re.compile(r"^torch\.autocast\((?!.*False).*\)$")
_ISLAND = re.compile(r"^torch\.autocast\(.*enabled=False\)$")


def _functions(definition: Definition) -> Iterator[Function]:
    return (node for node in ast.walk(definition) if isinstance(node, Function))


def _blocks(function: ast.AST, wanted: re.Pattern[str]) -> Iterator[ast.With]:
    for node in ast.walk(function):
        if isinstance(node, ast.With) and any(wanted.match(text_of(item.context_expr)) for item in node.items):
            yield node


def cast_of_result(cast: str) -> Swaps:
    """What a region returns as the result of an operation, cast by hand."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        for function in _functions(definition):
            for block in _blocks(function, _REGION):
                last = block.body[-1]
                is_result = isinstance(last, ast.Return) and isinstance(last.value, ast.BinOp)
                if is_result and isinstance(last, ast.Return) and last.value and not list(_blocks(block, _ISLAND)):
                    yield {last.value: expression(f"({text_of(last.value)}){cast}")}

    return swaps


def backward_inside(definition: Definition) -> Iterator[Swap]:
    """The backward pass that follows a region, moved to its end."""
    for function in _functions(definition):
        for node in ast.walk(function):
            body = getattr(node, "body", None)
            for block, after in pairwise(body) if isinstance(body, list) else ():
                is_backward = isinstance(after, ast.Expr) and re.search(r"\.backward\(.*\)$", text_of(after))
                if isinstance(block, ast.With) and is_backward and block in _blocks(function, _REGION):
                    moved = ast.With(items=block.items, body=[*block.body, after], lineno=1)
                    yield {block: moved, after: None}


def without_decorator(name: str) -> Swaps:
    """A method of a Function that loses the decorator."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        for function in _functions(definition):
            for decorator in function.decorator_list:
                # A forward that casts its inputs needs no custom_bwd.
                if name in text_of(decorator) and "cast_inputs" not in text_of(definition):
                    yield {decorator: None}

    return swaps


def without_casts(definition: Definition) -> Iterator[Swap]:
    """The arguments of the layers in an island, no more cast at its entrance."""
    for function in _functions(definition):
        for block in _blocks(function, _ISLAND):
            for call in calls(block, r"self\.\w+"):
                swap: dict[ast.AST, ast.AST] = {
                    cast: cast.func.value
                    for argument in call.args
                    for cast in calls(argument, r".*\.float")
                    if isinstance(cast.func, ast.Attribute)
                }
                if swap:
                    yield swap


def island_opened(replacement: str) -> Swaps:
    """An island of a helper that casts and multiplies, turned into something that leaves autocast on."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        for function in _functions(definition):
            for block in _blocks(function, _ISLAND):
                if re.search(r"\.float\(\) @ ", text_of(block)):
                    island = next(one for one in block.items if _ISLAND.match(text_of(one.context_expr)))
                    yield {island.context_expr: expression(replacement)}

    return swaps


_ON = 'torch.autocast("cpu", dtype=torch.bfloat16)'

MUTATIONS = (
    Mutation("TL401", "half of a result", cast_of_result(".half()")),
    Mutation("TL401", "to(float16) of a result", cast_of_result(".to(torch.float16)")),
    Mutation("TL401", "the island is a region", island_opened(_ON.replace('"', "'"))),
    Mutation("TL402", "backward moved into the region", backward_inside),
    Mutation("TL403", "no island in the helper", island_opened("torch.enable_grad()")),
    Mutation("TL407", "no custom_fwd", without_decorator("custom_fwd")),
    Mutation("TL407", "no custom_bwd", without_decorator("custom_bwd")),
    Mutation("TL409", "no cast at the entrance", without_casts),
)

_ISLAND_TEXT = 'torch.autocast("cpu", enabled=False)'
_WITH_ISLAND = f"    with {_ISLAND_TEXT}:\n        return queries.float() @ keys.float().t()"
_DECORATORS = ('    @custom_fwd(device_type="cpu")\n', ""), ('    @custom_bwd(device_type="cpu")\n', "")
_GATE = "return self.gate(hidden.float()).softmax(-1)"
_STEP = "            loss = head(hidden.float()).square().mean()\n    loss.backward()"


def _helper(text: str) -> tuple[str, str]:
    return _WITH_ISLAND, text


EDITS = (
    Edit("TL401", 1, "no island around the product", ((_ISLAND_TEXT, _ON),)),
    Edit("TL401", 1, "a region chosen by a flag", ((_ISLAND_TEXT, f"({_ON} if len(positions) else torch.no_grad())"),)),
    Edit("TL401", 1, "bfloat16 after the reduction", (("dim=-1)", "dim=-1).bfloat16()"),)),
    Edit("TL401", 1, "to(float16) by a name", (("dim=-1)", "dim=-1).to(dtype=torch.half)"),)),
    Edit("TL401", 1, "a float64 operand", ((_ISLAND_TEXT, _ON), ("positions[None].float()", "positions[None]"))),
    Edit("TL402", 1, "backward in the region", ((_STEP, _STEP.replace("\n    loss", "\n        loss")),)),
    Edit("TL402", 1, "scaled backward in the region", ((_STEP, _STEP.replace("\n    loss", "\n        (loss * 8)")),)),
    Edit(
        "TL402",
        1,
        "the region is a decorator",
        (
            ("def train_step", f"@{_ON}\ndef train_step"),
            (f"    with {_ON}:\n        hidden", "    if True:\n        hidden"),
        ),
    ),
    Edit(
        "TL402",
        1,
        "the region is a variable",
        (
            (f"    with {_ON}:\n", f"    context = {_ON}\n    with context:\n"),
            (_STEP, _STEP.replace("\n    loss", "\n        loss")),
        ),
    ),
    Edit(
        "TL402",
        1,
        "by torch.autograd",
        ((_STEP, _STEP.replace("\n    loss.backward()", "\n        torch.autograd.backward(loss)")),),
    ),
    Edit("TL403", 1, "no island", (_helper("    return queries.float() @ keys.float().t()"),)),
    Edit("TL403", 1, "by matmul", (_helper("    return torch.matmul(queries.to(torch.float32), keys.t())"),)),
    Edit("TL403", 1, "by einsum", (_helper('    return torch.einsum("ik,jk->ij", queries.float(), keys)'),)),
    Edit(
        "TL403",
        1,
        "by another helper",
        (
            _helper(
                "    return product(queries, keys.t())\n\n\ndef product(a, b):\n    a = a.float()\n    return a @ b"
            ),
        ),
    ),
    Edit("TL403", 1, "a narrowing helper", (_helper("    return (queries @ keys.t()).square().half()"),)),
    Edit("TL407", 1, "no decorators", _DECORATORS),
    Edit("TL407", 1, "custom_fwd alone", _DECORATORS[1:]),
    Edit("TL407", 1, "custom_bwd alone", _DECORATORS[:1]),
    Edit("TL407", 1, "by mm", (*_DECORATORS, ("gradient @ weight", "gradient.mm(weight)"))),
    Edit("TL407", 1, "by linear", (*_DECORATORS, ("x @ weight.t()", "torch.nn.functional.linear(x, weight)"))),
    Edit("TL409", 1, "no cast", ((_GATE, _GATE.replace(".float()", "")),)),
    Edit("TL409", 1, "cast after the layer", ((_GATE, "return self.gate(hidden).float().softmax(-1)"),)),
    Edit("TL409", 1, "by linear", ((_GATE, "return nn.functional.linear(hidden, self.gate.weight).softmax(-1)"),)),
    Edit("TL409", 1, "by a view", ((_GATE, "return self.gate(hidden[None].clone()).softmax(-1)"),)),
    Edit("TL409", 1, "of a product", ((_GATE, _GATE.replace(".float()", "")), ("self.inner(x)", "(x @ x.t())"))),
)
