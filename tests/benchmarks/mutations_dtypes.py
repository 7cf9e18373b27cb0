"""Mutations of dtypes: indices that become floating, tensors made by legacy constructors, dtypes that are ordered."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from tests.benchmarks.mutations_pages import Edit
from tests.benchmarks.mutations_syntax import Definition, Function, Mutation, Swap, calls, expression, text_of

Swaps = Callable[[Definition], Iterator[Swap]]

_MAKES_INTEGERS = re.compile(r"torch\.(arange|randint|randperm|argsort|argmax)\(.*|.*\.(long|int|argsort|argmax)\(.*\)")
_INDEXED_BY = {"gather": 1, "index_select": 1, "scatter": 1, "scatter_": 1, "index_add": 1, "take": 0}
_SIZED = re.compile(r"torch\.(?:zeros|ones|empty|rand|randn)")
_DTYPE = re.compile(r"\w+(?:\.\w+)*\.dtype|torch\.float(?:16|32|64)")


def _functions(definition: Definition) -> Iterator[Function]:
    return (node for node in ast.walk(definition) if isinstance(node, Function))


# TL201


def _indices(function: Function) -> Iterator[ast.expr]:
    """The integer tensors in index positions of a function, or what is assigned to the names that stand there."""
    assigned = {
        node.targets[0].id: node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
    }
    for index in _positions(function):
        value = assigned.get(index.id, index) if isinstance(index, ast.Name) else index
        if _MAKES_INTEGERS.fullmatch(text_of(value)):
            yield value


def _positions(function: Function) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript):
            yield node.slice
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            position = _INDEXED_BY.get(node.func.attr)
            if position is not None and position < len(node.args):
                yield node.args[position]


def floating(template: str) -> Swaps:
    """An integer index made floating: `template` says how, with {0}."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        for function in _functions(definition):
            for index in {id(one): one for one in _indices(function)}.values():
                yield {index: expression(template.format(f"({text_of(index)})"))}

    return swaps


# TL202


def legacy(name: str) -> Swaps:
    """zeros(..) with sizes, by a legacy constructor: uninitialised, and a note where that does no harm."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        for call in calls(definition, _SIZED.pattern):
            if call.args and not isinstance(call.args[0], ast.Tuple):
                yield {call: ast.Call(expression(name), call.args, [])}

    return swaps


def legacy_data(name: str) -> Swaps:
    """torch.tensor(data), by a legacy constructor, its other arguments kept."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        for call in calls(definition, r"torch\.tensor"):
            yield {call: ast.Call(expression(name), call.args, call.keywords)}

    return swaps


def parameter_of(name: str) -> Swaps:
    """nn.Parameter(torch.zeros(..)) with a legacy constructor inside."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        for call in calls(definition, r"(?:nn\.)?Parameter"):
            inner = call.args[0] if call.args else None
            if isinstance(inner, ast.Call) and _SIZED.fullmatch(text_of(inner.func)):
                yield {inner: ast.Call(expression(name), inner.args, [])}

    return swaps


# TL206


def without_itemsize(definition: Definition) -> Iterator[Swap]:
    """a.dtype.itemsize < b.dtype.itemsize, of the dtypes themselves."""
    for node in ast.walk(definition):
        if isinstance(node, ast.Compare) and not isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
            sides = [one for one in (node.left, *node.comparators) if text_of(one).endswith(".itemsize")]
            if sides:
                yield {one: one.value for one in sides if isinstance(one, ast.Attribute)}


def ordered(operator: type[ast.cmpop]) -> Swaps:
    """a.dtype == b.dtype with an order in place of the equality."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        for node in ast.walk(definition):
            if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Eq, ast.NotEq)) and len(node.ops) == 1:
                sides = (node.left, node.comparators[0])
                if all(_DTYPE.fullmatch(text_of(side)) for side in sides):
                    yield {node: ast.Compare(sides[0], [operator()], [sides[1]])}

    return swaps


def picked(name: str) -> Swaps:
    """torch.promote_types(a, b), by max() or sorted()."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        for call in calls(definition, r"torch\.promote_types"):
            yield {call: expression(f"{name}([{text_of(call.args[0])}, {text_of(call.args[1])}])")}

    return swaps


def without_key(definition: Definition) -> Iterator[Swap]:
    """max(.., key=..) and sorted(.., key=..) of dtypes, without the key."""
    for call in calls(definition, "max|min|sorted"):
        if call.keywords and call.args and ".dtype for " in text_of(call.args[0]):
            yield {call: ast.Call(call.func, call.args, [])}


def without_text(definition: Definition) -> Iterator[Swap]:
    """str(t.dtype) and torch.finfo(t.dtype).bits in something that is ordered, of the dtype itself."""
    for call in calls(definition, "max|min|sorted"):
        for node in ast.walk(call):
            found = re.fullmatch(r"(?:str|torch\.finfo)\((\w+\.dtype)\)(?:\.bits)?", text_of(node))
            if found and isinstance(node, ast.expr):
                yield {node: expression(found[1])}
                break


MUTATIONS = (
    Mutation("TL201", "float()", floating("{0}.float()")),
    Mutation("TL201", "true division", floating("{0} / 1")),
    Mutation("TL201", "to(float32)", floating("{0}.to(torch.float32)")),
    Mutation("TL201", "times a float", floating("{0} * 1.0")),
    Mutation("TL201", "double() and a view", floating("{0}.double().view(-1)")),
    Mutation("TL201", "floor of a quotient", floating("torch.floor({0} / 2)")),
    Mutation("TL202", "Tensor of sizes", legacy("torch.Tensor")),
    Mutation("TL202", "FloatTensor of sizes", legacy("torch.FloatTensor")),
    Mutation("TL202", "cuda.FloatTensor of sizes", legacy("torch.cuda.FloatTensor")),
    Mutation("TL202", "Tensor of data", legacy_data("torch.Tensor")),
    Mutation("TL202", "LongTensor of data", legacy_data("torch.LongTensor")),
    Mutation("TL202", "Parameter of sizes", parameter_of("torch.FloatTensor"), anywhere=True),
    Mutation("TL206", "no itemsize", without_itemsize),
    Mutation("TL206", "less than", ordered(ast.Lt)),
    Mutation("TL206", "at least", ordered(ast.GtE)),
    Mutation("TL206", "max for promote_types", picked("max")),
    Mutation("TL206", "sorted for promote_types", picked("sorted")),
    Mutation("TL206", "no key", without_key),
    Mutation("TL206", "no str or bits", without_text),
)

_ROWS = "torch.tensor(seen, dtype=torch.long)"
_RANDOM = "torch.rand(x.shape[0], 1, device=x.device)"
EDITS = (
    Edit("TL201", 1, "Tensor for tensor", ((_ROWS, "torch.Tensor(seen)"),)),
    Edit("TL201", 1, "FloatTensor", ((_ROWS, "torch.FloatTensor(seen)"),)),
    Edit("TL201", 1, "float dtype", ((_ROWS, "torch.tensor(seen, dtype=torch.float)"),)),
    Edit("TL201", 1, "float() behind", ((_ROWS, f"{_ROWS}.float()"),)),
    Edit("TL201", 1, "joined with nothing", ((_ROWS, f"torch.cat([torch.tensor([]), {_ROWS}])"),)),
    Edit("TL201", 1, "true division", (("pick // vocabulary", "pick / vocabulary"),)),
    Edit("TL201", 1, "torch.div()", (("pick // vocabulary", "torch.div(pick, vocabulary)"),)),
    Edit("TL202", 1, "sizes in a tuple", ((_RANDOM, "torch.FloatTensor((x.shape[0], 1)).uniform_()"),)),
    Edit("TL202", 1, "never filled", (("torch.zeros(nodes, dim)", "torch.Tensor(nodes, dim)"),)),
    Edit("TL202", 1, "Tensor on a device", ((_RANDOM, "torch.Tensor([keep], device=x.device)"),)),
    Edit("TL206", 1, "max for promote_types", (("torch.promote_types(a.dtype, b.dtype)", "max(a.dtype, b.dtype)"),)),
    Edit("TL206", 1, "no itemsize", (("x.dtype.itemsize < torch.float32.itemsize", "x.dtype < torch.float32"),)),
)

# What stays right after a change, by rule, transformation and definition, and why.
STILL_RIGHT = {
    ("TL201", name, "rows_of_tested"): "the dtype is tested around the use"
    for name in (
        "float()",
        "true division",
        "to(float32)",
        "times a float",
        "double() and a view",
        "floor of a quotient",
    )
}
