"""Mutations about memory and range: views for reshapes, writes for new values, numbers that half cannot hold."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.benchmarks.mutations_pages import Edit
from tests.benchmarks.mutations_syntax import Definition, Mutation, Swap, calls, expression, text_of

_TURNED = ("permute", "transpose", ".t()", "expand", ".mT")


def view_for_reshape(definition: Definition) -> Iterator[Swap]:
    """A reshape of what was turned or expanded in the same expression, written as a view."""
    for call in calls(definition, r".*\.reshape"):
        assert isinstance(call.func, ast.Attribute)
        if any(word in text_of(call.func.value) for word in _TURNED):
            yield {call.func: expression(f"({text_of(call.func.value)}).view")}


def without_contiguous(definition: Definition) -> Iterator[Swap]:
    """A view of what was turned, without the copy in plain order before it."""
    for call in calls(definition, r".*\.contiguous\(\)\.view"):
        assert isinstance(call.func, ast.Attribute)
        copied = call.func.value
        assert isinstance(copied, ast.Call)
        assert isinstance(copied.func, ast.Attribute)
        yield {copied: copied.func.value}


def literal_for_limit(definition: Definition) -> Iterator[Swap]:
    """-1e9 for torch.finfo(x.dtype).min."""
    for node in ast.walk(definition):
        if isinstance(node, ast.Attribute) and node.attr == "min" and "finfo(" in text_of(node.value):
            yield {node: expression("-1e9")}


def limit_of_float32(definition: Definition) -> Iterator[Swap]:
    """The limit of float32 for that of the tensor's own dtype."""
    for node in ast.walk(definition):
        if isinstance(node, ast.Attribute) and node.attr == "min" and "finfo(" in text_of(node.value):
            yield {node: expression("torch.finfo(torch.float32).min")}


def without_clone(definition: Definition) -> Iterator[Swap]:
    """A conversion for a clone() before an in-place write."""
    for call in calls(definition, r".*\.clone\(\)\.\w+_"):
        assert isinstance(call.func, ast.Attribute)
        copied = call.func.value
        assert isinstance(copied, ast.Call)
        assert isinstance(copied.func, ast.Attribute)
        yield {copied: expression(f"({text_of(copied.func.value)}).float()")}


MUTATIONS = (
    Mutation("TL205", "view for reshape", view_for_reshape),
    Mutation("TL205", "no contiguous", without_contiguous),
    Mutation("TL302", "literal for a limit", literal_for_limit),
    Mutation("TL302", "limit of float32", limit_of_float32),
    Mutation("TL308", "conversion for clone", without_clone),
)

_RESHAPED = "correct[:k].reshape(-1)"
_COMPARED = (
    "predicted.eq(target.view(1, -1).expand_as(predicted))",
    "predicted == target.view(1, -1).expand_as(predicted)",
)
_PIXELS = "image.permute(0, 2, 3, 1).reshape(batch, -1)"
_PAIRS = "left.unsqueeze(1).expand(batch, count, size).reshape(batch * count, size)"
_LIMIT = "torch.finfo(scores.dtype).min"
_BIAS = "padding.to(scores.dtype) * -1e4"
_CENTRED = "    values = values - values.mean()\n"
_COPIED = "torch.from_numpy(frame.copy())"

EDITS = (
    Edit("TL205", 1, "view of a slice", ((_RESHAPED, "correct[:k].view(-1)"),)),
    Edit("TL205", 1, "view of a copy", ((_RESHAPED, "correct.clone()[:k].view(-1)"),)),
    Edit("TL205", 1, "comparison by operator", (_COMPARED, (_RESHAPED, "correct[:k].view(-1)"))),
    Edit("TL205", 1, "view of pixels", ((_PIXELS, "image.permute(0, 2, 3, 1).view(batch, -1)"),)),
    Edit("TL205", 1, "view after relu", ((_PIXELS, "torch.relu(image.permute(0, 2, 3, 1)).view(batch, -1)"),)),
    Edit("TL205", 1, "view by two transposes", ((_PIXELS, "image.transpose(1, 2).transpose(2, 3).view(batch, -1)"),)),
    Edit("TL205", 1, "view of an expand", ((_PAIRS, _PAIRS.replace("reshape", "view")),)),
    Edit("TL205", 1, "expand by None", ((_PAIRS, "left[:, None].expand(-1, count, -1).view(batch * count, size)"),)),
    Edit("TL302", 1, "literal", ((_LIMIT, "-1e9"),)),
    Edit("TL302", 1, "power of two", ((_LIMIT, "-(2.0**32)"),)),
    Edit("TL302", 1, "limit of float32", ((_LIMIT, "torch.finfo(torch.float32).min"),)),
    Edit(
        "TL302",
        1,
        "where for masked_fill",
        ((f"scores.masked_fill(padding, {_LIMIT})", "torch.where(padding, -1e9, scores)"),),
    ),
    Edit("TL302", 1, "great bias", ((_BIAS, "padding.to(scores.dtype) * -1e10"),)),
    Edit("TL302", 1, "small eps", (("+ 1e-4", "+ 1e-8"),)),
    Edit("TL302", 1, "default eps", ((", eps=1e-4", ""),)),
    Edit("TL302", 1, "small eps of the optimizer", (("eps=1e-4", "eps=1e-9"),)),
    Edit("TL302", 1, "counter in half", (("dtype=torch.int64", "dtype=torch.half"),)),
    Edit("TL302", 1, "counter by add_", (("dtype=torch.int64", "dtype=torch.bfloat16"), ("seen += 1", "seen.add_(1)"))),
    Edit("TL308", 1, "in-place difference", ((_CENTRED, "    values -= values.mean()\n"),)),
    Edit("TL308", 1, "in-place method", ((_CENTRED, "    values.sub_(values.mean())\n"),)),
    Edit("TL308", 1, "no new value", ((_CENTRED, ""),)),
    Edit("TL308", 1, "to for float", (("values.float()", "values.to(torch.float32)"), (_CENTRED, ""))),
    Edit("TL308", 1, "contiguous for float", (("values.float()", "values.contiguous()"), (_CENTRED, ""))),
    Edit("TL308", 1, "shared array", ((_COPIED, "torch.from_numpy(frame)"),)),
    Edit("TL308", 1, "as_tensor", ((_COPIED, "torch.as_tensor(frame)"),)),
)
