"""Networks: the calls that run one, and whether one is known to stay where it was made."""

from __future__ import annotations

from torchlint.knowledge.graphs import COEFFICIENT, LOSS_NAME, NETWORK_METHODS, NETWORK_NAME, NO_NETWORKS, SETTINGS
from torchlint.knowledge.lookup import is_of_tensors, is_stateless_layer, layer_state
from torchlint.model.events import Evaluated, Event, Write
from torchlint.model.facts import Function
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, last_name
from torchlint.model.modules.layers import built
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Constant,
    Element,
    Global,
    Imported,
    Item,
    Starred,
    Subscript,
    Term,
)
from torchlint.model.values import Kind, TensorValue

_DEPTH = 6
_OF_MODULES = frozenset("eval train parameters named_parameters load_state_dict".split())
# What from_pretrained() of another class gives.
_NO_WEIGHTS = tuple("Tokenizer Processor Config Scheduler FeatureExtractor Pipeline".split())
_FREEZES = ("freeze", "frozen")


def network_run(call: Call, frame: Frame) -> Term | None:
    """The network that a call runs: what is called, or whose forward() or encode() is; None for any other call."""
    callee = call.callee
    if not call.inputs:
        return None
    if isinstance(callee, Attribute) and NETWORK_METHODS.fullmatch(callee.name):
        return callee.base if _is_network(callee.base, frame) else None
    if isinstance(callee, Attribute) and frame.view is not None and frame.view.method(callee.name) is not None:
        return None if not frame.is_self(callee.base) else _own_attribute(callee, frame)
    return callee if _is_network(callee, frame) else None


def _own_attribute(callee: Attribute, frame: Frame) -> Term | None:
    """self.critic, unless that is a method of the class."""
    value = frame.value(callee)
    return callee if value.kind is Kind.MODULE and not isinstance(value.of, Function) else None


def _is_network(term: Term, frame: Frame) -> bool:
    value = frame.value(term)
    if value.kind is Kind.MODULE:
        made = (value.made_by or "").lower()
        if is_loss(term, frame) or is_stateless_layer(value.made_by or "") or any(word in made for word in NO_NETWORKS):
            return False
        return value.of is None or (value.of.method("__call__") is None and computes_with_state(value.of))
    if value.kind is not Kind.UNKNOWN or value.of is not None:
        return False
    if isinstance(term, (Element, Item, Subscript)) and _is_of_networks(term, frame):
        return True
    if isinstance(term, Call) and _is_used_as_module(term, frame):
        return True
    name = written_name(term)
    is_named = bool(NETWORK_NAME.fullmatch(name)) and not isinstance(term, Imported)
    return is_named and not (isinstance(term, Attribute) and _is_of_a_tensor(term, frame))


def _is_of_a_tensor(term: Attribute, frame: Frame) -> bool:
    """True for weights.clip(0, 1), which limits values: a network of that name takes its input alone."""
    if not is_of_tensors(term.name) or frame.is_self(term.base):
        return False
    calls = [one for one in parents_in(frame.function).get(id(term), ()) if isinstance(one, Call)]
    return any(len(one.inputs) > 1 or isinstance(one.inputs[0], (Constant, Starred)) for one in calls if one.inputs)


def _is_used_as_module(made: Call, frame: Frame) -> bool:
    """True for what a call of unknown result has made and the function treats as a module: model.eval(). What is loaded
    by from_pretrained() is one, unless its class has another name."""
    if last_name(made) == "from_pretrained" and isinstance(made.callee, (Attribute, Imported)):
        return not any(word in _path(made) for word in _NO_WEIGHTS)
    readers = parents_in(frame.function).get(id(made), ())
    return any(isinstance(one, Attribute) and one.name in _OF_MODULES for one in readers)


def _path(call: Call) -> str:
    callee = call.callee
    if isinstance(callee, Attribute):
        return f"{getattr(callee.base, 'name', '')}.{callee.name}"
    return callee.name if isinstance(callee, Imported) else ""


def _is_of_networks(term: Term, frame: Frame) -> bool:
    """True for one of a list or dict of modules that the program fills with layers that learn."""
    made = [where.value(call) for call, where in built(term, frame)]
    return bool(made) and all(map(_learns, made))


def _learns(layer: TensorValue) -> bool:
    if layer.kind is not Kind.MODULE:
        return False
    return computes_with_state(layer.of) if layer.of is not None else bool(layer_state(layer.made_by or "")[0])


def computes_with_state(view: object) -> bool:
    """False for a module class of the project that registers nothing to learn: a loss, an activation."""
    state = getattr(view, "state", None)
    if state is None:
        return True
    registered = any(state.value(name).kind in (Kind.PARAMETER, Kind.MODULE) for name in state.names)
    return registered or bool(getattr(view, "has_unknown_base", False)) or len(getattr(view, "ancestors", ())) > 1


def is_known_module(term: Term, frame: Frame) -> bool:
    """True where a network is one by its class, not by its name."""
    return frame.value(term).kind is Kind.MODULE


def is_loss(term: Term, frame: Frame) -> bool:
    """True for what is called by the name of a loss, or is of a class of such a name: criterion, F.mse_loss."""
    value = frame.value(term)
    made = value.made_by or ""
    if value.kind is Kind.MODULE and made not in ("self", "instance") and made.rpartition(".")[2].endswith("Loss"):
        return True
    named = getattr(value.of, "facts", None)
    if value.kind is Kind.MODULE and named is not None and LOSS_NAME.fullmatch(named.name):
        return True
    return bool(LOSS_NAME.fullmatch(written_name(term)))


def written_name(term: Term, depth: int = _DEPTH) -> str:
    """The last name by which a person wrote a term: "net" of self.net, of nets[0].to(device), of a captured net."""
    if not depth:
        return ""
    if isinstance(term, Captured):
        return written_name(term.value, depth - 1)
    if isinstance(term, (Subscript, Item)):
        return written_name(term.base, depth - 1)
    if isinstance(term, Element):
        return written_name(term.iterable, depth - 1).removesuffix("s")
    if isinstance(term, Choice):
        return next(filter(None, (written_name(one, depth - 1) for one in reversed(term.options))), "")
    if isinstance(term, Call):
        if isinstance(term.callee, Attribute) and term.callee.name in (
            "to",
            "cuda",
            "cpu",
            "eval",
            "train",
            "half",
            "float",
        ):
            return written_name(term.callee.base, depth - 1)
        wraps = last_name(term) in ("DataParallel", "DistributedDataParallel", "compile") and term.arguments
        return written_name(term.arguments[0], depth - 1) if wraps else ""
    if isinstance(term, (Argument, Attribute)):
        return term.name
    return term.name.rpartition(".")[2] if isinstance(term, (Global, Imported)) else ""


def is_frozen(frame: Frame) -> bool:
    """True where the function, or the class around it, switches off the gradients of some parameters: which, we do not
    ask."""
    functions = [frame.function, *(frame.view.methods if frame.view is not None else ())]
    return any(_freezes(function) for function in functions)


def _freezes(function: Function) -> bool:
    known: bool | None = function.derived.get("freezes")
    if known is None:
        known = function.derived["freezes"] = any(map(_is_freeze, function.events))
    return known


def _is_freeze(event: Event) -> bool:
    if isinstance(event, Write):
        return event.attribute == "requires_grad" and not (
            isinstance(event.value, Constant) and event.value.value is True
        )
    if not isinstance(event, Evaluated) or not isinstance(event.term, Call):
        return False
    name = last_name(event.term)
    given = event.term.argument(0, "requires_grad")
    if name == "requires_grad_":
        return given is not None and not (isinstance(given, Constant) and given.value is True)
    return any(word in name.lower() for word in _FREEZES) or name == "set_requires_grad"


def is_coefficient(term: Term, frame: Frame) -> bool:
    """True for what weighs a term of a loss and is a setting of the program: args.decay, self.cfg.l2, lam."""
    if isinstance(term, Captured):
        # A captured parameter is one of the function around.
        return frame.outer is not None and is_coefficient(term.value, frame.outer)
    if isinstance(term, Argument):
        parameters = frame.function.parameters
        default = parameters[term.index].default if term.index < len(parameters) else None
        is_number = isinstance(default, Constant) and type(default.value) in (int, float)
        return is_number or COEFFICIENT.fullmatch(term.name) is not None
    if not isinstance(term, Attribute):
        return False
    holder = getattr(term.base, "name", "")
    return SETTINGS.fullmatch(holder) is not None or COEFFICIENT.fullmatch(term.name) is not None
