"""Mutations of any definition: each takes away what keeps a piece of code clear of one rule."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from tests.benchmarks.mutations_syntax import (
    Buffer,
    Definition,
    Function,
    Mutation,
    Swap,
    buffers,
    calls,
    computes_with,
    constructors,
    expression,
    method,
    methods,
    statements,
    stores,
    text_of,
)

Swaps = Callable[[Definition], Iterator[Swap]]


def unregistered(template: str) -> Swaps:
    """A buffer that later methods compute with, registered no more: `template` says it with {name} and {value}."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        for buffer in buffers(definition):
            if not _is_answered(buffer) and computes_with(buffer.owner, buffer.name):
                yield {buffer.statement: statements(template.format(name=buffer.name, value=buffer.value))}

    return swaps


def kept_by_a_helper(definition: Definition) -> Iterator[Swap]:
    """A method that stores the tensor stands in for its registration."""
    helper = "def _keep_it(self, value):\n    self.{} = value"
    for buffer in buffers(definition):
        if not _is_answered(buffer) and computes_with(buffer.owner, buffer.name):
            first = buffer.owner.body[0]
            has_docstring = isinstance(first, ast.Expr)
            added = statements(helper.format(buffer.name))
            place = buffer.owner.body[-1] if has_docstring else first
            if place is not method(buffer.owner, "__init__"):
                yield {buffer.statement: statements(f"self._keep_it({buffer.value})"), place: [*added, place]}
            else:
                constructor = next(item for item in methods(buffer.owner) if item is not place)
                yield {
                    buffer.statement: statements(f"self._keep_it({buffer.value})"),
                    constructor: [*added, constructor],
                }


def _is_answered(buffer: Buffer) -> bool:
    """Whether the class takes care of the attribute in another way, or is to leave it where it is."""
    written = {item.name for item in methods(buffer.owner)}
    return bool(written & {"_apply", "__getattr__", "__setattr__"})


def without_detach(definition: Definition) -> Iterator[Swap]:
    """A store of a method, no more detached."""
    for function in _functions(definition):
        for store in stores(function):
            swap: dict[ast.AST, ast.AST] = {
                call: call.func.value
                for call in calls(store.value, r".*\.detach")
                if isinstance(call.func, ast.Attribute)
            }
            # A registered buffer that is assigned is no fault of TL102.
            name = text_of(store.targets[0]).removeprefix("self.")
            if swap and function.name != "__init__" and f"register_buffer('{name}'" not in text_of(definition):
                yield swap


def without_gradients_off(definition: Definition) -> Iterator[Swap]:
    """A `with torch.no_grad()` gone around a store, and its body left."""
    for block in _blocks(definition):
        if any(True for _ in stores(block)):
            yield {block: block.body}


def without_decorator_off(definition: Definition) -> Iterator[Swap]:
    """A `@torch.no_grad()` gone."""
    for function in _functions(definition):
        yield from ({decorator: None} for decorator in function.decorator_list if _is_off(text_of(decorator)))


def without_evaluation_block(definition: Definition) -> Iterator[Swap]:
    """A `with torch.no_grad()` gone around the forward call of an evaluation loop."""
    yield from ({block: block.body} for block in _evaluation_blocks(definition))


def with_gradients_on(definition: Definition) -> Iterator[Swap]:
    """`enable_grad()` there."""
    for block in _evaluation_blocks(definition):
        yield {block.items[0].context_expr: expression("torch.enable_grad()")}


def without_evaluation_decorator(definition: Definition) -> Iterator[Swap]:
    """A `@torch.no_grad()` gone from a function that evaluates in a loop."""
    for function in _functions(definition):
        if any(True for _ in _evaluating_loops(function)):
            yield from without_decorator_off(function)


def _blocks(definition: ast.AST) -> Iterator[ast.With]:
    for node in ast.walk(definition):
        if isinstance(node, ast.With) and len(node.items) == 1 and _is_off(text_of(node.items[0].context_expr)):
            yield node


def _evaluation_blocks(definition: Definition) -> Iterator[ast.With]:
    """The blocks without gradients around a loop that runs a model after its eval(), or around the call in it."""
    for function in _functions(definition):
        decorated = any(_is_off(text_of(one)) for one in function.decorator_list)
        for loop, model in () if decorated else _evaluating_loops(function):
            for block in _blocks(function):
                inner = list(ast.walk(block))
                if (loop in inner or block in ast.walk(loop)) and any(calls(block, re.escape(model))):
                    yield block
                    break


def _evaluating_loops(function: Function) -> Iterator[tuple[ast.AST, str]]:
    """The loops that call a model which the function has put into eval mode, where no gradient is wanted."""
    if re.search(r"backward\(|autograd|requires_grad|\.step\(|\.train\(\)", text_of(function)):
        return
    models = {text_of(call.func.value) for call in calls(function, r".*\.eval") if isinstance(call.func, ast.Attribute)}
    for model in sorted(models):
        for node in ast.walk(function):
            is_loop = isinstance(node, (ast.For, ast.While, ast.ListComp, ast.GeneratorExp))
            if is_loop and any(calls(node, re.escape(model))):
                yield node, model
                break


def without_statement_off(definition: Definition) -> Iterator[Swap]:
    """A `torch.set_grad_enabled(False)` gone that is a statement."""
    for node in ast.walk(definition):
        if isinstance(node, ast.Expr) and text_of(node) == "torch.set_grad_enabled(False)":
            yield {node: None}


def _is_off(text: str) -> bool:
    return bool(
        re.fullmatch(r"(torch\.)?((autograd\.)?no_grad|inference_mode)\(\)|torch\.set_grad_enabled\(False\)", text)
    )


def _functions(definition: Definition) -> Iterator[Function]:
    for node in ast.walk(definition):
        if isinstance(node, Function):
            yield node


def without_invalidation(*names: str) -> Swaps:
    """A statement gone by which one of the methods `names` drops an attribute."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        for function in _functions(definition):
            if function.name in names:
                yield from ({store: None} for store in stores(function) if text_of(store.value) == "None")

    return swaps


def without_method(name: str) -> Swaps:
    """The method `name` gone."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        yield from ({function: None} for function in _functions(definition) if function.name == name)

    return swaps


def public_method(name: str, other: str) -> Swaps:
    """The method that every parent calls renamed to one that none calls."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        for function in _functions(definition):
            if function.name == name:
                text = text_of(function).replace(f"def {name}(", f"def {other}(").replace(f".{name}(", f".{other}(")
                yield {function: statements(text)}

    return swaps


def weaker_test(definition: Definition) -> Iterator[Swap]:
    """One comparison gone from a test of several; the one whether the value is there at all stays."""
    for node in ast.walk(definition):
        if isinstance(node, ast.If) and isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.Or):
            for part in node.test.values:
                if isinstance(part, ast.Compare) and isinstance(part.ops[0], (ast.NotEq, ast.Lt, ast.Gt)):
                    yield {part: expression("False")}


def shorter_key(definition: Definition) -> Iterator[Swap]:
    """One part gone from a key that is a tuple."""
    for node in ast.walk(definition):
        if isinstance(node, ast.Assign) and "key" in text_of(node.targets[0]) and isinstance(node.value, ast.Tuple):
            yield from ({part: None} for part in node.value.elts if len(node.value.elts) > 1)


def no_conversion_at_read(definition: Definition) -> Iterator[Swap]:
    """`self.x.to(..)` read as it is, in a method."""
    for function in _functions(definition):
        for call in calls(function, r"self\.\w+\.to"):
            if function.name != "__init__" and isinstance(call.func, ast.Attribute):
                yield {call: call.func.value}


def plain_container(kind: str, template: str) -> Swaps:
    """`nn.<kind>(..)` that a later method uses, as an ordinary container: `template`, with {0} for the members."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        for owner, constructor in constructors(definition):
            for store in stores(constructor):
                found = re.fullmatch(rf"(?:torch\.)?nn\.{kind}\((.*)\)", text_of(store.value), re.DOTALL)
                name = text_of(store.targets[0]).removeprefix("self.")
                if found and computes_with(owner, name) and _methods_without(owner, {"_apply"}):
                    yield {store.value: expression(template.format(_inner(found[1], kind)))}

    return swaps


def _inner(text: str, kind: str) -> str:
    empty = "{}" if kind.endswith("Dict") else "[]"
    return (text if text.startswith(("[", "{")) else f"({text})") if text else empty


def _methods_without(owner: ast.ClassDef, names: set[str]) -> bool:
    return not names & {item.name for item in methods(owner)}


def renamed_buffer(template: str) -> Swaps:
    """A buffer under a name that torch refuses: `template` with {name}."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        for buffer in buffers(definition):
            yield {buffer.call.args[0]: expression(template.format(name=buffer.name))}

    return swaps


def taken_name(before: str) -> Swaps:
    """A plain attribute of the same name in front of a registration."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        for buffer in buffers(definition):
            if text_of(buffer.owner).count(f"'{buffer.name}'") == 1:
                yield {buffer.statement: [*statements(before.format(name=buffer.name)), buffer.statement]}

    return swaps


def taken_by_the_class(definition: Definition) -> Iterator[Swap]:
    """A class attribute of the same name as a buffer."""
    for buffer in buffers(definition):
        constructor = method(buffer.owner, "__init__")
        if constructor and not any(text_of(item).startswith(buffer.name) for item in buffer.owner.body):
            yield {constructor: [*statements(f"{buffer.name} = None"), constructor]}


def broken_train(pattern: str, replacement: str) -> Swaps:
    """A `train(self, mode)` override of a Module with `pattern` in its text put otherwise."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        for node in ast.walk(definition):
            if isinstance(node, Function) and node.name == "train" and "super().train(mode)" in text_of(node):
                changed = re.sub(pattern, replacement, text_of(node), flags=re.MULTILINE)
                if changed != text_of(node) and not node.decorator_list:
                    yield {node: statements(changed)}

    return swaps


def shadowed_method(text: str) -> Swaps:
    """An attribute by the name of a method of nn.Module, after the constructor of the base."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        for owner, constructor in constructors(definition):
            for statement in constructor.body:
                if text_of(statement) == "super().__init__()" and method(owner, text.split()[0][5:]) is None:
                    yield {statement: [statement, *statements(text)]}

    return swaps


def late_super(definition: Definition) -> Iterator[Swap]:
    """`super().__init__()` at the end of a constructor that assigns a Parameter, a Module or a buffer."""
    for call, constructor in _super_calls(definition):
        last = constructor.body[-1]
        if last is not call:
            yield {call: None, last: [last, call]}


def no_super(definition: Definition) -> Iterator[Swap]:
    """No `super().__init__()` in such a constructor."""
    for call, _ in _super_calls(definition):
        yield {call: None}


def second_statement(definition: Definition) -> Iterator[Swap]:
    """`super().__init__()` after the first statement that stores state."""
    for call, constructor in _super_calls(definition):
        first = next(item for item in constructor.body if _stores_state(item))
        yield {call: None, first: [first, call]}


def super_of_nobody(definition: Definition) -> Iterator[Swap]:
    """`super(Owner).__init__()`, without the object."""
    for owner, constructor in constructors(definition):
        for call, its in _super_calls(definition):
            if its is constructor:
                yield {call: statements(f"super({owner.name}).__init__()")}


def _super_calls(definition: Definition) -> Iterator[tuple[ast.stmt, Function]]:
    """The calls of the constructor of nn.Module itself, where state is stored later in the same body."""
    for owner, constructor in constructors(definition):
        is_direct = text_of(owner.bases[0]) in ("nn.Module", "torch.nn.Module", "Module")
        for item in constructor.body:
            if is_direct and text_of(item) == "super().__init__()" and any(map(_stores_state, constructor.body)):
                yield item, constructor


def _stores_state(statement: ast.stmt) -> bool:
    pattern = r"self\.\w+ = (torch\.)?nn\.(Parameter|Linear|Conv\dd|Embedding|Sequential|ModuleList|LayerNorm)\(.*"
    return bool(re.match(pattern + r"|self\.register_buffer\(", text_of(statement), re.DOTALL))


def computed_parameter(template: str) -> Swaps:
    """`self.p = nn.Parameter(..)` followed by what makes a plain tensor of it: `template` with {0}, the Parameter."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        for _, constructor in constructors(definition):
            for store in stores(constructor):
                # A conversion that has nothing to do returns the Parameter itself.
                is_half = "half()" in text_of(store.value)
                if (
                    isinstance(store.value, ast.Call)
                    and not is_half
                    and text_of(store.value.func).endswith("nn.Parameter")
                ):
                    yield {store.value: expression(template.format(text_of(store.value)))}

    return swaps


def kept_result(name: str) -> Swaps:
    """The result of register_buffer() assigned: `name` says to what."""

    def swaps(definition: Definition) -> Iterator[Swap]:
        for buffer in buffers(definition):
            yield {buffer.statement: statements(f"self.{name.format(buffer.name)} = {text_of(buffer.call)}")}

    return swaps


def added_module(definition: Definition) -> Iterator[Swap]:
    """A layer assigned from the result of add_module()."""
    for store, name in _layers(definition):
        yield {store.value: expression(f"self.add_module({name!r}, {text_of(store.value)})")}


def registered_module(definition: Definition) -> Iterator[Swap]:
    """A layer assigned from the result of register_module(), which is add_module() by another name."""
    for store, name in _layers(definition):
        yield {store.value: expression(f"self.register_module({name!r}, {text_of(store.value)})")}


def registered_parameter(definition: Definition) -> Iterator[Swap]:
    """A Parameter assigned from the result of register_parameter()."""
    for _, constructor in constructors(definition):
        for store in stores(constructor):
            if text_of(store.value).startswith("nn.Parameter("):
                name = text_of(store.targets[0]).removeprefix("self.")
                yield {store.value: expression(f"self.register_parameter({name!r}, {text_of(store.value)})")}


def _layers(definition: Definition) -> Iterator[tuple[ast.Assign, str]]:
    for _, constructor in constructors(definition):
        for store in stores(constructor):
            if re.match(r"nn\.(Linear|Conv\dd|Sequential|LayerNorm)\(", text_of(store.value)):
                yield store, text_of(store.targets[0]).removeprefix("self.")


def no_deepcopy(definition: Definition) -> Iterator[Swap]:
    """A state dict as it is, where a deep copy of it was."""
    yield from ({call: call.args[0]} for call in _kept_states(definition))


def shallow_copy(definition: Definition) -> Iterator[Swap]:
    """A shallow copy of a state dict where a deep one was."""
    yield from ({call: expression(f"dict({text_of(call.args[0])})")} for call in _kept_states(definition))


def _kept_states(definition: Definition) -> Iterator[ast.Call]:
    """The deep copies of a model's state that the definition loads later, after a step or a fit."""
    text = text_of(definition)
    if "load_state_dict(" not in text or not re.search(r"\.step\(|fit|train|step", text):
        return
    for call in calls(definition, r"(copy\.)?deepcopy"):
        if re.fullmatch(r"(\w+\.)*\w*(model|net|module|classifier)\w*\.state_dict\(\)", text_of(call.args[0])):
            yield call


def no_clone(definition: Definition) -> Iterator[Swap]:
    """A tensor of the model as it is, where a clone of it was kept."""
    for node in ast.walk(definition):
        if isinstance(node, ast.Assign):
            swap: dict[ast.AST, ast.AST] = {
                call: call.func.value
                for call in calls(node.value, r".*\.clone")
                if isinstance(call.func, ast.Attribute)
            }
            if swap:
                yield swap


def no_buffers_loop(definition: Definition) -> Iterator[Swap]:
    """The loop over the buffers gone."""
    for node in ast.walk(definition):
        if isinstance(node, ast.For) and "buffers()" in text_of(node.iter):
            yield {node: None}


def not_saved(definition: Definition) -> Iterator[Swap]:
    """A buffer that a method updates, registered with persistent=False."""
    for buffer in buffers(definition):
        if "persistent" not in text_of(buffer.call) and len(buffer.call.args) == 2:
            yield {buffer.statement: statements(f"{text_of(buffer.statement)[:-1]}, persistent=False)")}


MUTATIONS = (
    Mutation("TL101", "plain attribute", unregistered("self.{name} = {value}"), anywhere=True),
    Mutation("TL101", "setattr", unregistered("setattr(self, '{name}', {value})"), anywhere=True),
    Mutation(
        "TL101", "annotated, by a local", unregistered("kept = {value}\nself.{name}: object = kept"), anywhere=True
    ),
    Mutation(
        "TL101",
        "un-registered by del",
        unregistered(
            "self.register_buffer('{name}', {value})\nkept = self.{name}\ndel self.{name}\nself.{name} = kept"
        ),
        anywhere=True,
    ),
    Mutation("TL101", "stored by a helper", kept_by_a_helper, anywhere=True),
    Mutation("TL102", "no detach", without_detach),
    Mutation("TL102", "no no_grad block", without_gradients_off),
    Mutation("TL102", "no no_grad decorator", without_decorator_off),
    Mutation("TL103", "no drop in train()", without_invalidation("train")),
    Mutation("TL103", "no drop in _apply()", without_invalidation("_apply")),
    Mutation("TL103", "no drop in a load", without_invalidation("_load_from_state_dict")),
    Mutation("TL103", "no _apply()", without_method("_apply")),
    Mutation("TL103", "no _load_from_state_dict()", without_method("_load_from_state_dict")),
    Mutation("TL103", "to() for _apply()", public_method("_apply", "to")),
    Mutation("TL103", "load_state_dict() alone", public_method("_load_from_state_dict", "load_state_dict")),
    Mutation("TL104", "weaker test", weaker_test),
    Mutation("TL104", "shorter key", shorter_key),
    Mutation("TL104", "no conversion at the read", no_conversion_at_read),
    Mutation("TL105", "list for ModuleList", plain_container("ModuleList", "list({0})"), anywhere=True),
    Mutation("TL105", "tuple for ModuleList", plain_container("ModuleList", "tuple({0})"), anywhere=True),
    Mutation("TL105", "nested for ModuleList", plain_container("ModuleList", "[list({0})]"), anywhere=True),
    Mutation("TL105", "list for ParameterList", plain_container("ParameterList", "list({0})"), anywhere=True),
    Mutation("TL105", "dict for ModuleDict", plain_container("ModuleDict", "dict({0})"), anywhere=True),
    Mutation("TL105", "dict for ParameterDict", plain_container("ParameterDict", "dict({0})"), anywhere=True),
    Mutation("TL107", "a dot in the name", renamed_buffer("'{name}.value'"), anywhere=True),
    Mutation("TL107", "empty name", renamed_buffer("''"), anywhere=True),
    Mutation("TL107", "a number for a name", renamed_buffer("0"), anywhere=True),
    Mutation("TL107", "name of a method", renamed_buffer("'forward'"), anywhere=True),
    Mutation("TL107", "attribute set before", taken_name("self.{name} = None"), anywhere=True),
    Mutation("TL107", "attribute of the class", taken_by_the_class, anywhere=True),
    Mutation("TL108", "no return", broken_train(r"return self$", "pass"), anywhere=True),
    Mutation("TL108", "no return of super()", broken_train(r"return super\(\)", "super()"), anywhere=True),
    Mutation("TL108", "no super().train()", broken_train(r"^ +super\(\)\.train\(mode\)$", "    pass"), anywhere=True),
    Mutation(
        "TL108", "mode not handed on", broken_train(r"super\(\)\.train\(mode\)", "super().train()"), anywhere=True
    ),
    Mutation(
        "TL108",
        "no mode",
        broken_train(r"def train\(self, mode.*\):", "def train(self):\n    mode = True"),
        anywhere=True,
    ),
    Mutation("TL108", "attribute train", shadowed_method("self.train = True"), anywhere=True),
    Mutation("TL108", "attribute half", shadowed_method("self.half = 2"), anywhere=True),
    Mutation("TL109", "super().__init__() last", late_super, anywhere=True),
    Mutation("TL109", "super().__init__() second", second_statement, anywhere=True),
    Mutation("TL109", "no super().__init__()", no_super, anywhere=True),
    Mutation("TL109", "super() without the object", super_of_nobody, anywhere=True),
    Mutation("TL114", "to(device)", computed_parameter("{0}.to('cuda')"), anywhere=True),
    Mutation("TL114", "cuda()", computed_parameter("{0}.cuda()"), anywhere=True),
    Mutation("TL114", "half()", computed_parameter("{0}.half()"), anywhere=True),
    Mutation("TL114", "times a number", computed_parameter("{0} * 0.02"), anywhere=True),
    Mutation("TL114", ".data", computed_parameter("{0}.data"), anywhere=True),
    Mutation("TL115", "buffer to its own name", kept_result("{0}"), anywhere=True),
    Mutation("TL115", "buffer to another name", kept_result("_{0}"), anywhere=True),
    Mutation("TL115", "add_module", added_module, anywhere=True),
    Mutation("TL115", "register_module", registered_module, anywhere=True),
    Mutation("TL115", "register_parameter", registered_parameter, anywhere=True),
    Mutation("TL116", "no deepcopy", no_deepcopy),
    Mutation("TL116", "dict() for deepcopy", shallow_copy),
    Mutation("TL116", "no clone", no_clone),
    Mutation("TL117", "no loop over buffers", no_buffers_loop),
    Mutation("TL122", "persistent=False", not_saved),
    Mutation("TL304", "no block", without_evaluation_block),
    Mutation("TL304", "enable_grad for the block", with_gradients_on),
    Mutation("TL304", "no decorator", without_evaluation_decorator),
    Mutation("TL304", "no statement", without_statement_off),
)
# Definitions that are right after the change as well, or wrong in a way that the catalogue leaves to nobody.
STILL_RIGHT = {
    ("TL103", "no drop in train()", "Unfolded"): "nothing fills what train() drops",
    ("TL103", "no drop in train()", "KeyOfTheInput"): "what train() drops is the identity of an input",
    ("TL104", "no conversion at the read", "KeepsAnInput"): "what is kept came from an input: it is state, not a cache",
    ("TL108", "no super().train()", "PartPinned"): "what is left keeps a part asleep, which is taken to be meant",
    ("TL108", "no super().train()", "Segmenter"): "the same",
}
# A file is looked into when it has the word.
GENERIC = {
    ("TL101", "plain attribute"): b"register_buffer(",
    ("TL105", "list for ModuleList"): b"ModuleList(",
    ("TL108", "no return"): b"def train(",
    ("TL108", "no return of super()"): b"def train(",
    ("TL116", "no deepcopy"): b"deepcopy(",
    ("TL304", "no block"): b".eval()",
    ("TL304", "no decorator"): b".eval()",
}
