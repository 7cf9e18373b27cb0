"""Mutations of training loops: scaler calls left out or moved, half losses and weights, a region around the loop."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from tests.benchmarks.mutations_pages import Edit
from tests.benchmarks.mutations_syntax import Definition, Mutation, Swap, calls, expression, statements, text_of

Swaps = Callable[[Definition], Iterator[Swap]]
_REGION = re.compile(r"^torch\.autocast\((?!.*False).*\)$")
_CLIP = re.compile(r".*clip_grad_(norm|value)_\(")
_SCALER = r"(self\.)?(grad_)?scaler"


def _bodies(definition: ast.AST) -> Iterator[list[ast.stmt]]:
    """The lists of statements of a definition."""
    for node in ast.walk(definition):
        for name in ("body", "orelse"):
            found = getattr(node, name, None)
            if isinstance(found, list) and found and isinstance(found[0], ast.stmt):
                yield found


def without_unscale(definition: Definition) -> Iterator[Swap]:
    """No unscale_() before clipping."""
    for body in _bodies(definition):
        lines = [text_of(one) for one in body]
        for position, line in enumerate(lines[:-1]):
            if ".unscale_(" in line and isinstance(body[position], ast.Expr) and _CLIP.match(lines[position + 1]):
                yield {body[position]: None}


def unscale_after(definition: Definition) -> Iterator[Swap]:
    """unscale_() behind the clipping."""
    for body in _bodies(definition):
        lines = [text_of(one) for one in body]
        for position, line in enumerate(lines[:-1]):
            if ".unscale_(" in line and isinstance(body[position], ast.Expr) and _CLIP.match(lines[position + 1]):
                yield {body[position]: None, body[position + 1]: [body[position + 1], body[position]]}


def raw_step(definition: Definition) -> Iterator[Swap]:
    """The step of the optimizer itself for the scaler's, in a function without unscale_()."""
    text = text_of(definition)
    if ".unscale_(" not in text and ".scale(" in text:
        for call in calls(definition, rf"{_SCALER}\.step"):
            yield {call: expression(f"{text_of(call.args[0])}.step()")}


def update_with_a_test(definition: Definition) -> Iterator[Swap]:
    """step() and update() in rounds with a finite loss only, behind an unscale_()."""
    for body in _bodies(definition):
        for one, other in pairwise(body):
            is_pair = ".step(" in text_of(one) and text_of(other).endswith(".update()")
            if is_pair and any(".unscale_(" in text_of(before) for before in body):
                guarded = statements("if torch.isfinite(loss):\n    pass")[0]
                assert isinstance(guarded, ast.If)
                guarded.body = [one, other]
                yield {one: guarded, other: None}


def half_loss(cast: str) -> Swaps:
    """What the scaler gets, cast by hand."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        for call in calls(definition, rf"{_SCALER}\.scale"):
            if len(call.args) == 1 and isinstance(call.args[0], ast.Name):
                yield {call.args[0]: expression(f"{text_of(call.args[0])}{cast}")}

    return swaps


def half_weights(statement: str) -> Swaps:
    """A conversion of what an optimizer gets, before it, in a function that scales."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        if "GradScaler(" not in text_of(definition):
            return
        for body in _bodies(definition):
            for one in body:
                found = re.search(r"torch\.optim\.\w+\(((self\.)?\w+)\.parameters\(\)", text_of(one))
                if isinstance(one, ast.Assign) and found:
                    yield {one: [*statements(statement.format(found.group(1))), one]}

    return swaps


def region_around(definition: Definition) -> Iterator[Swap]:
    """The region of each round around the loop instead."""
    for node in ast.walk(definition):
        if not isinstance(node, ast.For) or ".step(" not in text_of(node):
            continue
        for block in node.body:
            if isinstance(block, ast.With) and _REGION.match(text_of(block.items[0].context_expr)):
                inside = [part for one in node.body for part in (block.body if one is block else [one])]
                loop = ast.For(target=node.target, iter=node.iter, body=inside, orelse=[], lineno=1)
                yield {node: ast.With(items=block.items, body=[loop], lineno=1)}


MUTATIONS = (
    Mutation("TL404", "half() before the optimizer", half_weights("{0}.half()"), anywhere=True),
    Mutation(
        "TL404", "to(torch.float16) before the optimizer", half_weights("{0}.to(dtype=torch.float16)"), anywhere=True
    ),
    Mutation("TL405", "half()", half_loss(".half()"), anywhere=True),
    Mutation("TL405", "to(float16), divided", half_loss(".to(torch.float16) / 2"), anywhere=True),
    Mutation("TL406", "no unscale_()", without_unscale, anywhere=True),
    Mutation("TL406", "unscale_() behind the clipping", unscale_after, anywhere=True),
    Mutation("TL406", "raw step", raw_step, anywhere=True),
    Mutation("TL406", "step and update under a test", update_with_a_test, anywhere=True),
    Mutation("TL408", "the region around the loop", region_around, anywhere=True),
)

_LINEAR = "model = nn.Linear(4, 1)\n"
_OPTIMIZER = "    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
_SCALED = "scaler.scale(loss)"
_UNSCALE = "        scaler.unscale_(optimizer)\n"
_CLIPPED = "        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n"
_STEP = "        scaler.step(optimizer)\n"
_UPDATE = "        scaler.update()\n"
_WITH = '        with torch.autocast("cpu", dtype=torch.bfloat16):\n'
_LOSS = "            loss = model(batch).square().mean()\n"
_LOOP = "    for batch in batches:\n"
_ROUND = f"{_LOOP}        optimizer.zero_grad()\n{_WITH}{_LOSS}        loss.backward()\n        optimizer.step()\n"
_INSIDE = (
    f"{_LOOP}            optimizer.zero_grad()\n{_LOSS}            loss.backward()\n            optimizer.step()\n"
)
_LOAD = "            model.load_state_dict(torch.load('best'))\n"

EDITS = (
    Edit("TL404", 1, "half at once", ((_LINEAR, "model = nn.Linear(4, 1).half()\n"),)),
    Edit("TL404", 1, "half behind the optimizer", ((_OPTIMIZER, f"{_OPTIMIZER}    model.half()\n"),)),
    Edit(
        "TL404",
        1,
        "to() by a name",
        ((_LINEAR, f"{_LINEAR}    kind = torch.float16\n    model.to('cuda', dtype=kind)\n"),),
    ),
    Edit("TL404", 1, "by a test", ((_LINEAR, f"{_LINEAR}    if config.half:\n        model = model.half()\n"),)),
    Edit("TL404", 1, "type()", ((_LINEAR, f"{_LINEAR}    model.type(torch.float16)\n"),)),
    Edit("TL405", 1, "half()", ((_SCALED, "scaler.scale(loss.half())"),)),
    Edit("TL405", 1, "to(float16)", ((_SCALED, "scaler.scale(loss.to(torch.float16))"),)),
    Edit("TL405", 1, "half and back", ((_SCALED, "scaler.scale(loss.half().float())"),)),
    Edit(
        "TL405",
        1,
        "type_as of the output",
        (("F.mse_loss(model(x), y)", "F.mse_loss(out := model(x), y)"), (_SCALED, "scaler.scale(loss.type_as(out))")),
    ),
    Edit(
        "TL405",
        1,
        "by a flag",
        (("    scaler.scale", "    if len(x) > 1:\n        loss = loss.half()\n    scaler.scale"),),
    ),
    Edit("TL406", 1, "no unscale_()", ((_UNSCALE, ""),)),
    Edit("TL406", 1, "unscale_() behind the clipping", ((_UNSCALE + _CLIPPED, _CLIPPED + _UNSCALE),)),
    Edit("TL406", 1, "a raw step", ((_UNSCALE + _CLIPPED + _STEP, "        optimizer.step()\n"),)),
    Edit("TL406", 1, "no update", ((_UPDATE, ""),)),
    Edit("TL406", 1, "left early", ((_STEP, f"        if torch.isnan(norm):\n            continue\n{_STEP}"),)),
    Edit("TL406", 1, "update behind the loop", ((_UPDATE, "    scaler.update()\n"),)),
    Edit("TL408", 1, "the region around the loop", ((_ROUND, _WITH[4:] + _INSIDE.replace(_LOOP, "    " + _LOOP)),)),
    Edit("TL408", 1, "a decorator", (("def train", '@torch.autocast("cpu", dtype=torch.bfloat16)\ndef train'),)),
    Edit(
        "TL408",
        1,
        "a region around all",
        ((_LOOP, '    with torch.autocast("cpu", enabled=False):\n      for batch in batches:\n'),),
    ),
    Edit(
        "TL408",
        1,
        "a state loaded between",
        (
            (
                _LOSS,
                f"{_LOSS}{_LOAD}            loss = loss + model(batch).mean()\n",
            ),
        ),
    ),
    Edit(
        "TL408",
        1,
        "a step between",
        ((_LOSS, f"{_LOSS}            loss.backward()\n            optimizer.step()\n{_LOSS}"),),
    ),
)
