"""What a value depends on: device, dtype and shape of the inputs, arguments, settings, and the state of the module."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from torchlint.knowledge.factories import FACTORIES, FIXED_DTYPE, LIKE, NUMBERS, SHAPE_MEMBERS
from torchlint.knowledge.lookup import is_stateless_layer, returned
from torchlint.model.evaluation.bound import BoundClosure
from torchlint.model.evaluation.tensor_arguments import is_used_as_tensor
from torchlint.model.events import Evaluated, ItemWrite, Return
from torchlint.model.facts import Function
from torchlint.model.flow.keyword_reads import read_of_keywords
from torchlint.model.flow.pairs import paired_by
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, Moment, called_names, has_self, is_decorated, last_name
from torchlint.model.modules.state import Registration
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Comprehension,
    Constant,
    Display,
    Element,
    Item,
    Operation,
    Starred,
    Subscript,
    Super,
    Term,
    mentions,
)
from torchlint.model.values import Kind, TensorValue

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_MAX_DEPTH = 7
_LEARNED = frozenset(("weight", "bias"))
_DTYPES = frozenset({"dtype"})
# Other elements in other places, of the same sizes.
_SHIFTS = frozenset("roll flip".split())
_COMPARISONS = frozenset("== != < <= > >= in is not".split())


class Facet(Enum):
    """What it is of a thing that a value depends on.

    ARGUMENT: the value of a parameter of the function that the walk began with. DATA: the elements of a tensor given
    for one, SHAPE: only its sizes. STATE: a parameter, buffer or child of the module. SETTING: a plain attribute.
    """

    DEVICE = "device"
    DTYPE = "dtype"
    SHAPE = "shape"
    ARGUMENT = "argument"
    DATA = "data"
    STATE = "state"
    SETTING = "setting"


class Dependence(NamedTuple):
    """One thing that a value depends on; name: "x", "cfg.rate", "" for device and dtype."""

    facet: Facet
    name: str = ""


Dependences = frozenset[Dependence]

NOTHING: Dependences = frozenset()
DEVICE = Dependence(Facet.DEVICE)
DTYPE = Dependence(Facet.DTYPE)
_PLACEMENT = frozenset({DEVICE, DTYPE})
_OF_TENSORS = frozenset({Facet.DATA, Facet.SHAPE})


@dataclass(slots=True, eq=False)
class Scope:
    """A frame, and what its arguments depend on (those not given are open)."""

    frame: Frame
    given: Mapping[int, Dependences]
    outer: Scope | None = None
    depth: int = 0
    memo: dict[int, Dependences] = field(default_factory=dict)


class Dependencies:
    """What values depend on, seen from one class, or from a function (None). Not known is no dependence: a rule may
    miss, never invent."""

    def __init__(self, view: ModuleClass | None) -> None:
        self._view = view
        self._methods: dict[type[Term], Callable[[Any, Scope], Dependences]] = {
            Argument: self._argument,
            Captured: lambda term, scope: self.of(term.value, scope.outer) if scope.outer else NOTHING,
            Attribute: self._attribute,
            Call: self._call,
            Subscript: self._subscript,
            Operation: self._operation,
            Display: lambda term, scope: self._all((*term.parts, *(key for key in term.keys if key)), scope),
            Choice: lambda term, scope: self._all(term.options, scope),
            Comprehension: lambda term, scope: self._all(term.parts, scope),
            Element: lambda term, scope: self.of(term.iterable, scope),
            Item: self._item,
            Starred: lambda term, scope: self.of(term.value, scope),
        }

    def scope_of(self, moment: Moment) -> Scope:
        """The scope of an event as a walk came to it, its arguments followed back to where the walk began."""
        frame, caller = moment.frame, moment.caller
        outer = self._open(frame.outer) if frame.outer else None
        call = caller.event.term if caller is not None and isinstance(caller.event, Evaluated) else None
        if caller is None or not isinstance(call, Call):
            return Scope(frame, {}, outer)
        begun = self.scope_of(caller)
        return Scope(frame, self._given(frame.function, call, begun), outer, begun.depth + 1)

    def _open(self, frame: Frame) -> Scope:
        return Scope(frame, {}, self._open(frame.outer) if frame.outer else None)

    def of(self, term: Term, scope: Scope) -> Dependences:
        """What `term` depends on."""
        known = scope.memo.get(id(term))
        if known is None:
            scope.memo[id(term)] = NOTHING
            method = self._methods.get(type(term))
            known = scope.memo[id(term)] = method(term, scope) if method else NOTHING
        return known

    def _all(self, terms: Iterable[Term], scope: Scope) -> Dependences:
        return NOTHING.union(*(self.of(term, scope) for term in terms))

    # Names

    def _argument(self, term: Argument, scope: Scope) -> Dependences:
        frame = scope.frame
        if term.index in scope.given:
            return scope.given[term.index]
        if frame.is_self(term) or term.index in frame.arguments:
            return NOTHING
        if frame.value(term).is_tensor:
            return _PLACEMENT | {Dependence(Facet.DATA, term.name)}
        parameters = frame.function.parameters
        star = parameters[term.index].kind if term.index < len(parameters) else ""
        if star in ("*", "**"):
            return frozenset({Dependence(Facet.ARGUMENT, f"{star}{term.name}")})
        return self.of_parameter(term.index, term.name, scope)

    def of_parameter(self, index: int, name: str, scope: Scope) -> Dependences:
        """What an open parameter tells of itself: a device, a dtype, a tensor, or a plain value."""
        if name.endswith(("device", "dtype")) or name == "dev":
            return frozenset({DTYPE if name.endswith("dtype") else DEVICE})
        if is_used_as_tensor(index, scope.frame.function):
            return _PLACEMENT | {Dependence(Facet.DATA, name)}
        return frozenset({Dependence(Facet.ARGUMENT, name)})

    def _attribute(self, term: Attribute, scope: Scope) -> Dependences:
        if term.name in ("device", "dtype"):
            return frozenset({DEVICE if term.name == "device" else DTYPE})
        if term.known is not None:
            return self.of(term.known, scope)
        if term.name == "_version":
            return NOTHING
        if self._view is not None and scope.frame.is_self(term.base):
            return self._of_self(term.name, self._view, scope)
        base = self.of(term.base, scope)
        if term.name in SHAPE_MEMBERS:
            return as_shape(base)
        found = frozenset(
            one._replace(name=f"{one.name}.{term.name}")
            if one.facet in (Facet.ARGUMENT, Facet.SETTING) and not one.name.startswith("*")
            else one
            for one in base
        )
        layers = self._layers_in(base, self._view) if term.name in _LEARNED and self._view is not None else NOTHING
        return found | layers | _PLACEMENT if layers else found

    def _layers_in(self, base: Dependences, view: ModuleClass) -> Dependences:
        """The children whose layers a plain attribute holds: what has a weight and comes from a child is its layer."""
        names = {one.name for one in base if one.facet is Facet.SETTING and view.state.registration(one.name) is None}
        held = [
            value for value in map(view.state.value, names) if value.kind is Kind.CONTAINER and _may_hold_layer(value)
        ]
        sources = {source for value in held for source in value.sources}
        children = {source.name for source in sources if source.owner == id(view) and source.kind == "state"}
        found = (name for name in children if view.state.registration(name) is Registration.MODULE)
        return frozenset(Dependence(Facet.STATE, name) for name in found)

    def _of_self(self, name: str, view: ModuleClass, scope: Scope) -> Dependences:
        method = view.method(name)
        if method is not None:
            return self.returned(Scope(view.frame(method), {}, None, scope.depth + 1))
        how = view.state.registration(name)
        if how in (None, Registration.OTHER):
            return frozenset({Dependence(Facet.SETTING, name)})
        value = view.state.value(name)
        if how is Registration.MODULE and is_stateless_layer(value.made_by or ""):
            return NOTHING
        placement = frozenset({DEVICE}) if value.is_integral else _PLACEMENT
        return placement | {Dependence(Facet.STATE, name)}

    # Parts

    def _under_keyword(self, term: Term, scope: Scope) -> Dependences | None:
        """What options["device"] of **options depends on; None for any other term."""
        read = read_of_keywords(term, scope.frame.function)
        if read is None:
            return None
        given = scope.given.get(read.position)
        return self.of_parameter(read.position, read.name, scope) if given is None else narrowed(given, read.name)

    def _subscript(self, term: Subscript, scope: Scope) -> Dependences:
        found = self._under_keyword(term, scope)
        return found if found is not None else self.of(term.base, scope) | (self.of(term.index, scope) - _PLACEMENT)

    def _item(self, term: Item, scope: Scope) -> Dependences:
        """Of the pairs that enumerate() gives, the first is a position, which depends on nothing; of those of zip(),
        each is an element of its own iterable."""
        paired = paired_by(term.base)
        if paired is None:
            return self.of(term.base, scope)
        return self.of(paired[term.index], scope) if term.index < len(paired) else NOTHING

    def _operation(self, term: Operation, scope: Scope) -> Dependences:
        found = self._all(term.parts, scope)
        compares = term.operator in _COMPARISONS and not any(self._names_dtype(part, scope) for part in term.parts)
        return found - {DTYPE} if compares else found

    def _names_dtype(self, term: Term, scope: Scope) -> bool:
        """True where a dtype is asked for, here or in what the method returns that is called."""
        if mentions(term, _DTYPES) or names_type(term):
            return True
        entered = self.entered(term, scope) if isinstance(term, Call) else None
        returned = entered.frame.function.returned if entered is not None else ()
        return any(mentions(event.value, _DTYPES) for event in returned)

    # Calls

    def _call(self, call: Call, scope: Scope) -> Dependences:
        return self._result(call, scope) | self._written_into(call, scope)

    def _written_into(self, made: Call, scope: Scope) -> Dependences:
        """What decides on what is written into a tensor after it was made: mask[-self.shift :] = 1."""
        parents = parents_in(scope.frame.function).get(id(made), ())
        writes = [one for one in parents if isinstance(one, ItemWrite) and one.base is made]
        return self._all([part for one in writes for part in (one.index, one.value)], scope) - _PLACEMENT

    def _result(self, call: Call, scope: Scope) -> Dependences:
        found = self._under_keyword(call, scope)
        if found is not None:
            return found
        entered = self.entered(call, scope)
        if entered is not None:
            return self.returned(entered)
        callee = call.callee
        value = scope.frame.value(callee)
        if value.kind is Kind.MODULE:
            return self._of_module(call, scope)
        if value.made_by is not None and value.kind is Kind.CALLABLE:
            return self._of_function(value.made_by, call, scope)
        if isinstance(callee, Attribute):
            return self._of_method(callee, call, scope)
        return self._of_function(last_name(call), call, scope)

    def returned(self, scope: Scope) -> Dependences:
        """What the result of a function depends on."""
        if scope.depth > _MAX_DEPTH or is_decorated(scope.frame.function, "contextmanager"):
            return NOTHING
        return self._all((event.value for event in scope.frame.function.events if isinstance(event, Return)), scope)

    def entered(self, call: Call, scope: Scope) -> Scope | None:
        """The function of the project that a call runs."""
        frame, view = scope.frame, self._view
        for callee in view.callees(call, frame) if view is not None else ():
            return Scope(callee, self._given(callee.function, call, scope), None, scope.depth + 1)
        if isinstance(call.callee, Attribute) and isinstance(call.callee.base, Super):
            return None
        forward = view.method("forward") if view is not None and frame.is_self(call.callee) else None
        if view is not None and forward is not None:
            return Scope(view.frame(forward), self._given(forward, call, scope), None, scope.depth + 1)
        target = frame.value(call.callee).of
        if isinstance(target, BoundClosure):
            outer = scope if target.frame is frame else self._open(target.frame)
            inner = frame.evaluator.nested_frame(target.function, target.frame)
            return Scope(inner, self._given(target.function, call, scope), outer, scope.depth + 1)
        if isinstance(target, Function):
            inner = frame.evaluator.entered(target, call, frame)
            return Scope(inner, self._given(target, call, scope), None, scope.depth + 1)
        return None

    def _given(self, function: Function, call: Call, scope: Scope) -> dict[int, Dependences]:
        """What the arguments of a call depend on, by the position of the parameter."""
        parameters = function.parameters
        offset = 1 if has_self(function) and self._is_bound(call, scope) else 0
        names = {parameter.name: index for index, parameter in enumerate(parameters)}
        first = next((at for at, term in enumerate(call.arguments) if isinstance(term, Starred)), len(call.arguments))
        # Where these end up is not known: *sizes, what follows it, **options.
        spread = (*call.arguments[first:], *(term for name, term in call.keywords if name is None))
        rest = self._all(spread, scope)
        given = dict.fromkeys(range(offset, len(parameters)), rest)
        for position, term in enumerate(call.arguments):
            if isinstance(term, Starred):
                break
            index = min(position + offset, max(len(parameters) - 1, 0))
            if scope.frame.is_self(term):
                given.pop(index, None)
            else:
                given[index] = self._handed(term, parameters, index, scope) | (
                    given.get(index, NOTHING) if index < position + offset else NOTHING
                )
        collects = next((index for index, parameter in enumerate(parameters) if parameter.kind == "**"), None)
        for name, term in call.keywords:
            if name in names:
                given[names[name]] = self._handed(term, parameters, names[name], scope)
            elif name is not None and collects is not None:
                given[collects] = given.get(collects, NOTHING) | self.of(term, scope)
        return given

    def _handed(self, term: Term, parameters: tuple[Any, ...], index: int, scope: Scope) -> Dependences:
        found = self.of(term, scope)
        return narrowed(found, parameters[index].name) if index < len(parameters) else found

    def _is_bound(self, call: Call, scope: Scope) -> bool:
        """True for a call through an object or super(), so that the first parameter is not among its arguments."""
        callee = call.callee
        if not isinstance(callee, Attribute):
            return scope.frame.is_self(callee)
        return isinstance(callee.base, Super) or scope.frame.is_self(callee.base)

    def _of_module(self, call: Call, scope: Scope) -> Dependences:
        """A layer turns what it is given into other data."""
        return as_data(self._all(call.inputs, scope)) | self.of(call.callee, scope)

    def _of_function(self, name: str, call: Call, scope: Scope) -> Dependences:
        last = name.rpartition(".")[2]
        if last == "len":
            return as_shape(self._all(call.inputs, scope))
        if last == "hasattr":
            return NOTHING
        if last == "id":
            # State keeps its identity, whatever it holds. An input on another device is another object, but one that is
            # gone leaves its number to the next: the entry has to go with it.
            found = self._all(call.inputs, scope)
            if any(one.facet is Facet.STATE for one in found):
                return NOTHING
            is_whole = "finalize" in called_names(scope.frame.function)
            return (
                found | _PLACEMENT
                if is_whole and any(one.facet in _OF_TENSORS for one in found)
                else found - _PLACEMENT
            )
        if last in ("isinstance", "int", "float", "bool", "round"):
            return self._all(call.inputs, scope) - _PLACEMENT
        if not name.startswith("torch.") or name.startswith("torch.jit"):
            return self._all(call.inputs, scope)
        found = NOTHING.union(*(self._of_operand(term, scope, name) for term in call.arguments))
        found |= NOTHING.union(*(self.of(term, scope) for key, term in call.keywords if key not in ("device", "dtype")))
        if last in LIKE:
            is_tensor = bool(call.arguments) and scope.frame.value(call.arguments[0]).is_tensor
            found = as_shape(found) | (found & _PLACEMENT if is_tensor else _PLACEMENT)
        return self._placed(found, call, scope)

    def _of_operand(self, term: Term, scope: Scope, name: str) -> Dependences:
        """An argument of unknown kind that a function of torch takes as a tensor is one."""
        found = self.of(term, scope)
        is_open = isinstance(term, Argument) and scope.frame.value(term).kind is Kind.UNKNOWN
        return as_data(found) if is_open and name.rpartition(".")[2] not in FACTORIES else found

    def _placed(self, found: Dependences, call: Call, scope: Scope) -> Dependences:
        """device= and dtype= decide on the placement, whatever goes in. A dtype that is chosen by the device alone
        changes with nothing else."""
        for key, facet in (("device", DEVICE), ("dtype", DTYPE)):
            given = call.keyword(key)
            if given is None or (isinstance(given, Constant) and given.value is None):
                continue
            target = self.of(given, scope)
            changes = {facet} if target else NOTHING
            found = found - {facet} | (target if target == {DEVICE} else changes)
        return found

    def _of_method(self, callee: Attribute, call: Call, scope: Scope) -> Dependences:
        name = callee.name
        base = self.of(callee.base, scope)
        if name in SHAPE_MEMBERS or name in NUMBERS:
            return as_shape(base) if name in SHAPE_MEMBERS else base - _PLACEMENT
        if name == "get_device":
            return frozenset({DEVICE})
        if names_type(call):
            return base & _PLACEMENT
        if name in FIXED_DTYPE:
            return base - {DTYPE}
        if name in _SHIFTS:
            return base
        if name in ("cpu", "cuda"):
            # cuda() means the current device. A module has one for all its life; a function meets whatever comes.
            is_current = name == "cuda" and self._view is None and not call.inputs
            return base | {DEVICE} if is_current else base - {DEVICE}
        if name.startswith("new_"):
            return self._placed(self._all(call.arguments, scope) | _PLACEMENT, call, scope)
        if name in ("to", "type_as", "type"):
            return self._converted(base, call, scope)
        if base and returned(f"Tensor.{name}") is not None and scope.frame.value(callee.base).kind is Kind.UNKNOWN:
            base = as_data(base)
        return base | (self._all(call.inputs, scope) - _PLACEMENT)

    def _converted(self, base: Dependences, call: Call, scope: Scope) -> Dependences:
        """x.to(..): what it is converted to decides, where that is not a constant of the program."""
        found = base
        for key, term in (*((None, term) for term in call.arguments), *call.keywords):
            value, target = scope.frame.value(term), self.of(term, scope)
            if key == "dtype" or value.made_by == "dtype":
                found = found - {DTYPE} | (target & {DTYPE})
            elif key == "device" or (DEVICE in target and DTYPE not in target):
                found = found - {DEVICE} | {DEVICE}
            elif target & {DTYPE} and DEVICE not in target:
                found = found | {DTYPE}
            elif target:
                found = found | _PLACEMENT
        return found


def names_type(term: Term) -> bool:
    """True for x.type(), a text such as "torch.cuda.HalfTensor"."""
    is_call = isinstance(term, Call) and isinstance(term.callee, Attribute) and last_name(term) == "type"
    return is_call and not term.inputs  # type: ignore[attr-defined]


def as_shape(found: Dependences) -> Dependences:
    """What the sizes of a value depend on."""
    kept = (one for one in found if one.facet not in (Facet.DEVICE, Facet.DTYPE, Facet.STATE))
    return frozenset(
        Dependence(Facet.SHAPE, one.name) if one.facet in (Facet.ARGUMENT, Facet.DATA) else one for one in kept
    )


def as_data(found: Dependences) -> Dependences:
    """Of arguments that turn out to be tensors, the elements."""
    return frozenset(Dependence(Facet.DATA, one.name) if one.facet is Facet.ARGUMENT else one for one in found)


def narrowed(found: Dependences, name: str) -> Dependences:
    """Of what a value that is called `device` or `dtype` depends on, the placement."""
    wanted = NOTHING
    if name.endswith(("device", "dtype")):
        wanted = frozenset({DEVICE if name.endswith("device") else DTYPE})
    return found & wanted or found & _PLACEMENT or found if wanted else found


def _may_hold_layer(value: TensorValue) -> bool:
    """False for numbers, names and tensors, and for containers of such."""
    if value.kind is Kind.CONTAINER:
        return any(map(_may_hold_layer, value.items or ((value.element,) if value.element is not None else ())))
    return value.kind in (Kind.MODULE, Kind.UNKNOWN)
