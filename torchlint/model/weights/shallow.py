"""State taken from one module alone where the whole model is meant: recurse=False, and pairs of unlike state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.model.events import Delete, Evaluated, Event, ItemWrite, Return, Write
from torchlint.model.facts import Function
from torchlint.model.flow.uses import Parent, parents_in
from torchlint.model.frames import Frame, called_names, has_self, last_name
from torchlint.model.modules.registration import Registration
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Choice,
    Comprehension,
    Constant,
    Display,
    Element,
    Item,
    Operation,
    Term,
)
from torchlint.model.weights.aliases import function_called
from torchlint.model.weights.enumerated import enumeration, same_memory, taken_from, within, writes_into
from torchlint.source import Span

_PLACE_OF_RECURSE = {"parameters": 0, "buffers": 0, "named_parameters": 1, "named_buffers": 1}
_WALKS = frozenset("modules named_modules children named_children".split())
_SETS = frozenset("delattr setattr register_parameter register_buffer".split())
# Methods that torch calls for each module by itself, or that are there for a module's own tensors.
_OF_ONE_MODULE = frozenset(
    """
    _apply _save_to_state_dict _load_from_state_dict reset_parameters _reset_parameters extra_repr init_weights
    """.split()
)
_NO_CHILDREN = frozenset(("torch.nn.Module", "torch.nn.modules.module.Module", "torch.nn.modules.Module"))
_COPIES = frozenset("detach clone cpu data numpy half float to".split())
_USES = {
    **dict.fromkeys(("numel", "nelement"), "the count"),
    **dict.fromkeys("norm pow square abs sum".split(), "the sum"),
    **dict.fromkeys("flatten ravel view reshape".split(), "the vector"),
    "requires_grad_": "what is frozen",
}
# The functions of torch that are given the tensors.
_TAKERS = {
    **dict.fromkeys("clip_grad_norm_ clip_grad_value_ clip_grad_norm get_total_norm".split(), "the gradients"),
    **dict.fromkeys("norm vector_norm square abs".split(), "the sum"),
    "parameters_to_vector": "the vector",
}
_COLLECTS = frozenset("dict list tuple OrderedDict chain".split())
_ADDS = frozenset("update append extend".split())
_SENDS = ("save", "dump", "put", "send", "publish")
_CHECKPOINT_WORDS = ("state", "checkpoint", "save", "export", "snapshot", "dump", "weights")


@dataclass(frozen=True, slots=True)
class Shallow:
    """An enumeration that leaves out submodules, or a zip of parameters and buffers. kind: "default", "saved", "mixed".
    what: the method. used: what it is used for, in words, and where."""

    kind: str
    span: Span
    what: str
    use: str
    used: Span


def shallow_enumerations(frame: Frame) -> Iterator[Shallow]:
    """The recurse=False of a function that is used for a whole model, and the zips of unlike state; one a line."""
    seen: set[int] = set()
    for event in frame.function.events:
        call = event.term if isinstance(event, Evaluated) else None
        found = _judged(call, frame) if isinstance(call, Call) and call.place[0] not in seen else None
        if found is not None:
            seen.add(found.span.line)
            yield found


def _judged(call: Call, frame: Frame) -> Shallow | None:
    span = frame.span(call.place)
    if last_name(call) == "zip" and _pairs_unlike(call):
        return Shallow("mixed", span, "zip", "", span)
    if not _is_shallow(call) or _is_meant(call, frame):
        return None
    found = _use(call, frame)
    return Shallow(found[0], span, last_name(call), found[1], found[2]) if found is not None else None


def _pairs_unlike(call: Call) -> bool:
    """zip(a.parameters(), b.buffers())."""
    kinds = set()
    for given in call.arguments:
        is_list = isinstance(given, Call) and last_name(given) == "list" and bool(given.arguments)
        inner = given.arguments[0] if isinstance(given, Call) and is_list else given
        if isinstance(inner, Call) and isinstance(inner.callee, Attribute) and last_name(inner) in _PLACE_OF_RECURSE:
            kinds.add(last_name(inner).removeprefix("named_"))
    return len(kinds) > 1


def _is_shallow(call: Call) -> bool:
    name = last_name(call)
    if name not in _PLACE_OF_RECURSE or not isinstance(call.callee, Attribute):
        return False
    given = call.argument(_PLACE_OF_RECURSE[name], "recurse")
    return isinstance(given, Constant) and given.value is False


# Where one module is meant


def _is_meant(call: Call, frame: Frame) -> bool:
    """True where the function goes through the modules itself, is called for each of them, or handles a module's own
    tensors, as by deleting them."""
    base = call.callee.base if isinstance(call.callee, Attribute) else call
    if frame.method.name in _OF_ONE_MODULE or _is_one_of_many(base) or _has_no_children(base, frame):
        return True
    outer: Frame | None = frame
    while outer is not None:
        if any(_walks_or_sets(event) for event in outer.function.events):
            return True
        outer = outer.outer
    return isinstance(base, Argument) and not frame.is_self(base) and _is_called_for_each(base, frame)


def _walks_or_sets(event: Event) -> bool:
    if isinstance(event, Delete) or (isinstance(event, Write) and not isinstance(event.attribute, str)):
        return True
    if isinstance(event, Evaluated) and isinstance(event.term, Attribute) and event.term.name == "_modules":
        return True
    is_call = isinstance(event, Evaluated) and isinstance(event.term, Call)
    return is_call and isinstance(event, Evaluated) and last_name(event.term) in _WALKS | _SETS


def _has_no_children(base: Term, frame: Frame) -> bool:
    """True for a module of the project that has none inside: its own tensors are all."""
    view = frame.value(base).of
    if view is None or any(name not in _NO_CHILDREN for name in getattr(view, "foreign_bases", ("",))):
        return False
    names = dict.fromkeys((*view.state.registrations, *view.state.names))
    return not any(view.state.registration(name) is Registration.MODULE for name in names)


def _is_called_for_each(module: Argument, frame: Frame) -> bool:
    """True where the file calls the function with a module of a walk, or hands it on, as to apply()."""
    project, function = frame.evaluator.project, frame.function
    for other in project.functions_in(frame.path):
        for event in other.function.events:
            call = event.term if isinstance(event, Evaluated) else None
            if not isinstance(call, Call):
                continue
            if any(_is_function(term, function, other) for term in call.inputs):
                return True
            if last_name(call) == function.name and _passes_walked(call, module, function, other):
                return True
    return False


def _is_function(term: Term, function: Function, frame: Frame) -> bool:
    return getattr(term, "name", "").rpartition(".")[2] == function.name and frame.value(term).of is function


def _passes_walked(call: Call, module: Argument, function: Function, frame: Frame) -> bool:
    target = function_called(call, frame)
    if target is None or target.function is not function:
        return False
    given = call.argument(module.index - int(has_self(function)), module.name)
    return given is not None and _is_one_of_many(given)


def _is_one_of_many(module: Term) -> bool:
    """True for a module that a loop goes through, by modules() or by a helper of the project."""
    return any(isinstance(part, Element) for part in within(module))


# What it is used for


def _use(call: Call, frame: Frame) -> tuple[str, str, Span] | None:
    """The kind of use, in words too, and its place; None for a look, as any(p.is_meta for p in ..)."""
    saved = _saved(call, frame)
    if saved is not None:
        return "saved", "the checkpoint", saved
    for event in frame.function.events:
        found = _use_by(event, call)
        if found is not None:
            return "default", found[0], frame.span(found[1])
    for written in writes_into(frame):
        if written.term is not None and (
            _is_of(written.target, call) or any(_is_of(o, call) for o in written.operands)
        ):
            return "default", "what is written", frame.span(written.term.place)
    return None


def _use_by(event: Event, call: Call) -> tuple[str, tuple[int, int, int, int]] | None:
    """What an event uses a tensor of the enumeration for."""
    if isinstance(event, Write):
        return ("what is written", event.place) if _is_of(event.base, call) else None
    if isinstance(event, Evaluated) and isinstance(event.term, Operation) and event.term.operator == "**":
        return ("the sum", event.term.place) if _is_of(event.term.parts[0], call) else None
    if not isinstance(event, Evaluated) or not isinstance(event.term, Call):
        return None
    callee, place = event.term.callee, event.term.place
    of = callee.base if isinstance(callee, Attribute) else None
    if isinstance(of, Attribute) and of.name == "grad" and _is_of(of.base, call):
        return "the gradients", place
    if isinstance(callee, Attribute) and callee.name in _USES and of is not None and _is_of(of, call):
        return _USES[callee.name], place
    return _use_of_all(event.term, call)


def _use_of_all(taker: Call, call: Call) -> tuple[str, tuple[int, int, int, int]] | None:
    """What a function that is given the tensors, or one of them, makes of them."""
    name = getattr(taker.callee, "name", "")
    use = "the optimizer" if name.startswith("torch.optim.") else _TAKERS.get(last_name(taker))
    if use is None or isinstance(taker.callee, Attribute):
        return None
    inputs = (one.known if isinstance(one, Attribute) and one.known is not None else one for one in taker.inputs)
    is_given = any(_is_of(given, call) or call in within(given, 40) for given in inputs)
    return (use, taker.place) if is_given else None


def _is_of(term: Term, call: Call) -> bool:
    return enumeration(term) is call or taken_from(same_memory(term)) is call


def _saved(call: Call, frame: Frame, depth: int = 1) -> Span | None:
    """Where a dict of the tensors is saved, loaded or returned as a checkpoint, also by who gets them returned."""
    collected = _collected(call, frame)
    for event in frame.function.events:
        if isinstance(event, Return) and id(event.value) in collected:
            is_named = last_name(call).startswith("named_")
            if is_named and any(word in frame.function.name.lower() for word in _CHECKPOINT_WORDS):
                return frame.span(event.place)
            taken = (_saved(taker, other, depth - 1) for taker, other in _takers(frame)) if depth else ()
            found = next((one for one in taken if one is not None), None)
            if found is not None:
                return found
        elif isinstance(event, Evaluated) and isinstance(event.term, Call):
            name = last_name(event.term)
            given = any(id(one) in collected for one in event.term.inputs)
            if given and (name.startswith(_SENDS) or name == "load_state_dict"):
                return frame.span(event.term.place)
    return None


def _takers(frame: Frame) -> Iterator[tuple[Call, Frame]]:
    """The calls of a method by others of its object, and of a function by others of its file."""
    function, view = frame.function, frame.view
    if function.owner is None:
        others = [
            other
            for other in frame.evaluator.project.functions_in(frame.path)
            if other.function is not function.definition
        ]
    else:
        others = (
            [view.frame(method) for method in view.methods if method is not function.definition]
            if view is not None
            else []
        )
    for other in others:
        for call in other.function.calls if function.name in called_names(other.function) else ():
            target = function_called(call, other) if last_name(call) == function.name else None
            if target is not None and target.function is function:
                yield call, other


def _collected(call: Call, frame: Frame) -> set[int]:
    """The containers, by identity, that the tensors are collected in."""
    parents = parents_in(frame.function)
    found: set[int] = {id(call)}
    waiting: list[Term] = [call]
    while waiting:
        term = waiting.pop()
        for parent in parents.get(id(term), ()):
            target = _filled(term, parent)
            if isinstance(target, Term) and id(target) not in found and _passes_on(term, target):
                found.add(id(target))
                waiting.append(target)
    return found


def _filled(term: Term, parent: Parent) -> Parent:
    """The container that `parent` puts a value into; else `parent` itself."""
    if isinstance(parent, ItemWrite) and parent.value is term:
        return parent.base
    callee = parent.callee if isinstance(parent, Call) and parent.callee is not term else None
    return callee.base if isinstance(callee, Attribute) and callee.name in _ADDS else parent


def _passes_on(term: Term, parent: Term) -> bool:
    if isinstance(parent, (Element, Item, Comprehension, Choice, Display)):
        return True
    if isinstance(parent, Attribute):
        return parent.name in _COPIES or parent.name in ("items", "values")
    if isinstance(parent, Call):
        return parent.callee is term or last_name(parent) in _COLLECTS
    return isinstance(term, Term)
