"""Mutations of the conversion rules that follow outputs of networks: gradient breaks, numpy, redundant conversions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.benchmarks.mutations_pages import Edit
from tests.benchmarks.mutations_state import Swaps
from tests.benchmarks.mutations_syntax import Definition, Mutation, Swap, expression, text_of


def without_call(*names: str) -> Swaps:
    """A call of a method of these names before numpy() is left out: x.cpu().numpy() becomes x.numpy()."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        for chain in _before_numpy(definition):
            dropped = [call for call in chain if _method(call) in names]
            if dropped:
                yield _without(chain, dropped)

    return swaps


def _before_numpy(definition: Definition) -> Iterator[list[ast.Call]]:
    """The calls of each chain that ends in numpy(), outermost first."""
    for node in ast.walk(definition):
        chain: list[ast.Call] = []
        call: ast.AST = node
        while isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            chain.append(call)
            call = call.func.value
        if chain and _method(chain[0]) == "numpy":
            yield chain


def _without(chain: list[ast.Call], dropped: list[ast.Call]) -> Swap:
    last = chain[-1].func
    assert isinstance(last, ast.Attribute)
    text = text_of(last.value)
    for call in reversed(chain):
        if call not in dropped:
            arguments = ", ".join(map(text_of, [*call.args, *call.keywords]))
            text = f"{text}.{_method(call)}({arguments})"
    return {chain[0]: expression(text)}


def _method(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def rebuilt(template: str) -> Swaps:
    """torch.stack(values) becomes a new tensor of the values: `template` says it with {values}."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        for node in ast.walk(definition):
            if isinstance(node, ast.Call) and text_of(node.func) == "torch.stack" and len(node.args) == 1:
                yield {node: expression(template.format(values=text_of(node.args[0])))}

    return swaps


def cut(template: str) -> Swaps:
    """The second term of a loss that is a sum is taken out of the graph: `template` says it with {term}."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        for node in ast.walk(definition):
            total = node.value if isinstance(node, ast.Assign) and text_of(node.targets[0]) == "loss" else None
            if isinstance(total, ast.BinOp) and isinstance(total.op, ast.Add):
                yield {total.right: expression(template.format(term=text_of(total.right)))}

    return swaps


MUTATIONS = (
    Mutation("TL305", "torch.tensor() for stack()", rebuilt("torch.tensor({values})")),
    Mutation("TL305", "a leaf for stack()", rebuilt("torch.tensor({values}, requires_grad=True)")),
    Mutation("TL305", "a term by item()", cut("({term}).item()")),
    Mutation("TL305", "a term by detach()", cut("({term}).detach()")),
    Mutation("TL305", "a term by float()", cut("float({term})")),
    Mutation("TL305", "a term by data", cut("({term}).data")),
    Mutation("TL306", "no cpu()", without_call("cpu")),
    Mutation("TL306", "no detach()", without_call("detach")),
    Mutation("TL306", "neither", without_call("detach", "cpu")),
)

_SUM = ("output.abs().mean()\n", "output.round().long().float().mean()\n")
_KEPT = "losses.append(mse_loss(model(batch), target).detach())"
_TYPED = "torch.tensor(values, dtype=torch.float32)"
EDITS = (
    Edit("TL305", 1, "integers in the loss", (_SUM,)),
    Edit("TL305", 1, "a local between", (("(torch.stack(chosen) * returns)", "(torch.as_tensor(chosen) * returns)"),)),
    Edit("TL306", 1, "an array function", (("similarity.detach().cpu().numpy()", "np.asarray(similarity)"),)),
    Edit("TL306", 1, "gradients on", (("@torch.no_grad()\n", ""),)),
    Edit("TL306", 1, "no move back", ((".softmax(-1).cpu()", ".softmax(-1)"),)),
    Edit("TL307", 1, "cast first", (("pixels.to(device).float()", "pixels.float().to(device)"),)),
    Edit(
        "TL307", 1, "cast and scaled first", (("pixels.to(device).float() / 255", "(pixels.float() / 255).to(device)"),)
    ),
    Edit("TL307", 1, "typed later", ((_TYPED, "torch.tensor(values).float()"),)),
    Edit("TL307", 1, "typed by to()", ((_TYPED, "torch.tensor(values).to(torch.float32)"),)),
    Edit("TL307", 1, "item() in each step", ((_KEPT, _KEPT.replace(".detach()", ".item()")),)),
    Edit("TL307", 1, "float() in each step", ((_KEPT, "losses.append(float(mse_loss(model(batch), target)))"),)),
)
