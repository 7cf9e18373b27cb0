"""Rewrites that move code between functions, classes and files."""

from __future__ import annotations

import ast
import copy

from tests.benchmarks.rewrites_names import (
    Function,
    call_of,
    copied_from,
    free_names,
    functions,
    helper,
    import_first,
    is_plain,
    loaded,
    put_before,
    put_first,
    replaced,
    return_of,
    simple_store,
    statements_of,
    stored,
    top_level,
    tuple_of,
)


def steps_in_helpers(tree: ast.Module) -> None:
    """The value of each `x = ...` made by a function of its own."""
    made: dict[ast.stmt, list[ast.stmt]] = {}
    for outer in top_level(tree):
        for function in functions(outer):
            if function.name == "__init__":
                continue
            for statement in statements_of(function):
                if isinstance(statement, ast.Assign) and _is_step(statement):
                    given = sorted(free_names(statement.value) & stored(function))
                    name = f"compute_{statement.lineno}"
                    body = [return_of(statement, statement.value)]
                    made.setdefault(outer, []).append(helper(name, given, body, statement))
                    statement.value = call_of(name, given)
    put_before(tree, made)


def _is_step(statement: ast.Assign) -> bool:
    is_simple = simple_store(statement) is not None and not isinstance(statement.value, (ast.Name, ast.Constant))
    is_tied = any(isinstance(node, ast.Lambda) for node in ast.walk(statement.value))
    return is_simple and is_plain(statement.value) and not is_tied


def loop_bodies_in_helpers(tree: ast.Module) -> None:
    """The body of each loop as a function of its own, which is given what it needs and returns what is used later."""
    made: dict[ast.stmt, list[ast.stmt]] = {}
    for outer in top_level(tree):
        for function in functions(outer):
            for loop in [node for node in ast.walk(function) if isinstance(node, ast.For)]:
                if all(map(is_plain, loop.body)) and not _leaves(loop.body):
                    made.setdefault(outer, []).extend(_moved_body(function, loop))
    put_before(tree, made)


def _moved_body(function: ast.FunctionDef, loop: ast.For) -> list[ast.stmt]:
    moved = {node for statement in loop.body for node in ast.walk(statement)}
    inside = {name for statement in loop.body for name in stored(statement)}
    used = {name for statement in loop.body for name in loaded(statement)}
    rest = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and node not in moved}
    arguments = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    given = sorted(used & (arguments | stored(function)) & (rest | arguments | stored(loop.target)))
    back = sorted(inside & rest)
    if set(back) - set(given):
        return []
    name = f"one_round_{loop.lineno}"
    last = [return_of(loop.body[-1], tuple_of(back, ast.Load()))] if back else []
    body = [*loop.body, *last]
    call = call_of(name, given)
    loop.body = [copied_from(loop, ast.Assign([tuple_of(back, ast.Store())], call) if back else ast.Expr(call))]
    return [helper(name, given, body, loop)]


def _leaves(body: list[ast.stmt]) -> bool:
    kinds = (ast.Break, ast.Continue, ast.Return)
    return any(isinstance(node, kinds) for statement in body for node in ast.walk(statement))


def methods_delegate(tree: ast.Module) -> None:
    """The body of each method in a second one, which the first one calls with its own arguments."""
    for owner, method in _methods(tree):
        given = method.args
        if not _has_plain_arguments(method) or method.name.startswith("__"):
            continue
        inner = copy.copy(method)
        inner.name = f"_{method.name.lstrip('_')}_impl"
        inner.args = copy.deepcopy(given)
        inner.args.defaults = []
        call = call_of(inner.name, [argument.arg for argument in given.args[1:]])
        call.func = ast.Attribute(ast.Name(given.args[0].arg, ast.Load()), inner.name, ast.Load())
        method.body = [return_of(method, call)]
        owner.body.insert(owner.body.index(method) + 1, inner)


def methods_outside(tree: ast.Module) -> None:
    """The body of each method in a function of the file, which is given the object under another name."""
    made: dict[ast.stmt, list[ast.stmt]] = {}
    for owner, method in _methods(tree):
        if owner not in tree.body or method.name.startswith("__") or not _has_plain_arguments(method):
            continue
        if not is_plain(method) or method.args.args[0].arg != "self":
            continue
        name = f"{owner.name.lower()}_{method.name.lstrip('_')}"
        values: dict[str, ast.expr] = {"self": ast.Name("module", ast.Load())}
        given = ["module", *(argument.arg for argument in method.args.args[1:])]
        made.setdefault(owner, []).append(helper(name, given, replaced(method.body, values), method))
        method.body = [return_of(method, call_of(name, ["self", *given[1:]]))]
    put_before(tree, made)


def methods_in_mixin(tree: ast.Module) -> None:
    """All methods but the constructor in a class of their own, from which the class inherits first."""
    made: dict[ast.stmt, list[ast.stmt]] = {}
    for owner in [node for node in tree.body if isinstance(node, ast.ClassDef)]:
        moved = [item for item in owner.body if isinstance(item, Function) and item.name not in ("__init__", "__new__")]
        if not owner.bases or owner.decorator_list or not moved or f"super({owner.name}" in ast.unparse(owner):
            continue
        name = f"{owner.name}Methods"
        made[owner] = [copied_from(owner, ast.ClassDef(name, [], [], moved, []))]
        owner.body = [item for item in owner.body if item not in moved] or [copied_from(owner, ast.Pass())]
        owner.bases.insert(0, ast.Name(name, ast.Load()))
    put_before(tree, made)


def classes_derived(tree: ast.Module) -> None:
    """Each class as the empty subclass of a base that is all it was."""
    made: dict[ast.stmt, list[ast.stmt]] = {}
    for owner in [node for node in tree.body if isinstance(node, ast.ClassDef)]:
        if not owner.bases or owner.decorator_list or f"super({owner.name}" in ast.unparse(owner):
            continue
        base = copy.copy(owner)
        base.name = f"{owner.name}Base"
        made[owner] = [base]
        owner.bases, owner.keywords = [ast.Name(base.name, ast.Load())], []
        owner.body = [copied_from(owner, ast.Pass())]
    put_before(tree, made)


def functions_in_jobs(tree: ast.Module) -> None:
    """The body of each function with a loop as the run() of a class that keeps the arguments as attributes."""
    made: dict[ast.stmt, list[ast.stmt]] = {}
    for function in [item for item in tree.body if isinstance(item, ast.FunctionDef)]:
        given = [argument.arg for argument in function.args.args]
        has_loop = any(isinstance(node, ast.For) for node in ast.walk(function))
        is_tied = function.decorator_list or not is_plain(function) or not _has_plain_arguments(function)
        if is_tied or not has_loop or not given or set(given) & {n for item in function.body for n in stored(item)}:
            continue
        kept: dict[str, ast.expr] = {
            name: ast.Attribute(ast.Name("self", ast.Load()), name, ast.Load()) for name in given
        }
        stores = [
            ast.Assign([ast.Attribute(kept[one].value, one, ast.Store())], ast.Name(one, ast.Load())) for one in given
        ]
        first = helper("__init__", ["self", *given], [copied_from(function, store) for store in stores], function)
        run = helper("run", ["self"], replaced(function.body, kept), function)
        job = ast.ClassDef(f"{function.name.title().replace('_', '')}Job", [], [], [first, run], [])
        made[function] = [copied_from(function, job)]
        ran = ast.Call(ast.Attribute(call_of(job.name, given), "run", ast.Load()), [], [])
        function.body = [return_of(function, ran)]
    put_before(tree, made)


def bodies_tried(tree: ast.Module) -> None:
    """The body of each function inside `try:` with a `finally:`."""
    for function in functions(tree):
        finished = ast.Assign([ast.Name("finished", ast.Store())], ast.Constant(True))
        tried = ast.Try(function.body, [], [], [copied_from(function.body[-1], finished)])
        function.body = [copied_from(function.body[0], tried)]


def bodies_closed(tree: ast.Module) -> None:
    """The body of each function in a function inside it, which it calls."""
    for function in functions(tree):
        given = {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)}
        if not is_plain(function) or function.name == "__init__" or given & _stored_in(function.body):
            continue
        inner = helper("run", [], function.body, function.body[0])
        function.body = [inner, return_of(function.body[0], call_of("run", []))]


def contexts_entered(tree: ast.Module) -> None:
    """`with a:` as a stack that enters it."""
    changed = False
    for statement in _withs(tree):
        changed = True
        enter = ast.Attribute(ast.Name("stack", ast.Load()), "enter_context", ast.Load())
        calls = [ast.Expr(ast.Call(enter, [item.context_expr], [])) for item in statement.items]
        statement.body = [*(copied_from(statement, call) for call in calls), *statement.body]
        opened = ast.Call(ast.Attribute(ast.Name("contextlib", ast.Load()), "ExitStack", ast.Load()), [], [])
        statement.items = [ast.withitem(opened, ast.Name("stack", ast.Store()))]
    if changed:
        import_first(tree, "contextlib")


def contexts_by_manager(tree: ast.Module) -> None:
    """`with a:` as `with region():`, a generator that opens it, decorated with contextlib.contextmanager."""
    made: dict[ast.stmt, list[ast.stmt]] = {}
    for outer in top_level(tree):
        for function in functions(outer):
            for statement in [node for node in statements_of(function) if isinstance(node, ast.With)]:
                if any(item.optional_vars is not None for item in statement.items):
                    continue
                given = sorted({name for item in statement.items for name in free_names(item)} & stored(function))
                name = f"region_{statement.lineno}"
                body = [copied_from(statement, ast.Expr(ast.Yield(None)))]
                opened = copied_from(statement, ast.With(statement.items, body))
                manager = helper(name, given, [opened], statement)
                decorator = ast.Attribute(ast.Name("contextlib", ast.Load()), "contextmanager", ast.Load())
                manager.decorator_list = [decorator]
                made.setdefault(outer, []).append(manager)
                statement.items = [ast.withitem(call_of(name, given), None)]
    put_before(tree, made)
    if made:
        import_first(tree, "contextlib")


def loops_through_generator(tree: ast.Module) -> None:
    """`for x in items:` as `for x in each(items):`, a generator that hands on what it is given."""
    text = "def each(items):\n    for item in items:\n        yield item"
    loops = [node for function in functions(tree) for node in statements_of(function) if isinstance(node, ast.For)]
    for loop in loops:
        call = call_of("each", [])
        call.args = [loop.iter]
        loop.iter = call
    if loops:
        put_first(tree, ast.parse(text).body)


def _withs(tree: ast.Module) -> list[ast.With]:
    """The statements `with a, b:` of functions that bind no name."""
    found = (node for function in functions(tree) for node in statements_of(function))
    return [
        node for node in found if isinstance(node, ast.With) and all(item.optional_vars is None for item in node.items)
    ]


def _methods(tree: ast.Module) -> list[tuple[ast.ClassDef, ast.FunctionDef]]:
    owners = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    return [(owner, item) for owner in owners for item in owner.body if isinstance(item, ast.FunctionDef)]


def _has_plain_arguments(function: ast.FunctionDef) -> bool:
    """True where they can be handed on by place, and the function is neither a generator nor decorated."""
    given = function.args
    others = given.kwonlyargs or given.posonlyargs or given.vararg or given.kwarg or function.decorator_list
    yields = any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in ast.walk(function))
    return bool(given.args) and not others and not yields


def _stored_in(body: list[ast.stmt]) -> set[str]:
    return {name for statement in body for name in stored(statement)}
