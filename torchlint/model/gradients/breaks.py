"""Gradient breaks: places where autograd loses a value that the loss is computed from, and nothing complains."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.knowledge import graphs
from torchlint.model.events import Evaluated, Event, ItemWrite, Write
from torchlint.model.flow.networks import is_loss
from torchlint.model.flow.tested_classes import is_tested_no_tensor
from torchlint.model.flow.timeline import changed_in_place
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, has_self, last_name
from torchlint.model.gradients.asked_leaves import is_silenced
from torchlint.model.gradients.backpropagated import Backpropagation, Broken
from torchlint.model.gradients.cut_leaves import asks_gradients, becomes_leaf
from torchlint.model.gradients.lineage_calls import OF_DISTRIBUTIONS
from torchlint.model.gradients.lineages import Lineages
from torchlint.model.gradients.rebuilt_in_forward import is_leaf_in_forward, is_rebuilt_in_forward
from torchlint.model.names.held_functions import calls_by_any_name
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Choice,
    Constant,
    Display,
    Global,
    Imported,
    Operation,
    Subscript,
    Term,
)
from torchlint.model.values import Kind
from torchlint.model.weights.enumerated import within
from torchlint.model.weights.weights_between import waiting_backward
from torchlint.source import Span

_CASTS = frozenset("long int short byte to type".split())
_INTEGERS = frozenset("long int int64 int32 int16 int8 uint8 short LongTensor IntTensor ByteTensor".split())
_CUTS = frozenset(("detach", "item"))
_ACTIVATIONS = frozenset("sigmoid softmax log_softmax tanh".split())
_PICKS = frozenset("argmax argmin argsort".split())
_PICKS_SECOND = frozenset("max min topk sort".split())


@dataclass(frozen=True, slots=True)
class GradientBreak:
    """A value that autograd loses. kind: "rebuilt", "leaf", "cut", "integer", "written" or "weights".
    operation: what loses it, in words. reached: where the loss is backpropagated, None where that does not matter."""

    kind: str
    span: Span
    operation: str
    reached: Span | None


def gradient_breaks(frame: Frame) -> Iterator[GradientBreak]:
    """The places of a function where a loss loses the gradient of a value."""
    judge: _Judge | None = None
    for event in frame.function.events:
        candidate = _candidate(event, frame)
        if candidate:
            judge = judge or _Judge(frame)
            found = getattr(judge, candidate)(event)
            if found is not None:
                yield found


def _candidate(event: Event, frame: Frame) -> str:
    """Which question an event raises; "" for none."""
    if isinstance(event, (ItemWrite, Write)):
        return "written" if _written_data(event) is not None else ""
    term = event.term if isinstance(event, Evaluated) else None
    if isinstance(term, Attribute):
        return "cut" if term.name == "data" else ""
    if not isinstance(term, Call):
        return ""
    name = last_name(term)
    if isinstance(term.callee, Attribute):
        if changed_in_place(term) is not None:
            return "written" if _written_data(event) is not None else ""
        if name in _CUTS:
            return "cut" if not term.inputs else ""
        if name == "requires_grad_":
            return "leaf"
        return "integer" if _may_be_integer(term, name) else ""
    if isinstance(term.callee, Imported):
        if _is_pick(term):
            return "integer" if term.callee.name.startswith("torch.") else ""
        is_rebuilt = name in graphs.REBUILDS or (name == "Variable" and term.keyword("requires_grad") is not None)
        return "rebuilt" if is_rebuilt and term.arguments and term.callee.name.startswith("torch") else ""
    return "cut" if isinstance(term.callee, Global) and name == "float" and len(term.arguments) == 1 else ""


def _written_data(event: Event) -> Term | None:
    """The tensor whose data an event writes in place: x of x.data.clamp_(..), x.data[i] = .., x.data *= .."""
    if isinstance(event, Write):
        return event.base if event.attribute == "data" else None
    target: Term | None = None
    if isinstance(event, ItemWrite):
        target = event.base
    elif isinstance(event, Evaluated) and isinstance(event.term, Call):
        target = changed_in_place(event.term)
    while isinstance(target, Subscript):
        target = target.base
    return target.base if isinstance(target, Attribute) and target.name == "data" else None


class _Judge:
    """Answers the questions of one function."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._lineages = Lineages(frame)
        self._flow = Backpropagation(self._lineages)

    def rebuilt(self, event: Evaluated) -> GradientBreak | None:
        """torch.tensor(..) of recorded values."""
        call = event.term
        assert isinstance(call, Call)
        given = call.keyword("requires_grad")
        is_leaf = isinstance(given, Constant) and given.value is True
        if last_name(call) in ("as_tensor", "asarray") and not _is_list(call.arguments[0]):
            return None
        parts = call.arguments[0].parts if isinstance(call.arguments[0], Display) else call.arguments[:1]
        moment = self._lineages.scene.moment(event)
        if all(isinstance(part, Constant) or is_tested_no_tensor(part, moment) for part in parts):
            return None
        is_recorded, name = self._is_recorded(call.arguments[0]), self._lineages.of(call.arguments[0]).name
        if is_silenced(call, self._frame.function) and not self._frame.value(call.arguments[0]).is_tensor:
            return self._found("rebuilt", call, f"{_dotted(call)}()", None)
        is_returned = is_rebuilt_in_forward(call, event, self._lineages)
        if not is_recorded and not is_returned:
            return None
        losses = any(isinstance(one, Call) and is_loss(one.callee, self._frame) for one in within(call.arguments[0]))
        broken = Broken(call, call.arguments[0], is_objective=name in OF_DISTRIBUTIONS, is_loss=losses)
        reached = self._flow.reached_by(broken)
        if reached is None and is_returned:
            return self._found("leaf" if is_leaf else "rebuilt", call, f"{_dotted(call)}()", None)
        if reached is None or not is_recorded or self._lineages.is_off(event):
            return None
        if last_name(call) == "Variable" and asks_gradients(self._frame.function):
            return None
        return self._found("leaf" if is_leaf else "rebuilt", call, f"{_dotted(call)}()", reached)

    def leaf(self, event: Evaluated) -> GradientBreak | None:
        """x.detach().requires_grad_() in place of an output."""
        call = event.term
        if not isinstance(call, Call) or not is_leaf_in_forward(call, event, self._lineages):
            return None
        return self._found("leaf", call, "requires_grad_()", None)

    def cut(self, event: Evaluated) -> GradientBreak | None:
        """x.detach(), x.data, x.item(), float(x), and then a sum that is backpropagated."""
        term = event.term
        base = _base(term)
        if base is None or (last_name(term) != "item" and not isinstance(term, Call) and self._is_written(term)):
            return None
        is_number = isinstance(term, Call) and last_name(term) in ("item", "float")
        if not is_number and event.guards():
            return None
        # Nobody detaches what has no graph.
        is_cut_off = isinstance(term, Call) and last_name(term) == "detach"
        if not self._is_recorded(base, or_unknown=is_cut_off) or self._has_its_own_pass(base):
            return None
        reached = self._flow.reached_by(Broken(term, base, adds=True, by_name=False, is_cut_off=is_cut_off))
        if reached is None or becomes_leaf(term, self._lineages) or self._lineages.is_off(event):
            return None
        name = last_name(term)
        return self._found("cut", term, "data" if name == "data" else f"{name}()", reached)

    def _has_its_own_pass(self, base: Term) -> bool:
        """True for a loss that is backpropagated by itself."""
        parents = parents_in(self._frame.function)
        options = base.options if isinstance(base, Choice) else ()
        readers = (reader for one in (base, *options) for reader in parents.get(id(one), ()))
        return any(isinstance(one, Attribute) and one.name == "backward" for one in readers)

    def _is_written(self, term: Term) -> bool:
        parents = parents_in(self._frame.function).get(id(term), ())
        return any(isinstance(one, ItemWrite) and one.base is term for one in parents)

    def integer(self, event: Evaluated) -> GradientBreak | None:
        """x.long() or x.argmax() of a recorded value, and then arithmetic up to the loss."""
        call = event.term
        assert isinstance(call, Call)
        name = last_name(call)
        if name in ("to", "type") and not self._gives_integers(call):
            return None
        base = call.callee.base if isinstance(call.callee, Attribute) else call.arguments[0]
        is_cast = name in _CASTS
        is_recorded = self._is_recorded(base)
        if self._frame.value(base).is_integral or not (is_recorded or (is_cast and self._may_be_recorded(base))):
            return None
        if self._is_leaf_of_its_own(base):
            return None
        slot = 1 if name in _PICKS_SECOND else None
        is_open = not is_recorded and not _is_activated(base)
        is_always_cast = is_cast and not event.guards()
        broken = Broken(call, base, by_name=is_cast, slot=slot, is_cast=is_always_cast, is_open=is_open)
        reached = self._flow.reached_by(broken)
        if reached is None or self._lineages.is_off(event):
            return None
        return self._found("integer", call, f"{name}()", reached)

    def _is_leaf_of_its_own(self, base: Term) -> bool:
        """True for zeros(.., requires_grad=True) that nothing but the cast takes: nobody can train it."""
        is_made = isinstance(base, Call) and isinstance(base.callee, Imported) and last_name(base) in graphs.FACTORIES
        return is_made and len(parents_in(self._frame.function).get(id(base), ())) == 1

    def _gives_integers(self, call: Call) -> bool:
        """True for x.to(torch.int64), and for x.to(kind) of a parameter that is torch.int64 by its default."""
        if self._frame.value(call).is_integral:
            return True
        parameters = self._frame.function.parameters
        taken = [term.index for term in call.inputs if isinstance(term, Argument) and term.index < len(parameters)]
        given = [parameters[index].default for index in taken]
        values = [self._frame.value(one) for one in given if one is not None]
        return any(one.made_by == "dtype" and one.dtype in _INTEGERS for one in values)

    def written(self, event: Event) -> GradientBreak | None:
        """A write through data into a value that an operation has kept for the backward pass."""
        term = _written_data(event)
        if term is None:
            return None
        place = event.term.place if isinstance(event, Evaluated) else event.place  # type: ignore[attr-defined]
        reached = waiting_backward(event, self._frame)
        if reached is not None:
            return GradientBreak("weights", self._frame.span(place), "", reached)
        if self._frame.value(term).kind in (Kind.PARAMETER, Kind.BUFFER, Kind.MODULE):
            return None
        if isinstance(term, Argument) and not self._frame.is_self(term):
            kept = self._kept_by_callers(term)
        else:
            kept = self._kept_by(term, event) if self._lineages.of(term).recorded else ""
        if not kept:
            return None
        return GradientBreak("written", self._frame.span(place), kept, None)

    def _kept_by_callers(self, argument: Argument) -> str:
        """The operation that keeps what a caller passes for a parameter; "" for none."""
        function = self._frame.function
        for moment in calls_by_any_name(self._frame):
            event = moment.event
            call = event.term if isinstance(event, Evaluated) else None
            if not isinstance(call, Call) or not isinstance(event, Evaluated):
                continue
            is_bound = has_self(function) and isinstance(call.callee, Attribute)
            given = call.argument(argument.index - int(is_bound), argument.name)
            caller = _Judge(moment.frame)
            kept = caller._kept_by(given, event) if given is not None and caller._is_recorded(given) else ""
            if kept and not caller._lineages.is_off(event):
                return kept
        return ""

    def _kept_by(self, term: Term, event: Event) -> str:
        """The operation that keeps the value: the one that made it, or one that took it before; "" for none."""
        if isinstance(term, Call):
            made = last_name(term)
            layer = self._frame.value(term.callee)
            is_layer = (
                layer.kind is Kind.MODULE and (layer.made_by or "").rpartition(".")[2] in graphs.SAVES_RESULT_LAYERS
            )
            if made in graphs.SAVES_RESULT or is_layer:
                return made or "the layer"
        elif not isinstance(term, Operation):
            return ""
        for earlier in self._frame.function.events:
            if earlier is event:
                break
            call = earlier.term if isinstance(earlier, Evaluated) else None
            if isinstance(call, Call) and last_name(call) in graphs.SAVES_INPUT and any(x is term for x in call.inputs):
                return last_name(call)
        return ""

    def _is_recorded(self, base: Term, *, or_unknown: bool = False) -> bool:
        """True for what surely comes from a network. Asked first, since most values do not, and the way to a loss may
        be long. or_unknown: also for what nobody knows."""
        return self._lineages.of(base).recorded is True or (or_unknown and self._may_be_recorded(base))

    def _may_be_recorded(self, base: Term) -> bool:
        known = self._lineages.of(base)
        return known.recorded is None and not known.is_python

    def _found(self, kind: str, term: Term, operation: str, reached: Span | None) -> GradientBreak:
        return GradientBreak(kind, self._frame.span(term.place), operation, reached)


def _may_be_integer(call: Call, name: str) -> bool:
    """A cast to integers, as far as its words say, or a choice of positions."""
    if name in ("to", "type"):
        return any(last_name(one) in _INTEGERS or isinstance(one, (Argument, Constant)) for one in call.inputs)
    return name in _CASTS or _is_pick(call)


def _is_pick(call: Call) -> bool:
    """argmax(x), and max(x, 1), of which the second is."""
    name, is_method = last_name(call), isinstance(call.callee, Attribute)
    if name in _PICKS:
        return is_method or bool(call.arguments)
    dimension = call.argument(0 if is_method else 1, "dim")
    return name in _PICKS_SECOND and isinstance(dimension, Constant) and (is_method or bool(call.arguments))


def _base(term: Term) -> Term | None:
    """The value that a cut takes: x of x.detach(), x.data, float(x)."""
    if isinstance(term, Attribute):
        return term.base
    if isinstance(term, Call):
        return term.callee.base if isinstance(term.callee, Attribute) else term.arguments[0]
    return None


def _is_activated(term: Term) -> bool:
    """True for what was made of sigmoid(x) and its like: scores of a network."""
    return any(isinstance(part, Call) and last_name(part) in _ACTIVATIONS for part in within(term, 60))


def _is_list(term: Term) -> bool:
    if isinstance(term, Call) and isinstance(term.callee, Global) and last_name(term) in ("list", "tuple", "sorted"):
        return True
    return isinstance(term, (Display, Choice)) or not isinstance(term, (Call, Operation))


def _dotted(call: Call) -> str:
    return call.callee.name if isinstance(call.callee, Imported) else last_name(call)
