"""State that training builds up and a checkpoint does not have: outputs depend on it, and a resumed run begins anew."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.model.caches.memo_tests import made_anew
from torchlint.model.events import Evaluated, Event, ItemWrite, Write
from torchlint.model.facts import Function
from torchlint.model.flow.timeline import attribute_of_self, changed_in_place, timeline
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.modules.answers import Persistence, persistence
from torchlint.model.modules.growth import Growth
from torchlint.model.modules.influence import Influence
from torchlint.model.modules.refresh import answers_load, runs_in_mode
from torchlint.model.modules.scratch import begins_anew, is_filled_above
from torchlint.model.modules.sightings import span_of
from torchlint.model.modules.state import Registration
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Constant,
    Display,
    Imported,
    Operation,
    Term,
    children,
)
from torchlint.model.unregistered.carried import carried_tensors
from torchlint.model.unregistered.leftovers import mentions_attribute
from torchlint.model.values import Kind, TensorValue
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

# Methods that train, as frameworks and training loops call them; forward is what all others are measured by.
_TRAINS = ("forward", "training_step", "compute_loss")
_SAVES = ("get_extra_state", "_save_to_state_dict", "state_dict", "on_save_checkpoint", "__getstate__")
_PASSIVE = re.compile(
    r"extra_repr|__(repr|str|getstate|setstate|deepcopy|init_subclass)__|_apply|to|cuda|cpu|half|float|double|bfloat16"
    r"|type|train|eval|get_extra_state|set_extra_state|_?(load|save)_.*|.*state_dict|on_(load|save)_checkpoint|get_config"
)
_RESTARTS = re.compile(
    r"reset|clear|restart|begin|start|flush|forget|zero_|init_(state|hidden|memory)|new_(stream|episode)"
)
_FITS = re.compile(r"_*(fit|calibrate|observe|accumulate|estimate|collect)")
# Summaries of data: what such a method returns is a tensor (or an array) whatever is known of its receiver.
_SUMMARISES = frozenset(
    """mean var std amax amin max min sum norm median quantile abs square sqrt cov detach clone reshape view flatten
    unsqueeze squeeze add sub mul div float to t lerp maximum minimum stack cat""".split()
)
_MADE_FRESH = frozenset("zeros ones full empty arange linspace rand randn randint bernoulli eye tri tril triu".split())
_REACH = 12


class Held(str):
    """What an attribute holds, as the page's variants name it."""


TENSOR, BUFFER, NUMBER, CONTAINER = Held("default"), Held("buffer"), Held("number"), Held("container")


@dataclass(frozen=True, slots=True)
class Unsaved:
    """An attribute that training updates, that outputs depend on, and that state_dict() omits.

    span: where construction makes it. update, writer: where a later call changes it. read, reader: where its value
    decides what the module computes.
    """

    attribute: str
    symbol: str
    span: Span
    held: Held
    update: Span
    writer: str
    read: Span
    reader: str


def unsaved_state(module: ModuleClass) -> Iterator[Unsaved]:
    """The attributes of a class that a checkpoint loses, one finding each, at the line that makes them."""
    if module.state.registers_itself or not module.is_initialised:
        return
    later = None
    for name in dict.fromkeys((*module.state.names, *module.state.registrations)):
        birth = _birth(module, name)
        if birth is None or _is_saved_otherwise(module, name):
            continue
        later = later or _Later(module)
        found = _judged(module, name, birth, later)
        if found is not None:
            yield found


@dataclass(frozen=True, slots=True)
class _Birth:
    moment: Moment
    held: Held
    value: TensorValue


class _Later:
    """What happens after construction: in training, and in the other methods."""

    def __init__(self, module: ModuleClass) -> None:
        self.trained: list[Moment] = []
        for name in _TRAINS:
            method = module.method(name)
            if method is not None:
                self.trained += timeline(module, module.frame(method))
        self.reached = {id(moment.frame.function) for moment in self.trained}
        self.others: list[Moment] = []
        building = module.only_building
        for function in module.methods:
            is_passive = _PASSIVE.fullmatch(function.name) and not _trains(function)
            if id(function) not in self.reached | building and not is_passive:
                self.others += [Moment(event, module.frame(function)) for event in function.events]

        self.acts = [moment for moment in (*self.trained, *self.others) if _may_update(moment.event)]

    def is_trained(self, moment: Moment) -> bool:
        """True for what forward reaches."""
        return id(moment.frame.function) in self.reached


def _birth(module: ModuleClass, name: str) -> _Birth | None:
    """What construction last makes of an attribute that state_dict() omits; None for any other attribute."""
    state = module.state
    if module.has_setter(name) or module.method(name) is not None:
        return None
    how = state.registration(name)
    if how is Registration.BUFFER and persistence(module, name) is Persistence.TRANSIENT:
        calls = [call.moment for call in state.registrations.get(name, ()) if call.moment is not None]
        born = next((moment for moment in (*calls, *state.writes(name)) if _is_built(module, moment)), None)
        return _Birth(born, BUFFER, state.value(name)) if born is not None else None
    writes = [moment for moment in state.writes(name) if _is_built(module, moment)]
    if how is not None or not writes:
        return None
    event = writes[-1].event
    assert isinstance(event, Write)
    value = writes[-1].frame.value(event.value)
    if value.kind is Kind.NONE:
        value = state.value(name)
        later = [m for m in state.writes(name) if not _is_built(module, m) and isinstance(m.event, Write)]
        if any(_is_measured(m.event.value, m.frame, name) for m in later if isinstance(m.event, Write)):
            return _Birth(writes[-1], TENSOR, value)
    held = _held(value, event.value)
    return _Birth(writes[-1], held, value) if held is not None else None


def _is_built(module: ModuleClass, moment: Moment) -> bool:
    return id(moment.frame.function) in module.construction_functions


def _held(value: TensorValue, written: Term) -> Held | None:
    if value.kind is Kind.TENSOR:
        return TENSOR
    if isinstance(written, Display) and _holds_tensors(value):
        return CONTAINER
    is_plain = isinstance(value.constant, (bool, int, float))
    if value.kind is Kind.NUMBER or is_plain or (value.kind is Kind.UNKNOWN and isinstance(written, Argument)):
        return NUMBER
    return None


def _holds_tensors(value: TensorValue) -> bool:
    return value.kind is Kind.CONTAINER and value.element is not None and value.element.kind is Kind.TENSOR


def _is_saved_otherwise(module: ModuleClass, name: str) -> bool:
    """True where the class puts the attribute into its checkpoint itself, or makes it anew when one is loaded."""
    for saving in _SAVES:
        method = module.method(saving)
        if method is None:
            continue
        names = [e.term.name for e in method.events if isinstance(e, Evaluated) and isinstance(e.term, Attribute)]
        if name in names or "__dict__" in names:
            return True
    return answers_load(module, name)


def _judged(module: ModuleClass, name: str, birth: _Birth, later: _Later) -> Unsaved | None:
    updates = [m for m in later.acts if _is_update(module, name, birth, m, later)]
    if not updates or any(carried.attribute == name and carried.read for carried in carried_tensors(module)):
        # With the graph of the last call in it the value stops training altogether, which is TL102's to say.
        return None
    if all(begins_anew(module, name, moment) for moment in updates):
        return None
    only_in_training = all(runs_in_mode(moment) is True for moment in updates)
    if not only_in_training and _is_restarted(module, name, birth, later):
        return None
    grows = any(_is_growing(name, moment) for moment in updates)
    read = _deciding_read(module, name, later, grows=grows)
    if read is None:
        return None
    moment = birth.moment
    return Unsaved(
        attribute=name,
        symbol=f"{moment.frame.method.owner or module.facts.qualname}.{name}",
        span=span_of(moment),
        held=birth.held,
        update=span_of(updates[0]),
        writer=updates[0].frame.method.name,
        read=span_of(read),
        reader=read.frame.method.name,
    )


# Updates


def _may_update(event: Event) -> bool:
    is_call = isinstance(event, Evaluated) and isinstance(event.term, Call)
    return is_call or isinstance(event, (Write, ItemWrite))


def _is_update(module: ModuleClass, name: str, birth: _Birth, moment: Moment, later: _Later) -> bool:
    """True for a store after construction that carries what was seen so far on to the next call."""
    event, frame = moment.event, moment.frame
    if isinstance(event, Write):
        if event.attribute == name and frame.is_self(event.base):
            return _is_carried_on(module, name, birth, moment, later)
        return event.attribute == "data" and attribute_of_self(event.base, frame) == name
    if birth.held is NUMBER:
        return False
    if isinstance(event, ItemWrite) and attribute_of_self(event.base, frame) == name:
        return _grows_in_place(event, name, frame) if birth.held is CONTAINER else _fills(event, name, moment)
    if isinstance(event, Evaluated) and isinstance(event.term, Call):
        return _is_changed_by(event.term, name, moment, later)
    return False


def _is_carried_on(module: ModuleClass, name: str, birth: _Birth, moment: Moment, later: _Later) -> bool:
    event, frame = moment.event, moment.frame
    assert isinstance(event, Write)
    if event.operator != "=":
        return True
    value = frame.value(event.value)
    if birth.held is NUMBER and value.kind is not Kind.TENSOR:
        return _is_counted(event, name) or _is_raised(event, birth, moment, later) or _is_progress(moment)
    if value.kind not in (Kind.TENSOR, Kind.BUFFER, Kind.UNKNOWN):
        return False
    grows = _is_growing(name, moment) and not is_filled_above(name, moment, _made(birth))
    return grows or (_is_measured(event.value, frame, name) and _is_learning(moment))


def _made(birth: _Birth) -> Term | None:
    """What construction gives the attribute, as it is written there."""
    event = birth.moment.event
    if isinstance(event, Write):
        return event.value
    return event.term.argument(1, "tensor") if isinstance(event, Evaluated) and isinstance(event.term, Call) else None


def _is_growing(name: str, moment: Moment) -> bool:
    """True where the new value is made of the old one; False where it takes its place, or for an event of another
    kind."""
    event = moment.event
    if not isinstance(event, Write) or event.attribute != name:
        return not isinstance(event, Write)
    value = made_anew(event) or event.value
    return event.operator != "=" or Growth(moment.frame, event.base, name).holds(value, _REACH)


def _is_learning(moment: Moment) -> bool:
    """True for what only training does, and for a method that fits the module to data."""
    return runs_in_mode(moment) is True or bool(_FITS.match(moment.frame.method.name))


def _is_progress(moment: Moment) -> bool:
    """True where a method that trains notes what its caller says of it: the epoch that it has done."""
    event = moment.event
    return isinstance(event, Write) and isinstance(event.value, Argument) and _trains(moment.frame.function)


def _trains(function: Function) -> bool:
    """True for a method that takes optimizer steps."""
    return {"backward", "step"} <= {last_name(call) for call in function.calls}


def _is_counted(event: Write, name: str) -> bool:
    """self.x = self.x + 1, self.x = min(self.x * 2, limit): arithmetic on the old number, no longest length so far."""
    return isinstance(event.value, (Operation, Call)) and _has_sum(event.value, event.base, name, _REACH)


def _has_sum(term: Term, base: Term, name: str, depth: int) -> bool:
    if isinstance(term, Operation) and term.operator in ("+", "-", "*", "/", "**", "//", "%"):
        return mentions_attribute(term, base, name)
    return depth > 0 and any(_has_sum(part, base, name, depth - 1) for part in children(term))


def _is_raised(event: Write, birth: _Birth, moment: Moment, later: _Later) -> bool:
    """A flag that forward turns over."""
    flag = event.value.value if isinstance(event.value, Constant) else None
    return isinstance(flag, bool) and birth.value.constant is (not flag) and later.is_trained(moment)


def _is_measured(term: Term, frame: Frame, name: str) -> bool:
    """True for a tensor that is computed from what a method is given, or from the old value: not the caller's own, nor
    a fresh one, nor what the weights alone decide."""
    value = frame.value(term)
    maker = (value.made_by or "").rpartition(".")[2]
    is_news = any(one.kind == "argument" or one[1:] == ("plain", name) for one in value.sources)
    if value.is_given or not is_news or maker in _MADE_FRESH:
        return False
    return value.kind is Kind.TENSOR or (value.kind is Kind.UNKNOWN and _summarises(term))


def _summarises(term: Term) -> bool:
    if isinstance(term, Operation):
        return any(_summarises(part) for part in term.parts)
    return isinstance(term, Call) and last_name(term).rstrip("_") in _SUMMARISES


def _grows_in_place(event: ItemWrite, name: str, frame: Frame) -> bool:
    """self.x[key] = self.x[key] * rate + y, of a dict or list of tensors."""
    owner = event.base.base if isinstance(event.base, Attribute) else event.base
    return event.operator != "=" or Growth(frame, owner, name, of_items=True).holds(event.value, _REACH)


def _fills(event: ItemWrite, name: str, moment: Moment) -> bool:
    """self.x[..] += y; or self.x[..] = what was measured, in training alone or where a cursor of the object points."""
    if event.operator not in ("=", "del"):
        return True
    is_memory = runs_in_mode(moment) is True or _is_own_place(event.index, moment.frame, _REACH)
    return event.operator == "=" and is_memory and _is_measured(event.value, moment.frame, name)


def _is_own_place(term: Term, frame: Frame, depth: int) -> bool:
    """True for an index that the object itself keeps: the cursor of a memory that goes round."""
    if isinstance(term, Attribute) and frame.is_self(term.base):
        return True
    return depth > 0 and any(_is_own_place(part, frame, depth - 1) for part in children(term))


def _is_changed_by(call: Call, name: str, moment: Moment, later: _Later) -> bool:
    """self.x.add_(y), self.x.copy_(y), or a helper that does so with what it is given."""
    frame = moment.frame
    changed = changed_in_place(call)
    if changed is not None:
        is_learned = later.is_trained(moment) or _is_learning(moment)
        is_own = attribute_of_self(_innermost(changed), frame) == name
        return is_own and _brings_news(call, name, frame, is_learned=is_learned)
    target = (
        frame.evaluator.project.names.of_term(call.callee, frame.path)
        if not isinstance(call.callee, Attribute)
        else None
    )
    if not isinstance(target, Function):
        return False
    given = [i for i, term in enumerate(call.arguments) if attribute_of_self(term, frame) == name]
    return any(_changes_argument(target, index) for index in given)


def _innermost(term: Term) -> Term:
    """self.x of self.x.mul_(a).add_(b), and of self.x.data."""
    while isinstance(term, Call) and (inner := changed_in_place(term)) is not None:
        term = inner
    return term


def _brings_news(call: Call, name: str, frame: Frame, *, is_learned: bool) -> bool:
    """False for zero_() and fill_(1), which put the attribute back, and for a copy_() of what is no measurement."""
    method = call.callee.name if isinstance(call.callee, Attribute) else ""
    if method in ("zero_", "fill_", "uniform_", "normal_", "bernoulli_", "random_", "clamp_", "resize_"):
        return False
    if method not in ("copy_", "set_"):
        return True
    return is_learned and bool(call.inputs) and _is_measured(call.inputs[0], frame, name)


def _changes_argument(function: Function, index: int) -> bool:
    for event in function.events:
        term = event.term if isinstance(event, Evaluated) else None
        changed = changed_in_place(term) if isinstance(term, Call) else None
        changed = _innermost(changed) if changed is not None else None
        while isinstance(changed, Attribute) and changed.name == "data":
            changed = changed.base
        if isinstance(changed, Argument) and changed.index == index:
            return True
    return False


# Restarts and reads


def _is_restarted(module: ModuleClass, name: str, birth: _Birth, later: _Later) -> bool:
    """True where an owner, or a method that forward does not run, begins a new stream by putting the value back."""
    if module.project.owners.may_assign(module.path, name):
        return True
    for moment in module.state.writes(name):
        function, event = moment.frame.method, moment.event
        # A class that loads its counters by a method of its own saves them in its own way, too.
        is_loaded = birth.held is not NUMBER and _PASSIVE.fullmatch(function.name)
        is_passive = is_loaded or function.name == "__init__"
        if is_passive or not isinstance(event, Write) or event.operator != "=":
            continue
        if moment.frame.value(event.value).kind is Kind.NONE and not _is_built(module, moment):
            return True
        is_called = id(function) not in module.only_building or _RESTARTS.search(function.name)
        is_put_back = not mentions_attribute(event.value, event.base, name) and not _is_progress(moment)
        if is_called and is_put_back and not later.is_trained(moment) and not _FITS.match(function.name):
            return True
    return any(_puts_back(moment, name) for moment in later.others)


def _puts_back(moment: Moment, name: str) -> bool:
    event, frame = moment.event, moment.frame
    if isinstance(event, ItemWrite):
        return attribute_of_self(event.base, frame) == name and isinstance(event.value, Constant)
    if not isinstance(event, Evaluated) or not isinstance(event.term, Call):
        return False
    callee = event.term.callee
    if isinstance(callee, Imported) and callee.name.startswith("torch.nn.init."):
        return any(attribute_of_self(term, frame) == name for term in event.term.inputs[:1])
    changed = changed_in_place(event.term)
    return (
        changed is not None
        and attribute_of_self(changed, frame) == name
        and not _brings_news(event.term, name, frame, is_learned=True)
    )


def _deciding_read(module: ModuleClass, name: str, later: _Later, *, grows: bool) -> Moment | None:
    """The first read after construction that decides what a method returns or stores. What only takes the place of the
    old value must be read by forward where the same call did not store it."""
    influence = Influence(module, name)
    building = module.only_building
    for moment in module.state.reads(name):
        method, event = moment.frame.method, moment.event
        if id(method) in building or _PASSIVE.fullmatch(method.name) or _RESTARTS.search(method.name):
            continue
        if not isinstance(event, Evaluated) or not isinstance(event.term, Attribute):
            continue
        is_old = event.term.known is None and later.is_trained(moment) and runs_in_mode(moment) is not True
        if not grows and not is_old:
            continue
        if influence.decides(event.term, moment.frame):
            return moment
    return None
