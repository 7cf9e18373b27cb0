"""What a container is made of, as it is written: the modules and Parameters in it, and which of them torch knows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from torchlint.knowledge.lookup import layer_children, layer_state
from torchlint.model.evaluation.bound import BoundClosure
from torchlint.model.evaluation.named_tuples import is_named_tuple, is_tuple_made
from torchlint.model.evaluation.torch_calls import FROM_KEYS
from torchlint.model.events import Evaluated, Event, ItemWrite, Write
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.modules.stateless import class_has_state, is_stateless
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Comprehension,
    Display,
    Element,
    Item,
    Operation,
    Starred,
    Subscript,
    Super,
    Term,
)
from torchlint.model.values import Kind, TensorValue
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_DEPTH = 10
_STATE = frozenset({Kind.MODULE, Kind.PARAMETER})
# What gives the elements of its operands again.
_PASSING = frozenset(("grown", "extended", "+", "+=", "*", "|", "|=", "and", "or"))
_OF_BUILTINS = frozenset("list tuple set frozenset dict sorted reversed enumerate zip iter filter".split())
_OF_LIBRARY = frozenset(
    """
    collections.OrderedDict collections.defaultdict collections.deque itertools.chain itertools.chain.from_iterable
    copy.copy
    """.split()
)
_OF_CONTAINERS = frozenset("values items copy get pop".split())
_CHILDREN = frozenset("children modules named_children named_modules".split())
_ADDING = frozenset(
    "append extend insert update add_module register_module register_parameter register_buffer __setitem__".split()
)
_REGISTRIES = frozenset("_modules _parameters _buffers".split())
_BRANCHES = frozenset(("torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict"))


@dataclass(frozen=True, slots=True)
class Member:
    """A module or Parameter that a container holds: the term that gives it, and its value."""

    term: Term
    frame: Frame
    value: TensorValue

    @property
    def is_given(self) -> bool:
        """True for one that the caller made."""
        return _is_given(self.term, self.frame, self.value)

    @property
    def is_made_here(self) -> bool:
        """False for one that is taken from registered state."""
        if isinstance(self.term, Call) and (_is_copy(self.term, self.frame) or last_name(self.term) == "Parameter"):
            return True
        return not any(source.kind == "state" for source in self.value.sources)

    @property
    def has_state(self) -> bool:
        """False for a module that has no parameters and buffers and does the same in every mode: nothing is lost."""
        return self.value.kind is Kind.PARAMETER or _has_state(self.term, self.frame, self.value)


@dataclass(slots=True)
class Known:
    """What torch knows of: terms (by identity, each in its frame), attributes whose elements were registered, and, for
    what is passed on to a helper, where the registered values were born."""

    terms: set[tuple[int, int]] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    origins: set[Span] = field(default_factory=set)

    def has(self, member: Member) -> bool:
        """True where the member, or what the helper that made it returns, is registered."""
        if isinstance(member.term, Argument) and not member.is_given and member.value.origin in self.origins:
            return True
        return any((id(term), id(frame)) in self.terms for term, frame in _aliases(member.term, member.frame))


def all_moments(module: ModuleClass) -> Iterator[Moment]:
    """The events of every function that works on the object, construction first, but for what only reads: calls and
    all that writes, deletes or returns."""
    frames = {id(moment.frame): moment.frame for moment in module.construction}
    for function in module.methods:
        if id(function) not in module.construction_functions:
            frame = module.frame(function)
            frames[id(frame)] = frame
    for frame in frames.values():
        yield from (Moment(event, frame) for event in _acts(frame.function))


def _acts(function: Function) -> tuple[Event, ...]:
    known: tuple[Event, ...] | None = function.derived.get("acts")
    if known is None:
        acts = (e for e in function.events if not isinstance(e, Evaluated) or isinstance(e.term, Call))
        known = function.derived["acts"] = tuple(acts)
    return known


def members(term: Term, frame: Frame, depth: int = _DEPTH) -> Iterator[Member]:
    """The modules and Parameters that the value of `term` is or holds, at any level of nesting."""
    value = frame.value(term)
    if isinstance(term, (Call, Argument)) and value.kind in _STATE:
        if not frame.is_self(term):
            yield Member(term, frame, value)
        return
    if isinstance(term, Argument) and value.element is not None and value.element.kind in _STATE:
        yield Member(term, frame, value.element.but(sources=value.element.sources | value.sources))
    elif depth and (not isinstance(term, (Element, Item, Subscript)) or _may_hold_state(value)):
        for part, inner in _parts(term, frame):
            yield from members(part, inner, depth - 1)


def known_to_torch(moments: list[Moment]) -> Known:
    """What the events register of the object, or put into a module."""
    known = Known()
    for moment in moments:
        for term in _registered_by(moment):
            reached = list(_reached(term, moment.frame, _DEPTH))
            for one, frame in (*reached, *_owners(moment, reached)):
                known.terms.add((id(one), id(frame)))
                if isinstance(one, Attribute) and frame.is_self(one.base):
                    known.attributes.add(one.name)
                value = frame.value(one) if isinstance(one, (Call, Argument)) else None
                if value is None or value.kind not in _STATE or _is_given(one, frame, value):
                    continue
                if value.origin is not None:
                    known.origins.add(value.origin)
    return known


def is_container(term: Term, frame: Frame) -> bool:
    """True where a term is a list, tuple, set or dict, those of collections included, named tuples too."""
    if frame.value(term).kind is Kind.CONTAINER:
        return True
    return isinstance(term, Call) and (frame.value(term.callee).made_by in _OF_LIBRARY or is_named_tuple(term, frame))


# Inside of terms


def _parts(term: Term, frame: Frame) -> list[tuple[Term, Frame]]:
    """The terms, each with its frame, whose values or elements the value of `term` holds."""
    if isinstance(term, Display):
        return [(part, frame) for part in term.parts]
    if isinstance(term, Comprehension):
        return [(term.parts[-1], frame)]
    if isinstance(term, Choice):
        return [(option, frame) for option in term.options]
    if isinstance(term, Operation):
        return [(part, frame) for part in term.parts] if term.operator in _PASSING else []
    if isinstance(term, Starred):
        return [(term.value, frame)]
    if isinstance(term, Element):
        return [(term.iterable, frame)]
    if isinstance(term, Item):
        return _parts_of_item(term, frame)
    if isinstance(term, Subscript):
        return [(term.base, frame)]
    if isinstance(term, Captured):
        return [(term.value, frame.outer)] if frame.outer is not None else []
    if isinstance(term, Attribute):
        return [(term.known, frame)] if term.known is not None else []
    return _parts_of_call(term, frame) if isinstance(term, Call) else []


def _parts_of_item(item: Item, frame: Frame) -> list[tuple[Term, Frame]]:
    """The element at the index, where a tuple is written out, here or in the function that returns it."""
    returned = _returned(item.base, frame) if isinstance(item.base, Call) else []
    tuples = [(one, inner) for one, inner in returned if isinstance(one, Display) and len(one.parts) == item.length]
    return [(one.parts[item.index], inner) for one, inner in tuples if isinstance(one, Display)] or [(item.base, frame)]


def _may_hold_state(value: TensorValue) -> bool:
    """False for an element of something larger that is known to be, or to hold, something else, or not known at all."""
    if value.kind is not Kind.CONTAINER:
        return value.kind in _STATE
    inside = value.items or ((value.element,) if value.element is not None else ())
    return any(one.kind in _STATE or one.kind is Kind.CONTAINER for one in inside)


def _parts_of_call(call: Call, frame: Frame) -> list[tuple[Term, Frame]]:
    callee = call.callee
    if isinstance(callee, Attribute) and callee.name in _OF_CONTAINERS | _CHILDREN and not frame.is_self(callee.base):
        return [(callee.base, frame)]
    made_by = frame.value(callee).made_by or ""
    if made_by == "collections.defaultdict" and call.arguments:
        made = _returned(Call(call.place, call.arguments[0], (), ()), frame)
        return [*made, *((term, frame) for term in call.inputs[1:])]
    if made_by in _OF_LIBRARY or (made_by.startswith("builtins.") and made_by.rpartition(".")[2] in _OF_BUILTINS):
        return [(term, frame) for term in call.inputs]
    if made_by == FROM_KEYS:
        return [(term, frame) for term in call.arguments[1:]]
    if is_tuple_made(call, frame):
        return [(term, frame) for term in call.inputs]
    if made_by == "builtins.map" and call.arguments:
        return _returned(Call(call.place, call.arguments[0], (), ()), frame)
    return _returned(call, frame)


def _returned(call: Call, frame: Frame) -> list[tuple[Term, Frame]]:
    """What the function of the project that a call enters returns."""
    return [(event.value, inner) for inner in entered(call, frame) for event in inner.function.returned]


def entered(call: Call, frame: Frame) -> list[Frame]:
    """The functions of the project that a call enters, with what it gives them."""
    if frame.view is not None and (found := list(frame.view.callees(call, frame))):
        return found
    target = frame.value(call.callee).of
    if isinstance(target, BoundClosure):
        return [frame.evaluator.nested_frame(target.function, target.frame)]
    is_deep = frame.depth >= _DEPTH or not isinstance(target, Function)
    return [] if is_deep else [frame.evaluator.entered(target, call, frame)]


def _aliases(term: Term, frame: Frame, depth: int = 3) -> Iterator[tuple[Term, Frame]]:
    """The term, and those that stand for the same object inside the helper that made it."""
    yield term, frame
    if depth and isinstance(term, Call):
        for inner, within in _returned(term, frame):
            yield from _aliases(inner, within, depth - 1)
    elif depth and isinstance(term, (Choice, Attribute)):
        for inner, within in _parts(term, frame):
            yield from _aliases(inner, within, depth - 1)


def _reached(term: Term, frame: Frame, depth: int) -> Iterator[tuple[Term, Frame]]:
    """The term and all that it holds, through what is passed to modules and to what is not known."""
    yield term, frame
    if depth == 0:
        return
    is_passed_in = isinstance(term, Call) and frame.value(term).kind in (Kind.MODULE, Kind.UNKNOWN)
    inside = [(part, frame) for part in term.inputs] if is_passed_in and isinstance(term, Call) else []
    for part, inner in (*_parts(term, frame), *inside):
        yield from _reached(part, inner, depth - 1)


def _owners(moment: Moment, reached: list[tuple[Term, Frame]]) -> Iterator[tuple[Term, Frame]]:
    """The modules whose parameters a ParameterList holds, as it is made or filled: torch knows and moves these."""
    callee = getattr(getattr(moment.event, "term", None), "callee", None)
    is_filled = isinstance(callee, Attribute) and _is_of_parameters(callee.base, moment.frame)
    listed = is_filled or any(_is_of_parameters(one, frame) for one, frame in reached if isinstance(one, Call))
    for one, frame in reached if listed else ():
        if isinstance(one, Call) and isinstance(one.callee, Attribute) and one.callee.name == "parameters":
            yield from _reached(one.callee.base, frame, _DEPTH)


def _is_of_parameters(term: Term, frame: Frame) -> bool:
    is_own = isinstance(term, Attribute) and term.name == "_parameters"
    return is_own or frame.value(term).made_by == "torch.nn.ParameterList"


# Registration


def _registered_by(moment: Moment) -> tuple[Term, ...]:
    """The terms that an event makes known to torch, or may."""
    event, frame = moment.event, moment.frame
    if isinstance(event, Write):
        if frame.is_self(event.base) or isinstance(event.base, Super):
            registers = frame.value(event.value).kind in (*_STATE, Kind.BUFFER, Kind.UNKNOWN)
            return (event.value,) if registers and not is_container(event.value, frame) else ()
        return (event.value,)
    if isinstance(event, ItemWrite):
        return (event.value,) if _is_in_module(event.base, frame) else ()
    term = getattr(event, "term", None)
    return _passed_to_torch(term, frame) if isinstance(term, Call) else ()


def _passed_to_torch(call: Call, frame: Frame) -> tuple[Term, ...]:
    callee = call.callee
    if isinstance(callee, Attribute):
        if frame.is_self(callee.base) or isinstance(callee.base, Super):
            # A method of the project is walked through; any other may register what it gets, but not what forward()
            # runs by it: self._gradient_checkpointing_func(block, x).
            is_entered = frame.view is not None and any(True for _ in frame.view.callees(call, frame))
            is_run = frame.function.name == "forward" and callee.name not in _ADDING
            return () if is_entered or is_run else call.inputs
        return call.inputs if callee.name in _ADDING and _is_in_module(callee.base, frame) else ()
    is_builtin = (frame.value(callee).made_by or "").startswith("builtins.")
    if any(frame.is_self(term) for term in call.inputs) and not is_builtin and not entered(call, frame):
        return tuple(term for term in call.inputs if not frame.is_self(term))
    return ()


def _is_in_module(term: Term, frame: Frame) -> bool:
    """True for a registered or local module, and for the dicts in which nn.Module keeps its state."""
    if isinstance(term, Attribute) and term.name in _REGISTRIES:
        return True
    return frame.value(term).kind is Kind.MODULE


# State of modules


def _is_given(term: Term, frame: Frame, value: TensorValue) -> bool:
    """True for a parameter of the function that nobody binds, or that is bound to one of the caller's."""
    if not isinstance(term, Argument):
        return False
    is_promised = value.kind is Kind.MODULE and value.made_by in (None, "annotation")
    return term.index not in frame.arguments or value.is_given or is_promised


def _is_copy(call: Call, frame: Frame) -> bool:
    return frame.value(call.callee).made_by == "copy.deepcopy"


def _has_state(term: Term, frame: Frame, value: TensorValue) -> bool:
    view: ModuleClass | None = value.of
    if view is not None:
        return class_has_state(view)
    made_by = value.made_by or ""
    returned = _returned(term, frame) if isinstance(term, Call) and made_by in _BRANCHES else []
    if returned:
        # A helper builds it.
        return any(_has_state(one, inner, inner.value(one)) for one, inner in returned)
    if made_by in _BRANCHES and isinstance(term, Call):
        inside = [one for part in term.inputs for one in members(part, frame)]
        return bool(term.inputs) and (not inside or any(one.has_state for one in inside))
    return not is_stateless(made_by) and not (isinstance(term, Call) and _is_loss_without_weight(term, made_by))


def _is_loss_without_weight(call: Call, made_by: str) -> bool:
    """True for CrossEntropyLoss(reduction="none"): the weight of a loss is a buffer, but None unless it is given."""
    parameters, buffers = layer_state(made_by)
    has_more = not made_by.endswith("Loss") or bool(parameters) or bool(layer_children(made_by))
    return not has_more and not call.arguments and all(key and key not in buffers for key, _ in call.keywords)
