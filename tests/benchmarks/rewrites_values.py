"""Rewrites of values: under other names, through containers, by other spellings of the same call."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable

from tests.benchmarks.rewrites_names import (
    Function,
    blocks,
    copied_from,
    functions,
    import_first,
    is_plain,
    made_of,
    put_first,
    replaced,
    simple_store,
    statements_of,
    stored,
)

# dtype methods and what else says the same.
_CASTS = {"float": "float32", "half": "float16", "double": "float64", "long": "int64", "int": "int32"}
# What torch offers both as a method of a tensor and as a function.
_FUNCTIONS = frozenset(
    {"softmax", "matmul", "masked_fill", "cumsum", "mean", "sum", "transpose", "permute", "clamp", "exp", "log", "sqrt"}
    | {"abs", "bmm", "index_select", "gather", "sigmoid", "tanh", "argmax", "pow", "unsqueeze", "flatten", "norm"}
)
_NO_TENSORS = ("torch", "F", "np", "math", "self", "torch.nn.functional")
_WITH_VALUE = (ast.Assign, ast.Expr, ast.Return)
# Constants that matter: neither counts nor shares.
_SMALLEST, _LARGEST = 0.01, 1000


def parts_named(tree: ast.Module) -> None:
    """`f(g(x))` as `part = g(x)` and `f(part)`."""
    for function in functions(tree):
        for block in blocks(function):
            for index in range(len(block) - 1, -1, -1):
                statement = block[index]
                if isinstance(statement, _WITH_VALUE) and isinstance(statement.value, ast.Call) and is_plain(statement):
                    block[index:index] = _named_arguments(statement, statement.value)


def _named_arguments(statement: ast.stmt, call: ast.Call) -> list[ast.stmt]:
    added: list[ast.stmt] = []
    for place, argument in enumerate(call.args):
        if isinstance(argument, (ast.Call, ast.BinOp)):
            name = f"part_{statement.lineno}_{place}"
            added.append(copied_from(statement, ast.Assign([ast.Name(name, ast.Store())], argument)))
            call.args[place] = ast.Name(name, ast.Load())
    return added


def locals_inlined(tree: ast.Module) -> None:
    """`x = f(y)` and `g(x)` right behind it as `g(f(y))`, where nothing else uses x."""
    for function in functions(tree):
        uses = [node.id for node in ast.walk(function) if isinstance(node, ast.Name)]
        for block in blocks(function):
            for index in range(len(block) - 1, 0, -1):
                before, follower = block[index - 1], block[index]
                name = simple_store(before)
                if name is None or uses.count(name) != 2 or not isinstance(follower, _WITH_VALUE):
                    continue
                if isinstance(before, ast.Assign) and is_plain(follower) and _first_loaded(follower) == name:
                    block[index] = made_of(*replaced([follower], {name: before.value}), before, follower)
                    del block[index - 1]


def _first_loaded(statement: ast.stmt) -> str | None:
    """The name that a statement reads first, by place; None where not all of it is surely evaluated."""
    names = [node for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    first = min(names, key=lambda node: (node.lineno, node.col_offset), default=None)
    others = [node for node in ast.walk(statement) if isinstance(node, (ast.Lambda, ast.IfExp, ast.BoolOp))]
    return None if first is None or others else first.id


def locals_in_dict(tree: ast.Module) -> None:
    """Local variables that are assigned once, as the items of a dict."""
    _boxed(tree, "held", ast.Dict([], []), lambda box, name, how: ast.Subscript(box, ast.Constant(name), how))


def locals_in_namespace(tree: ast.Module) -> None:
    """Local variables that are assigned once, as the attributes of a types.SimpleNamespace."""
    made = ast.Call(ast.Attribute(ast.Name("types", ast.Load()), "SimpleNamespace", ast.Load()), [], [])
    if _boxed(tree, "kept", made, ast.Attribute):
        import_first(tree, "types")


def _boxed(tree: ast.Module, box: str, made: ast.expr, item: Callable[..., ast.expr]) -> bool:
    changed = False
    for function in functions(tree):
        nodes = list(ast.walk(function))
        if any(isinstance(node, (*Function, ast.Lambda)) and node is not function for node in nodes):
            continue
        stores = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
        names = {name for one in statements_of(function) if (name := simple_store(one)) and stores.count(name) == 1}
        if names:
            changed = True
            function.body = [_Box(box, names, item).visit(statement) for statement in function.body]
            opened = ast.Assign([ast.Name(box, ast.Store())], copy.deepcopy(made))
            function.body.insert(0, copied_from(function.body[0], opened))
    return changed


class _Box(ast.NodeTransformer):
    """The items of a container in the place of names."""

    def __init__(self, box: str, names: set[str], item: Callable[..., ast.expr]) -> None:
        self._box, self._names, self._item = box, names, item

    def visit_Name(self, node: ast.Name) -> ast.AST:
        is_kept = node.id in self._names
        return self._item(ast.Name(self._box, ast.Load()), node.id, node.ctx) if is_kept else node


def values_unpacked(tree: ast.Module) -> None:
    """`x = f()` as `x, extra = f(), None`."""
    for function in functions(tree):
        for statement in statements_of(function):
            name = simple_store(statement)
            if isinstance(statement, ast.Assign) and name and not isinstance(statement.value, ast.Constant):
                targets: list[ast.expr] = [ast.Name(name, ast.Store()), ast.Name("extra", ast.Store())]
                statement.targets = [ast.Tuple(targets, ast.Store())]
                statement.value = ast.Tuple([statement.value, ast.Constant(None)], ast.Load())


def methods_as_functions(tree: ast.Module) -> None:
    """`x.sum(1)` as `torch.sum(x, 1)`."""
    for call in [node for node in ast.walk(tree) if isinstance(node, ast.Call)]:
        function = call.func
        is_method = isinstance(function, ast.Attribute) and ast.unparse(function.value) not in _NO_TENSORS
        if isinstance(function, ast.Attribute) and is_method and function.attr in _FUNCTIONS:
            call.args.insert(0, function.value)
            call.func = ast.Attribute(ast.Name("torch", ast.Load()), function.attr, ast.Load())


def casts_by_dtype(tree: ast.Module) -> None:
    """`.half()` as `.to(torch.float16)`, and the like."""
    for call in [node for node in ast.walk(tree) if isinstance(node, ast.Call)]:
        function = call.func
        if isinstance(function, ast.Attribute) and function.attr in _CASTS and not (call.args or call.keywords):
            call.args = [ast.Attribute(ast.Name("torch", ast.Load()), _CASTS[function.attr], ast.Load())]
            function.attr = "to"


def numbers_by_name(tree: ast.Module) -> None:
    """Each dtype, and each small or large number, as a constant at the top of the file."""
    change = _Name()
    for function in functions(tree):
        function.body = [change.visit(statement) for statement in function.body]
    put_first(tree, [ast.Assign([ast.Name(name, ast.Store())], value) for name, value in change.values.items()])


class _Name(ast.NodeTransformer):
    """Names for dtypes and numbers. values: what they stand for."""

    def __init__(self) -> None:
        self.values: dict[str, ast.expr] = {}

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        text = ast.unparse(node).removeprefix("torch.")
        if isinstance(node.value, ast.Name) and node.value.id == "torch" and _is_dtype(text):
            self.values.setdefault(name := f"{text.upper()}_TYPE", copy.deepcopy(node))
            return ast.Name(name, ast.Load())
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if not isinstance(node.value, float) or not node.value or _SMALLEST <= abs(node.value) <= _LARGEST:
            return node
        self.values.setdefault(name := f"NUMBER_{len(self.values)}", copy.deepcopy(node))
        return ast.Name(name, ast.Load())


def _is_dtype(text: str) -> bool:
    return text.rstrip("0123456789") in ("float", "bfloat", "int", "uint")


def self_by_another_name(tree: ast.Module) -> None:
    """`this = self` at the start of each method, and `this` from there on."""
    for owner in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        for method in (item for item in owner.body if isinstance(item, ast.FunctionDef)):
            if method.args.args and method.args.args[0].arg == "self" and method.name != "__init__":
                first = ast.Assign([ast.Name("this", ast.Store())], ast.Name("self", ast.Load()))
                body = replaced(method.body, {"self": ast.Name("this", ast.Load())})
                method.body = [copied_from(method.body[0], first), *body]


def contexts_named(tree: ast.Module) -> None:
    """`with a:` as `region = a` and `with region:`."""
    for function in functions(tree):
        for block in blocks(function):
            for index in range(len(block) - 1, -1, -1):
                statement = block[index]
                if isinstance(statement, ast.With) and len(statement.items) == 1:
                    name, value = f"region_{statement.lineno}", statement.items[0].context_expr
                    statement.items[0].context_expr = ast.Name(name, ast.Load())
                    block.insert(index, copied_from(statement, ast.Assign([ast.Name(name, ast.Store())], value)))


def comprehensions_as_loops(tree: ast.Module) -> None:
    """`ys = [f(x) for x in xs]` as a loop that appends."""
    for function in functions(tree):
        for block in blocks(function):
            for index in range(len(block) - 1, -1, -1):
                statement = block[index]
                name = simple_store(statement)
                made = statement.value if isinstance(statement, ast.Assign) else None
                if name and isinstance(made, ast.ListComp) and len(made.generators) == 1 and name not in stored(made):
                    block[index : index + 1] = _loop_of(statement, name, made)


def _loop_of(statement: ast.stmt, name: str, made: ast.ListComp) -> list[ast.stmt]:
    generator = made.generators[0]
    append = ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load())
    body: list[ast.stmt] = [copied_from(statement, ast.Expr(ast.Call(append, [made.elt], [])))]
    for test in reversed(generator.ifs):
        body = [copied_from(statement, ast.If(test, body, []))]
    loop = ast.For(generator.target, generator.iter, body, [])
    opened = ast.Assign([ast.Name(name, ast.Store())], ast.List([], ast.Load()))
    return [copied_from(statement, opened), copied_from(statement, loop)]


def results_in_dict(tree: ast.Module) -> None:
    """What the functions of a file return, in a dict that their callers open."""
    key = "result"
    _wrapped_results(tree, lambda value: ast.Dict([ast.Constant(key)], [value]), ast.Constant(key))


def results_in_tuple(tree: ast.Module) -> None:
    """What the functions of a file return, as the first of two."""
    _wrapped_results(tree, lambda value: ast.Tuple([value, ast.Constant(None)], ast.Load()), ast.Constant(0))


def _wrapped_results(tree: ast.Module, wrap: Callable[[ast.expr], ast.expr], key: ast.expr) -> None:
    """Wrap what each function at the top returns, where the file only ever calls it."""
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    called = {node.func for node in calls}
    chosen = set()
    for item in [one for one in tree.body if isinstance(one, ast.FunctionDef) and not one.decorator_list]:
        returns = [node for node in ast.walk(item) if isinstance(node, ast.Return)]
        is_only_called = all(node in called for node in names if node.id == item.name)
        is_nested = any(isinstance(node, (*Function, ast.Lambda)) and node is not item for node in ast.walk(item))
        if returns and all(node.value for node in returns) and is_plain(item) and is_only_called and not is_nested:
            chosen.add(item.name)
            for node in returns:
                node.value = wrap(node.value)  # type: ignore[arg-type]
    wrapped = {node for node in calls if isinstance(node.func, ast.Name) and node.func.id in chosen}
    _Open(wrapped, key).visit(tree)


class _Open(ast.NodeTransformer):
    """An item of what calls return in the place of the calls."""

    def __init__(self, calls: set[ast.Call], key: ast.expr) -> None:
        self._calls, self._key = calls, key

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return ast.Subscript(node, self._key, ast.Load()) if node in self._calls else node


def arguments_by_keyword(tree: ast.Module) -> None:
    """The arguments of the functions of a file by their names."""
    known = {item.name: item for item in tree.body if isinstance(item, ast.FunctionDef)}
    for call in [node for node in ast.walk(tree) if isinstance(node, ast.Call)]:
        function = known.get(call.func.id) if isinstance(call.func, ast.Name) else None
        if function is None or function.args.vararg or function.args.posonlyargs:
            continue
        if not any(isinstance(argument, ast.Starred) for argument in call.args):
            names = [argument.arg for argument in function.args.args]
            call.keywords = [*map(ast.keyword, names, call.args), *call.keywords]
            call.args = []


def names_that_tell_nothing(tree: ast.Module) -> None:
    """Other names for local variables."""
    for function in functions(tree):
        nodes = list(ast.walk(function))
        if any(isinstance(node, Function) and node is not function for node in nodes):
            continue
        given = {argument.arg for argument in nodes if isinstance(argument, ast.arg)}
        outer = {name for node in nodes if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
        names = {name: f"v{number}" for number, name in enumerate(sorted(stored(function) - given - outer))}
        for node in nodes:
            if isinstance(node, ast.Name) and node.id in names:
                node.id = names[node.id]
