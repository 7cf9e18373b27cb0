"""Values that construction computes once from learned state, and the events after which they are no longer true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from torchlint.model.caches.derived_forms import Form, form_of, is_measured
from torchlint.model.events import Evaluated, Write
from torchlint.model.facts import Function
from torchlint.model.flow.regions import grad_is_off
from torchlint.model.flow.uses import Use, parents_in
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.modules.layers import has_parameters
from torchlint.model.modules.refresh import answers_conversion, answers_load, touched_by
from torchlint.model.modules.state import Registration
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Constant,
    Term,
    children,
    mentions,
)
from torchlint.model.unregistered.leftovers import later_reads
from torchlint.model.values import Kind, TensorValue
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

# What a conversion runs: it moves the value, and computes it anew only where it assigns from the source.
_MOVING = frozenset("to cuda cpu half float double bfloat16 _apply type __deepcopy__ __setstate__".split())
# Methods whose argument says what the result is like, and gives it no values.
_LENT = frozenset("to type type_as view_as expand_as reshape_as".split())
_MAX_DEPTH = 14


class Change(Enum):
    """An event that leaves a value of construction behind."""

    STEP = "an optimizer step"
    LOAD = "load_state_dict()"
    CONVERT = ".to()/.half()"


@dataclass(frozen=True, slots=True)
class Derived:
    """An attribute or buffer that construction computes from the parameter (or layer) `source`, and never again.

    read, reader: a later read. missed: the events that leave the old value. keeps_graph: autograd recorded how it was
    computed.
    """

    attribute: str
    symbol: str
    span: Span
    source: str
    read: Span
    reader: str
    form: Form
    missed: tuple[Change, ...]
    keeps_graph: bool


@dataclass(frozen=True, slots=True)
class _Built:
    """A tensor, or a container of tensors, that construction puts under a name; `term` is what is written there."""

    name: str
    moment: Moment
    term: Term
    span: Span

    @property
    def value(self) -> TensorValue:
        """What is known of it."""
        return self.moment.frame.value(self.term)


def derived_values(module: ModuleClass) -> Iterator[Derived]:
    """What construction computes from learned state and nothing computes again, one for each assignment."""
    if module.state.registers_itself or not module.is_initialised:
        return
    for built in _built(module):
        source = _source(module, built)
        if source is None or _is_renewed(module, built.name):
            continue
        form = form_of(built.term, built.moment.frame)
        missed = _missed(module, built, source, form)
        used = next((moment for moment, uses in later_reads(module, built.name) if uses - {Use.LOOKED_AT}), None)
        if form is not None and missed and used is not None and isinstance(used.event, Evaluated):
            yield Derived(
                attribute=built.name,
                symbol=f"{built.moment.frame.method.owner or module.facts.qualname}.{built.name}",
                span=built.span,
                source=source,
                read=used.frame.span(used.event.term.place),
                reader=used.frame.method.name,
                form=form,
                missed=missed,
                keeps_graph=_has_graph(_tensor_in(built.value)) and not _is_made_without_graph(built),
            )


def _built(module: ModuleClass) -> Iterator[_Built]:
    """The tensors that construction assigns to plain attributes and buffers, or registers as buffers."""
    state = module.state
    for name in state.names:
        # A Parameter may be assigned in another branch: here the name is a plain one all the same.
        if state.registration(name) in (Registration.MODULE, Registration.OTHER) or module.has_setter(name):
            continue
        for moment in _last_certain([m for m in state.writes(name) if _is_building(module, m)]):
            event = moment.event
            is_held = isinstance(event, Write) and _holds_tensor(moment.frame.value(event.value))
            if isinstance(event, Write) and (is_held or is_measured(event.value)):
                yield _Built(name, moment, event.value, moment.frame.span(event.place))
    for name, calls in state.registrations.items():
        for call in calls:
            made, value = call.moment, call.value if call.how is Registration.BUFFER else None
            if made is None or value is None or not _is_building(module, made):
                continue
            if isinstance(made.event, Evaluated):
                yield _Built(name, made, value, made.frame.span(made.event.term.place))


def _is_building(module: ModuleClass, moment: Moment) -> bool:
    return id(moment.frame.function) in module.construction_functions


def _last_certain(writes: list[Moment]) -> list[Moment]:
    """The assignments whose value can be there when construction ends."""
    certain = [position for position, moment in enumerate(writes) if not moment.event.regions and not moment.guards()]
    return writes[certain[-1] :] if certain else writes


def _tensor_in(value: TensorValue) -> TensorValue:
    """The tensor that a value is, or that a container holds."""
    return value.element if value.kind is Kind.CONTAINER and value.element is not None else value


def _has_graph(value: TensorValue) -> bool:
    return value.is_tensor and not value.detached


def _holds_tensor(value: TensorValue) -> bool:
    return _tensor_in(value).kind in (Kind.TENSOR, Kind.BUFFER)


def _is_made_without_graph(built: _Built) -> bool:
    """True where the value is computed in a region without gradients, wherever it is stored."""
    frame = built.moment.frame
    made = (e for e in frame.function.events if isinstance(e, Evaluated) and e.term is built.term)
    return any(grad_is_off(Moment(event, frame, built.moment.caller), frame.evaluator) for event in made)


# Sources


def _source(module: ModuleClass, built: _Built) -> str | None:
    """The name of the learned state that a value is computed from; None for a constant."""
    found = built.value.sources | _tensor_in(built.value).sources
    names = sorted(
        one.name for one in found if one.owner == id(module) and one.kind == "state" and one.name != built.name
    )
    for name in names:
        how = module.state.registration(name)
        is_learned = (
            how is Registration.PARAMETER
            or (how is Registration.MODULE and _is_made_here(module, name))
            or (how is Registration.BUFFER and _is_updated(module, name))
        )
        if is_learned and _takes_values(module, built.term, built.moment.frame, name):
            return name
    return _local_source(module, built)


def _is_made_here(module: ModuleClass, name: str) -> bool:
    """True for a child with parameters that construction makes; the weights of one that the caller gives are known."""
    written = [(m.event.value, m.frame) for m in module.state.writes(name) if isinstance(m.event, Write)]
    values = [frame.value(term) for term, frame in written if not isinstance(term, Argument)]
    return any(value.origin is not None and value.made_by and has_parameters(value) for value in values)


def _is_updated(module: ModuleClass, name: str) -> bool:
    """True for a buffer that has a value from the start and that forward updates: running statistics, a codebook."""
    calls = module.state.registrations.get(name, ())
    if any(call.value and call.moment and call.moment.frame.value(call.value).kind is Kind.NONE for call in calls):
        return False
    return _is_worked_on(module, name) or touched_by(module.walk("forward"), name, module)


def _local_source(module: ModuleClass, built: _Built) -> str | None:
    """The parameter that a value is computed from by way of the local variable that it was assigned from."""
    inside = {id(term) for term in _terms_of(built.term)}
    for name in module.state.names:
        for moment in module.state.writes(name):
            event = moment.event
            is_same = isinstance(event, Write) and id(event.value) in inside and moment.frame is built.moment.frame
            if is_same and name != built.name and module.state.registration(name) is Registration.PARAMETER:
                return name
    return None


def _terms_of(term: Term, depth: int = _MAX_DEPTH) -> Iterator[Term]:
    """The parts of a term whose values go into it: not where it asks for a shape or a dtype, nor what a *_like takes
    its form from."""
    yield term
    if depth:
        for part in _inputs_of(term):
            yield from _terms_of(part, depth - 1)


def _inputs_of(term: Term) -> tuple[Term, ...]:
    if isinstance(term, Attribute) and term.name in ("shape", "device", "dtype", "ndim", "size", "dim", "numel"):
        return ()
    if isinstance(term, Call):
        name = last_name(term.callee)
        if name == "len":
            return ()
        if name.endswith("_like") or name.startswith("new_"):
            return term.arguments[1:]
        given = tuple(value for key, value in term.keywords if key not in ("device", "dtype"))
        return (term.callee, *given) if name in _LENT else (term.callee, *term.arguments, *given)
    return children(term)


def _takes_values(module: ModuleClass, term: Term, frame: Frame, name: str, depth: int = 3) -> bool:
    """True where numbers of the state `name` go into a value, and not only its shape: it reads a tensor, or runs the
    layer."""
    for part in _terms_of(term):
        value = frame.value(part)
        if _comes_from(value, name) and _is_weight(part, value, frame):
            return True
        if not isinstance(part, Call):
            continue
        callee = frame.value(part.callee)
        if callee.kind is Kind.MODULE and _comes_from(callee, name):
            return has_parameters(callee)
        target = callee.of if isinstance(callee.of, Function) else None
        if target is not None and depth:
            inner = module.project.evaluator.entered(target, part, frame)
            if any(_takes_values(module, event.value, inner, name, depth - 1) for event in target.returned):
                return True
    return False


def _comes_from(value: TensorValue, name: str) -> bool:
    return any(source.kind == "state" and source.name == name for source in value.sources)


def _is_weight(term: Term, value: TensorValue, frame: Frame) -> bool:
    """True for a Parameter, another tensor of the object, an argument that is one, and the weight of some layer."""
    if value.kind is Kind.PARAMETER:
        return True
    if isinstance(term, Attribute):
        is_of_layer = term.name in ("weight", "bias") and value.kind is Kind.UNKNOWN
        return is_of_layer or (value.is_tensor and frame.is_self(term.base))
    return isinstance(term, Argument) and value.is_tensor


# Events


def _missed(module: ModuleClass, built: _Built, source: str, form: Form | None) -> tuple[Change, ...]:
    """The events that leave the value behind its source."""
    is_buffer = module.state.registration(built.name) is Registration.BUFFER
    converts = not answers_conversion(module, built.name)
    if form is Form.VIEW:
        # A conversion gives the Parameter new memory; until then an update or a load shows in the view.
        return (Change.CONVERT,) if converts else ()
    missed = [] if _is_frozen(module, source) else [Change.STEP]
    if not module.state.is_saved(built.name):
        missed.append(Change.LOAD)
    if missed and converts and not is_buffer and not is_measured(built.term):
        missed.append(Change.CONVERT)
    return tuple(missed)


def _is_frozen(module: ModuleClass, source: str) -> bool:
    """True where construction takes the source out of training, or where it is a buffer."""
    if module.state.registration(source) is Registration.BUFFER:
        return False
    named = frozenset({source})
    for moment in module.construction:
        event = moment.event
        given: Term | None = None
        if isinstance(event, Write) and event.attribute == source and isinstance(event.value, Call):
            given = event.value.argument(1, "requires_grad")
        elif isinstance(event, Write) and event.attribute == "requires_grad" and mentions(event.base, named):
            given = event.value
        elif isinstance(event, Evaluated) and isinstance(event.term, Call) and mentions(event.term.callee, named):
            given = event.term.argument(0, "requires_grad") if last_name(event.term) == "requires_grad_" else None
        if isinstance(given, Constant) and given.value is False:
            return True
    return False


def _is_renewed(module: ModuleClass, name: str) -> bool:
    """True where later code of the class or its file writes the value again, or may."""
    if answers_load(module, name) or module.project.owners.may_assign(module.path, name):
        return True
    writers: set[str] = set()
    for function in module.methods:
        if function.name in _MOVING:
            continue
        if touched_by(module.walk_frame(module.frame(function)), name, module):
            # A public method that takes something of its caller is there to be called again.
            is_called_again = not function.name.startswith("_") and len(function.parameters) > 1
            if is_called_again or id(function) not in module.only_building:
                return True
            writers.add(function.name)
    return _is_worked_on(module, name) or _is_called_elsewhere(module, writers - {"__init__"})


def _is_worked_on(module: ModuleClass, name: str) -> bool:
    """True where a later method changes the value in place, or hands it to a call of which it wants no result."""
    for read in module.state.reads(name):
        function, event = read.frame.function, read.event
        if id(function) in module.only_building or not isinstance(event, Evaluated):
            continue
        for parent in parents_in(function).get(id(event.term), ()):
            method = parent.name if isinstance(parent, Attribute) else ""
            if method.endswith("_") and not method.endswith("__"):
                return True
            if isinstance(parent, Call) and not parents_in(function).get(id(parent)):
                return True
    return False


def _is_called_elsewhere(module: ModuleClass, names: set[str]) -> bool:
    """True where other code of the file calls one of these methods on an object: it computes the value again."""
    if not names:
        return False
    building = module.only_building
    return any(
        isinstance(event, Evaluated)
        and isinstance(event.term, Call)
        and isinstance(event.term.callee, Attribute)
        and event.term.callee.name in names
        for frame in module.project.functions_in(module.path)
        if id(frame.function) not in building
        for event in frame.function.events
    )
