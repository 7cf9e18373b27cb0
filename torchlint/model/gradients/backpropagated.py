"""Backpropagated: whether what is computed from a value is differentiated, here, in a helper, in a caller, or by the
framework that gets a loss."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from torchlint.knowledge import graphs
from torchlint.knowledge.lookup import index_arguments, is_metadata, is_only_of_tensors
from torchlint.model.events import Evaluated, ItemWrite, Return, Write
from torchlint.model.flow.networks import is_coefficient, is_loss, network_run
from torchlint.model.flow.uses import Parent, parents_in
from torchlint.model.frames import Frame, last_name
from torchlint.model.gradients.lineages import Lineages
from torchlint.model.gradients.loss_carriers import (
    Carrier,
    given_at,
    into_helper,
    kept,
    key_of,
    position_of,
    stored,
    through,
)
from torchlint.model.gradients.off import records_nothing
from torchlint.model.gradients.recording import is_quiet
from torchlint.model.gradients.sums import cancels, is_given, is_only_use, is_weight, runs_on
from torchlint.model.names.held_functions import calls_by_any_name
from torchlint.model.names.names import External
from torchlint.model.terms import (
    Attribute,
    Call,
    Constant,
    Global,
    Imported,
    Operation,
    Term,
)
from torchlint.model.weights.aliases import function_called
from torchlint.source import Span

_MAX_STEPS = 400
_PUTS = frozenset("append extend insert add".split())
_PASSES = frozenset("list tuple sum max min abs sorted reversed iter next zip enumerate".split())
# What keeps a sum a sum.
_LINEAR = frozenset(
    """
    mean sum stack cat view reshape squeeze unsqueeze neg float to cuda cpu double half mul div add sub item detach data
    tensor as_tensor from_numpy Tensor FloatTensor Variable scale scale_loss append list tuple numpy type expand
    """.split()
)
# What makes shares of values: they weigh a sum, and are no term of it.
_SHARES = frozenset(("softmax", "softmin", "normalize"))
_COMBINES = frozenset("add sub mul div add_ sub_ mul_ div_ matmul mm bmm dot where".split())
_PREDICTIONS = frozenset("input inputs pred preds prediction predictions output outputs logits x y_pred y_hat".split())


@dataclass(frozen=True, slots=True)
class Broken:
    """A value that autograd lost. term: what is followed. base: the value before. adds: only the way through sums
    counts: anything else that a number does to a loss is a weight. by_name: a function that is called a loss gives one
    to be backpropagated. is_objective: it is no weight of anything: a log probability, an entropy. slot: where in
    `term` it is, where that is a tuple. is_cast: integers were made of it. is_loss: it is a loss already.
    is_cut_off: it was detached, and is a tensor still. is_open: nobody knows whether it was recorded; only a loss of
    the same file counts then, which takes it as a floating number again."""

    term: Term
    base: Term
    adds: bool = False
    by_name: bool = True
    is_objective: bool = False
    slot: object = None
    is_cast: bool = False
    is_loss: bool = False
    is_cut_off: bool = False
    is_open: bool = False


class Backpropagation:
    """Follows values of one function to the place where they are backpropagated."""

    def __init__(self, lineages: Lineages) -> None:
        self._lineages = lineages

    def reached_by(self, broken: Broken) -> Span | None:
        """Where a loss that is computed from the value is backpropagated; None where none is known."""
        waiting = [Carrier(broken.term, self._lineages.scene.frame, broken.base, broken.slot, is_loss=broken.is_loss)]
        seen: set[tuple[int, int, object, bool]] = set()
        while waiting and len(seen) < _MAX_STEPS:
            one = waiting.pop()
            key = (id(one.frame), id(one.term), one.slot, one.is_floating)
            if key in seen:
                continue
            seen.add(key)
            for parent in parents_in(one.frame.function).get(id(one.term), ()):
                for step in self._steps(one, parent, broken):
                    if not isinstance(step, Span):
                        waiting.append(step)
                    elif not broken.is_open or (one.is_floating and step.path == self._lineages.scene.frame.path):
                        return step
        return None

    def _steps(self, one: Carrier, parent: Parent, broken: Broken) -> Iterator[Carrier | Span]:
        if isinstance(parent, Return):
            yield from self._returned(one, parent, broken)
        elif isinstance(parent, Write):
            yield from stored(one, parent)
        elif isinstance(parent, ItemWrite):
            # What is written into a table of integers is a label.
            if parent.value is one.term and not broken.is_open:
                yield from kept(one, parent.base, key_of(parent.index))
        elif isinstance(parent, Attribute):
            yield from self._by_method(one, parent, broken)
        elif isinstance(parent, Call):
            if parent.callee is not one.term:
                yield from self._into_call(one, parent, broken)
        elif isinstance(parent, Operation):
            if self._passes(one, parent, broken):
                yield self._joined(one, parent, broken)
        else:
            yield from through(one, parent)

    def _returned(self, one: Carrier, event: Return, broken: Broken) -> Iterator[Carrier | Span]:
        frame, function = one.frame, one.frame.function
        if one.calls:
            call, caller = one.calls[-1]
            yield replace(one, term=call, frame=caller, calls=one.calls[:-1])
            return
        if is_quiet(function) or graphs.MEASURES.fullmatch(function.name):
            return
        if self._is_loss_there(one, broken):
            yield frame.span(event.place)
        if not one.callers:
            return
        for moment in calls_by_any_name(frame):
            if isinstance(moment.event, Evaluated) and not records_nothing(moment):
                base = given_at(moment.event.term, one)
                yield replace(one, term=moment.event.term, frame=moment.frame, base=base, callers=one.callers - 1)

    def _is_loss_there(self, one: Carrier, broken: Broken) -> bool:
        """True where a function returns a loss: by its name, by what the value was added to, and in a forward pass by
        what judged it, or by the layer that nothing else trains."""
        is_term = broken.by_name or one.joined or (broken.is_cut_off and one.mixed)
        if _is_loss_slot(one.slot) and ((is_term and _gives_loss(one.frame)) or (one.is_loss and one.joined)):
            return True
        if not _is_forward(one.frame):
            return False
        is_of_layer = broken.is_cast and self._recorded(one.base, one.frame) is True
        return one.is_loss or (is_of_layer and is_only_use(one.base, one.frame))

    def _by_method(self, one: Carrier, attribute: Attribute, broken: Broken) -> Iterator[Carrier | Span]:
        name = attribute.name
        calls = [p for p in parents_in(one.frame.function).get(id(attribute), ()) if isinstance(p, Call)]
        calls = [call for call in calls if call.callee is attribute]
        if name == "backward" and calls and not is_quiet(one.frame.function):
            if not _is_of_pair(one):
                yield one.frame.span(calls[0].place)
            return
        cuts = name in graphs.DETACHING or name in graphs.TO_PYTHON
        if cuts and not broken.adds:
            return
        if name in graphs.UNRECORDED or (is_metadata(name) and not cuts):
            return
        if (one.mixed and name not in _LINEAR) or (broken.adds and name in _SHARES):
            return
        if name in ("T", "mT", "data"):
            yield one.next(attribute)
        for call in calls:
            following = one.next(call, 1 if name == "items" else one.slot)
            is_cast = name in ("float", "double", "to", "type") and one.frame.value(call).is_floating
            yield replace(following, is_floating=True) if is_cast else following

    def _passes(self, one: Carrier, operation: Operation, broken: Broken) -> bool:
        """True where an operator hands the value on to a loss for which its gradient would have counted."""
        others = [part for part in operation.parts if part is not one.term]
        operator = graphs.plain(operation.operator)
        if operator in ("and", "or", "await", "enter"):
            return True
        if operator not in graphs.ARITHMETIC:
            return len(operation.parts) == 1 and operator not in graphs.COMPARES
        if operator in ("+", "-"):
            is_beside = any(cancels(other, broken.term, one.base, one.frame) for other in others)
            return not is_beside and not self._is_baseline(one, operation, broken)
        if broken.is_objective:
            return True
        known = [self._recorded(other, one.frame) for other in others]
        if broken.adds:
            pairs = zip(others, known, strict=True)
            is_linear = operation.parts[0] is one.term if operator == "/" else not one.mixed or operator != "**"
            return is_linear and all(
                recorded is False or (recorded is None and is_weight(other, one.frame)) for other, recorded in pairs
            )
        return True not in known

    def _joined(self, one: Carrier, operation: Operation, broken: Broken) -> Carrier:
        """The carrier after an operator."""
        if graphs.plain(operation.operator) not in ("+", "-"):
            return one.next(operation)
        others = [part for part in operation.parts if part is not one.term]
        known = [self._recorded(part, one.frame) for part in others]
        pairs = zip(others, known, strict=True)
        mixed = broken.adds and any(it or (it is None and not is_coefficient(part, one.frame)) for part, it in pairs)
        beside_loss = any(isinstance(part, Call) and is_loss(part.callee, one.frame) for part in others)
        return replace(
            one,
            term=operation,
            slot=None,
            joined=one.joined or True in known,
            mixed=one.mixed or mixed,
            is_loss=one.is_loss or beside_loss,
        )

    def _is_baseline(self, one: Carrier, operation: Operation, broken: Broken) -> bool:
        """True for new - old: what is subtracted from a recorded value is a constant by intention; so is the cut value
        that is subtracted from what may never have been recorded: returns - value.detach() weighs something else."""
        is_minus = graphs.plain(operation.operator) == "-" and len(operation.parts) == 2
        left = operation.parts[0]
        if not is_minus or operation.parts[1] is not one.term or isinstance(left, Constant):
            return False
        if not broken.adds:
            return self._recorded(left, one.frame) is True
        return self._recorded(left, one.frame) is not True and not runs_on(left, operation)

    def _recorded(self, term: Term, frame: Frame) -> bool | None:
        lineages = self._lineages if frame is self._lineages.scene.frame else Lineages(frame)
        return lineages.of(term).recorded

    # Calls

    def _into_call(self, one: Carrier, call: Call, broken: Broken) -> Iterator[Carrier | Span]:
        frame, name, callee = one.frame, last_name(call), call.callee
        position = position_of(one.term, call)
        if isinstance(callee, Attribute) and name in _PUTS and not isinstance(callee.base, Imported):
            yield from kept(one, callee.base, None)
        elif _differentiates(call, position):
            if not (isinstance(callee, Attribute) and _is_of_pair(one)):
                yield frame.span(call.place)
        elif name == "scale" and _is_of_pair(one):
            return
        elif name in ("scale", "scale_loss", "Variable", "checkpoint", "get_loss_value", "reduce_mean"):
            yield one.next(call)
        elif (
            network_run(call, frame) is not None
            or (one.mixed and isinstance(callee, Imported) and name not in _LINEAR)
            or (broken.adds and name in _SHARES)
        ):
            return
        elif (target := function_called(call, frame)) is not None:
            if not broken.adds or self._is_alone(call, one):
                yield from into_helper(one, call, target, position)
        elif is_loss(callee, frame):
            if not one.mixed and self._is_prediction(call, position, one, broken):
                yield replace(one, term=call, slot=None, is_loss=True)
        elif isinstance(callee, Global):
            if name in _PASSES or (name == "float" and broken.adds):
                yield one.next(call, {"zip": position, "enumerate": 1}.get(name, one.slot))
        elif isinstance(callee, Imported):
            if self._passes_function(call, position, frame, broken):
                yield one.next(call)
        elif isinstance(callee, Attribute) and _takes_operand(name, position):
            yield one.next(call)

    def _is_prediction(self, call: Call, position: int | str, one: Carrier, broken: Broken) -> bool:
        """True where a loss gets the value as what it judges, not as the target."""
        if position != 0 and position not in _PREDICTIONS:
            return False
        if broken.adds:
            return self._is_alone(call, one)
        return not any(self._recorded(other, one.frame) for other in call.inputs if other is not one.term)

    def _is_alone(self, call: Call, one: Carrier) -> bool:
        """True where nothing else that a call gets may have a graph: the value is no target of another one."""
        known = [(other, self._recorded(other, one.frame)) for other in call.inputs if other is not one.term]
        is_data = not _is_forward(one.frame)
        return all(recorded is False or (is_data and is_given(other)) for other, recorded in known)

    def _passes_function(self, call: Call, position: int | str, frame: Frame, broken: Broken) -> bool:
        assert isinstance(call.callee, Imported)
        found = frame.evaluator.project.names.of_term(call.callee, frame.path)
        path = found.name if isinstance(found, External) else call.callee.name
        name = path.rpartition(".")[2]
        if path.startswith("numpy") or name in graphs.REBUILDS or name == "from_numpy":
            return broken.adds
        if not path.startswith("torch.") or name in graphs.UNRECORDED or name in graphs.FACTORIES:
            return False
        return not _is_index(path, position) and not (name == "where" and position == 0)


def _is_of_pair(one: Carrier) -> bool:
    """True for a tuple that holds the value: it has no backward(), and no scaler takes it. Where one of several returns
    of a function gives a pair, another one gave what is used so."""
    return isinstance(one.slot, int)


def _differentiates(call: Call, position: int | str) -> bool:
    """accelerator.backward(loss), torch.autograd.grad(loss, ..), net.training_step(loss=loss)."""
    name = last_name(call)
    if graphs.BACKPROPAGATES.fullmatch(name):
        return position == 0 or (isinstance(position, str) and "loss" in position) or position == "tensors"
    return name == "grad" and position in (0, "outputs") and isinstance(call.callee, Imported)


def _is_index(name: str, position: int | str) -> bool:
    return any(position in place for place in index_arguments(name))


def _takes_operand(method: str, position: int | str) -> bool:
    """True for a method of a tensor that computes with what it gets at a position."""
    computes = method in _COMBINES or is_only_of_tensors(method)
    return computes and method not in graphs.UNRECORDED and not _is_index(f"Tensor.{method}", position)


def _is_loss_slot(slot: object) -> bool:
    return slot in (None, 0) or (isinstance(slot, str) and "loss" in slot.lower())


def _gives_loss(frame: Frame) -> bool:
    """True for a function whose result somebody backpropagates, by its name or as the forward of a loss."""
    function = frame.function
    if graphs.GIVES_LOSS.fullmatch(function.name):
        return True
    view = frame.view if function.name in ("forward", "__call__") else None
    return view is not None and bool(graphs.LOSS_NAME.fullmatch(view.outline.name))


def _is_forward(frame: Frame) -> bool:
    """True for the forward pass of a module that measures nothing: a loss in it is there to be backpropagated."""
    view = frame.view if frame.function.name in ("forward", "__call__") else None
    return view is not None and view.is_module and not graphs.MEASURES.fullmatch(view.outline.name.lower())
