"""Mode changes: what the train() and eval() overrides of a class do with the mode, and what they return."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from torchlint.model.events import Delete, Evaluated, Event, ItemWrite, Return, Write
from torchlint.model.facts import Function, Parameter
from torchlint.model.frames import Moment, last_name
from torchlint.model.modes.calls import (
    SWITCHES,
    calls_of,
    constants,
    is_member,
    is_passed_up,
    mentions_argument,
    up_call,
)
from torchlint.model.modes.parts import depends_on_mode, told_of
from torchlint.model.modules.refresh import runs_in_mode, touched_by
from torchlint.model.modules.state import Registration
from torchlint.model.terms import (
    Attribute,
    Call,
    Choice,
    Constant,
    Element,
    Global,
    Starred,
    Term,
)
from torchlint.model.values import Kind
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_MODE_NAMES = frozenset("mode train training is_training is_train".split())
_LEARNING = frozenset("backward step zero_grad fit".split())
# Decorators under which the body still is the method, and its return value what the caller gets.
_TRANSPARENT = frozenset("no_grad inference_mode enable_grad override typechecked ignore unused export".split())


class ModeFault(Enum):
    """What is wrong with a train() or eval() override. The first one that is found is the gravest."""

    NO_MODE = "no mode"
    NEVER_SWITCHES = "never switches"
    FORGETS_CHILDREN = "forgets children"
    DROPS_MODE = "drops mode"
    RETURNS_NOTHING = "returns nothing"
    RETURNS_OTHER = "returns another"
    ONLY_EVAL = "only eval"
    LOOP = "loop"
    EVALUATION = "evaluation"
    NO_DEFAULT = "no default"
    RENAMED = "renamed"


@dataclass(frozen=True, slots=True)
class BrokenMode:
    """An override with its faults, gravest first.

    is_inner: a class of the same file builds the module as its part, so that no caller sees what it returns.
    attribute: what eval() alone sets, for ONLY_EVAL; "" where it wakes parts of the module. parameter: the first one,
    "" for none. at: where the fault shows, None for the `def`.
    """

    method: str
    symbol: str
    span: Span
    faults: tuple[ModeFault, ...]
    is_inner: bool
    attribute: str
    parameter: str
    at: Span | None


def broken_modes(module: ModuleClass) -> Iterator[BrokenMode]:
    """The train() and eval() that the class, or a plain class mixed into it, writes and that break what torch expects
    of them."""
    for name in SWITCHES:
        method = own_method(module, name)
        if method is None or not _is_plain_method(method):
            continue
        override = _Override(module, method)
        faults = tuple(override.faults())
        if faults:
            yield _broken(override, faults)


def own_method(module: ModuleClass, name: str) -> Function | None:
    """The method that an instance runs, where the class itself writes it or a plain class that is mixed in; None where
    a module above does."""
    method = module.method(name)
    depth = module.depth_of(method) if method is not None else 0
    return None if depth and module.ancestors[depth].is_module else method


def _broken(override: _Override, faults: tuple[ModeFault, ...]) -> BrokenMode:
    module, method, frame = override.module, override.function, override.frame
    first = override.parameters[0] if override.parameters else None
    at = override.lost_return() if faults[0] is ModeFault.RETURNS_OTHER else None
    attributes = override.set_by_eval_only() if ModeFault.ONLY_EVAL in faults else []
    return BrokenMode(
        method=method.name,
        symbol=f"{method.owner or module.facts.qualname}.{method.name}",
        span=frame.span(method.place),
        faults=faults,
        is_inner=_is_built_by_neighbour(module),
        attribute=attributes[0] if attributes else "",
        parameter=first.name if first is not None else "",
        at=frame.span(at.place) if at is not None else None,
    )


def _is_plain_method(method: Function) -> bool:
    return all(last_name(decorator) in _TRANSPARENT for decorator in method.decorators)


class _Override:
    """One override, looked at from a class."""

    def __init__(self, module: ModuleClass, function: Function) -> None:
        self.module = module
        self.function = function
        self.frame = module.frame(function)
        self.parameters = function.parameters[1:]
        self.moments = module.walk_frame(self.frame)

    @property
    def _is_train(self) -> bool:
        return self.function.name == "train"

    def faults(self) -> Iterator[ModeFault]:
        """What is wrong, gravest first; of a body that is empty, or raises, nothing."""
        if not self.function.events:
            return
        if self._is_other_work():
            yield ModeFault.LOOP if self._is_train else ModeFault.EVALUATION
            return
        if self._is_train and not self._takes_mode():
            yield ModeFault.NO_MODE
        if not self._reaches_torch() and not self._pins() and not self._follows_loop():
            yield ModeFault.NEVER_SWITCHES
        elif self._forgets_children():
            yield ModeFault.FORGETS_CHILDREN
        elif self._drops_mode():
            yield ModeFault.DROPS_MODE
        if self._returns_nothing():
            yield ModeFault.RETURNS_NOTHING
        elif self.lost_return() is not None:
            yield ModeFault.RETURNS_OTHER
        if not self._is_train and (self.set_by_eval_only() or self._alone_wakes_parts()):
            yield ModeFault.ONLY_EVAL
        yield from self._faults_of_form()

    def _faults_of_form(self) -> Iterator[ModeFault]:
        if not self._is_train or not self._takes_mode() or not self.parameters or self.parameters[0].kind:
            return
        if self.parameters[0].default is None:
            yield ModeFault.NO_DEFAULT
        if self.parameters[0].name != "mode":
            yield ModeFault.RENAMED

    # The mode

    def _takes_mode(self) -> bool:
        """True where train(False) reaches the body as a mode."""
        first = self.parameters[0] if self.parameters else None
        if first is None or first.kind in ("keyword", "**"):
            return False
        return first.kind == "*" or _is_mode(first) or any(self._carries_mode(call) for call in self._switching_calls())

    def _is_other_work(self) -> bool:
        """True for a training or evaluation loop that only has the name: it learns, demands data, or has nothing to do
        with modes."""
        if self._is_train and self._takes_mode():
            return False
        required = [one for one in self.parameters if not one.kind and one.default is None]
        learns = any(last_name(call.callee) in _LEARNING for call in calls_of(self.moments, self.function))
        if required or learns:
            return True
        reaches = self._reaches_torch()
        if self._is_train and not reaches and any(one.kind != "**" for one in self.parameters):
            return True
        touches = reaches or bool(self._switching_calls())
        return not touches and (self._is_train or any(not _is_nothing(one) for one in self.function.returned))

    def _follows_loop(self) -> bool:
        """True for the eval() of a class whose train() is a training loop: torch's own would run it."""
        train = self.module.method("train")
        return not self._is_train and train is not None and _Override(self.module, train)._is_other_work()

    def _switching_calls(self) -> list[Call]:
        """The calls of some train() or eval(), of whatever object, in the override and its helpers."""
        return [
            moment.event.term
            for moment in self.moments
            if isinstance(moment.event, Evaluated)
            and isinstance(moment.event.term, Call)
            and self._is_own(moment)
            and last_name(moment.event.term.callee) in SWITCHES
        ] + [call for call in calls_of((), self.function) if last_name(call.callee) in SWITCHES]

    def _is_own(self, moment: Moment) -> bool:
        """False for what happens in the override of a base."""
        names = [frame.function.name for frame in moment.functions() if frame.function is not self.function]
        return not any(name in SWITCHES for name in names)

    def _reaches_torch(self) -> bool:
        """True where the mode of the object itself is changed: by super(), by the class of a base, by its other mode
        method, or by hand."""
        for moment in self.moments:
            event, frame = moment.event, moment.frame
            if isinstance(event, Write) and event.attribute == "training" and frame.is_self(event.base):
                return True
            if isinstance(event, Evaluated) and isinstance(event.term, Call) and is_passed_up(event.term, frame):
                return True
        return any(is_member(call, self.frame) for call in self._switching_calls())

    def _pins(self) -> bool:
        """True where the mode is ignored on purpose: the body does nothing with the object, or only tells its parts to
        stay in eval mode."""
        calls = self._switching_calls()
        if not self._is_train or any(self._carries_mode(call) for call in calls):
            return False
        return bool(calls) or not any(self._is_work(event) for event in self.function.events)

    def _is_work(self, event: Event) -> bool:
        if isinstance(event, (Write, ItemWrite, Delete)):
            return True
        term = event.term if isinstance(event, Evaluated) else None
        return isinstance(term, Call) and isinstance(term.callee, Attribute) and self.frame.is_self(term.callee.base)

    def _forgets_children(self) -> bool:
        """True where train() sets its own flag, and a child that computes otherwise in evaluation is not told."""
        if not self._is_train or not self._sets_mode_by_hand():
            return False
        state = self.module.state
        children = (name for name in state.names if state.registration(name) is Registration.MODULE)
        told = told_of(self.frame)
        return told is not None and any(name not in told and depends_on_mode(self.module, name) for name in children)

    def _drops_mode(self) -> bool:
        """True where torch's train() is called for training, and never as the mode says."""
        if not self._is_train or not self._takes_mode():
            return False
        up = [m for m in self.moments if self._is_own(m) and up_call(m) is not None]
        if not any(map(self._is_for_training, up)) or self._sets_mode_by_hand():
            return False
        return not any(self._asks_mode(moment) for moment in up)

    def _is_for_training(self, moment: Moment) -> bool:
        call = up_call(moment)
        return call is not None and last_name(call) != "eval" and all(one is True for one in constants(call, moment))

    def _asks_mode(self, moment: Moment) -> bool:
        """True for a switch that is given something, or that the mode decides on."""
        call = up_call(moment)
        is_given = call is not None and None in constants(call, moment)
        guards = moment.guards()
        is_asked = any(mentions_argument(region.subject, 1) for region, frame in guards if frame is self.frame)
        return is_given or is_asked or runs_in_mode(moment) is not None

    def _sets_mode_by_hand(self) -> bool:
        return any(isinstance(m.event, Write) and m.event.attribute == "training" for m in self.moments) or any(
            is_member(call, self.frame) for call in self._switching_calls()
        )

    def _carries_mode(self, call: Call) -> bool:
        """True where the first parameter of the override, or all its arguments, are passed to a call."""
        return any(isinstance(term, Starred) or mentions_argument(term, 1) for term in call.inputs)

    # What is returned

    def _returns_nothing(self) -> bool:
        """True where some way through the body ends without the module: no return, `return None`, or falling off the
        end behind an early return."""
        returned, last = self.function.returned, self.function.events[-1]
        if not returned:
            return not (_raises(last) and not last.guards())
        return (
            any(_is_nothing(one) or self._is_helper_without_result(one.value) for one in returned) or self._falls_off()
        )

    def _is_helper_without_result(self, term: Term) -> bool:
        """True for `return self._switch(mode)` where the helper returns nothing."""
        is_helper = isinstance(term, Call) and not is_passed_up(term, self.frame)
        return is_helper and self.frame.value(term).kind is Kind.NONE

    def _falls_off(self) -> bool:
        last = self.function.events[-1]
        if isinstance(last, Return) or _raises(last):
            return False
        open_ways = {(id(region.subject), region.holds) for region in last.guards()}
        returned = self.function.returned
        return all(one.regions for one in returned) and any(
            (id(region.subject), not region.holds) in open_ways for one in returned for region in one.guards()
        )

    def lost_return(self) -> Return | None:
        """The first return whose value is known to be something else than the module."""
        return next((one for one in self.function.returned if self._is_another(one.value)), None)

    def _is_another(self, term: Term) -> bool:
        if isinstance(term, Choice):
            return all(self._is_another(option) for option in term.options)
        if self.frame.is_self(term) or (isinstance(term, Call) and is_passed_up(term, self.frame)):
            return False
        if isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name in SWITCHES:
            # self.encoder.train(mode) is the encoder.
            part = term.callee.base
            return isinstance(part, Attribute) and self.frame.is_self(part.base)
        value = self.frame.value(term)
        if value.kind is Kind.MODULE:
            return value.made_by != "self" and value.of is not self.module and value.made_by != "annotation"
        return value.kind in (Kind.NUMBER, Kind.TENSOR, Kind.CONTAINER)

    # What eval() alone does

    def set_by_eval_only(self) -> list[str]:
        """The attributes that eval() sets, that another method reads, and that train(False) leaves alone."""
        switching = tuple(moment for moment in self.module.walk("train") if runs_in_mode(moment) is not True)
        names = {
            moment.event.attribute: None
            for moment in self.moments
            if isinstance(moment.event, Write)
            and isinstance(moment.event.attribute, str)
            and moment.frame.is_self(moment.event.base)
            and self._is_own(moment)
        }
        return [
            name
            for name in names
            if name != "training" and self._is_read(name) and not touched_by(switching, name, self.module)
        ]

    def _alone_wakes_parts(self) -> bool:
        """True where eval() puts parts of the module into training mode again, as for Monte Carlo dropout, and
        train(False) leaves them in evaluation."""
        train = self.module.method("train")
        return self._wakes_parts() and (train is None or not _Override(self.module, train)._wakes_parts())

    def _wakes_parts(self) -> bool:
        own = (Moment(event, self.frame) for event in self.function.events)
        entered = (moment for moment in self.moments if self._is_own(moment))
        return any(map(self._wakes_a_part, (*own, *entered)))

    def _wakes_a_part(self, moment: Moment) -> bool:
        event, frame = moment.event, moment.frame
        if isinstance(event, Write):
            is_on = isinstance(event.value, Constant) and event.value.value is True
            return event.attribute == "training" and is_on and not frame.is_self(event.base)
        call = event.term if isinstance(event, Evaluated) else None
        if not isinstance(call, Call) or last_name(call.callee) != "train" or is_passed_up(call, frame):
            return False
        return all(one is True for one in constants(call, moment))

    def _is_read(self, name: str) -> bool:
        return any(moment.frame.method.name not in SWITCHES for moment in self.module.state.reads(name))


def _is_mode(parameter: Parameter) -> bool:
    default, annotation = parameter.default, parameter.annotation
    is_flag = isinstance(default, Constant) and isinstance(default.value, bool)
    return parameter.name in _MODE_NAMES or is_flag or (annotation is not None and last_name(annotation) == "bool")


def _is_nothing(returned: Return) -> bool:
    return isinstance(returned.value, Constant) and returned.value.value is None


def _raises(event: Event) -> bool:
    term = event.term if isinstance(event, Evaluated) else None
    return isinstance(term, Call) and last_name(term.callee).endswith(("Error", "Exception"))


def _is_built_by_neighbour(module: ModuleClass) -> bool:
    """True where a method of another module class of the file names the class to build it."""
    for owner in module.project.modules_in(module.path):
        if owner is module:
            continue
        for method in owner.facts.methods.values():
            if any(_names(event, module) for event in method.events):
                return True
    return False


def _names(event: Event, module: ModuleClass) -> bool:
    term = event.term if isinstance(event, Evaluated) else None
    if not isinstance(term, Call):
        return False
    return any(
        isinstance(part, Global) and last_name(part) == module.name and not isinstance(part, Element)
        for part in (term.callee, *term.inputs)
    )
