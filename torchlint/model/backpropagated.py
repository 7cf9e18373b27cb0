"""Backpropagated: whether what is computed from a value is differentiated, here, in a helper, in a caller, or by the
framework that gets a loss."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from torchlint.knowledge import graphs
from torchlint.knowledge.lookup import index_arguments, is_metadata, is_only_of_tensors
from torchlint.model.aliases import function_called
from torchlint.model.enumerated import within
from torchlint.model.events import Evaluated, ItemWrite, Return, Write
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, has_self, last_name
from torchlint.model.gradients_off import records_nothing
from torchlint.model.held_functions import calls_by_any_name
from torchlint.model.lineages import Lineages
from torchlint.model.names import External
from torchlint.model.networks import is_coefficient, is_loss, network_run
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Choice,
    Comprehension,
    Constant,
    Display,
    Element,
    Global,
    Imported,
    Item,
    Operation,
    Starred,
    Subscript,
    Term,
    children,
)
from torchlint.model.uses import Parent, parents_in
from torchlint.source import Span

_MAX_STEPS = 400
_CALLERS = 2
_HELPERS = 2
_PUTS = frozenset("append extend insert add".split())
_PASSES = frozenset("list tuple sum max min abs sorted reversed iter next zip enumerate".split())
# What keeps a sum a sum.
_LINEAR = frozenset(
    """
    mean sum stack cat view reshape squeeze unsqueeze neg float to cuda cpu double half mul div add sub item detach data
    tensor as_tensor from_numpy Tensor FloatTensor Variable scale scale_loss append list tuple numpy type expand
    """.split()
)
_COMBINES = frozenset("add sub mul div add_ sub_ mul_ div_ matmul mm bmm dot where".split())
_PREDICTIONS = frozenset("input inputs pred preds prediction predictions output outputs logits x y_pred y_hat".split())


@dataclass(frozen=True, slots=True)
class Broken:
    """A value that autograd lost. term: what is followed. base: the value before. adds: only the way through sums
    counts: anything else that a number does to a loss is a weight. by_name: a function that is called a loss gives one
    to be backpropagated. is_objective: it is no weight of anything: a log probability, an entropy. slot: where in
    `term` it is, where that is a tuple."""

    term: Term
    base: Term
    adds: bool = False
    by_name: bool = True
    is_objective: bool = False
    slot: object = None


@dataclass(frozen=True, slots=True)
class _Carrier:
    """A term that is computed from the value. base: the value before, in the same function. slot: its place in a tuple
    or its key in a dict. calls: the calls that led into its function. joined: a recorded value was added on the way, so
    this is a loss and no statistic. mixed: something that may be recorded was."""

    term: Term
    frame: Frame
    base: Term
    slot: object = None
    calls: tuple[tuple[Call, Frame], ...] = ()
    callers: int = _CALLERS
    joined: bool = False
    mixed: bool = False

    def next(self, term: Term, slot: object = None) -> _Carrier:
        return replace(self, term=term, slot=slot)


class Backpropagation:
    """Follows values of one function to the place where they are backpropagated."""

    def __init__(self, lineages: Lineages) -> None:
        self._lineages = lineages

    def reached_by(self, broken: Broken) -> Span | None:
        """Where a loss that is computed from the value is backpropagated; None where none is known."""
        waiting = [_Carrier(broken.term, self._lineages.scene.frame, broken.base, broken.slot)]
        seen: set[tuple[int, int]] = set()
        while waiting and len(seen) < _MAX_STEPS:
            one = waiting.pop()
            if (id(one.frame), id(one.term)) in seen:
                continue
            seen.add((id(one.frame), id(one.term)))
            for parent in parents_in(one.frame.function).get(id(one.term), ()):
                for step in self._steps(one, parent, broken):
                    if isinstance(step, Span):
                        return step
                    waiting.append(step)
        return None

    def _steps(self, one: _Carrier, parent: Parent, broken: Broken) -> Iterator[_Carrier | Span]:
        if isinstance(parent, Return):
            yield from self._returned(one, parent, broken)
        elif isinstance(parent, Write):
            yield from _stored(one, parent)
        elif isinstance(parent, ItemWrite):
            if parent.value is one.term:
                yield one.next(parent.base, _key(parent.index))
        elif isinstance(parent, Attribute):
            yield from self._by_method(one, parent, broken)
        elif isinstance(parent, Call):
            if parent.callee is not one.term:
                yield from self._into_call(one, parent, broken)
        elif isinstance(parent, Operation):
            if self._passes(one, parent, broken):
                yield self._joined(one, parent, broken)
        else:
            yield from _through(one, parent)

    def _returned(self, one: _Carrier, event: Return, broken: Broken) -> Iterator[_Carrier | Span]:
        frame, function = one.frame, one.frame.function
        if one.calls:
            call, caller = one.calls[-1]
            yield replace(one, term=call, frame=caller, calls=one.calls[:-1])
            return
        if _is_quiet(function) or graphs.MEASURES.fullmatch(function.name):
            return
        if (broken.by_name or one.joined) and _is_loss_slot(one.slot) and _gives_loss(frame):
            yield frame.span(event.place)
        if not one.callers:
            return
        for moment in calls_by_any_name(frame):
            if isinstance(moment.event, Evaluated) and not records_nothing(moment):
                base = _given_at(moment.event.term, one)
                yield replace(one, term=moment.event.term, frame=moment.frame, base=base, callers=one.callers - 1)

    def _by_method(self, one: _Carrier, attribute: Attribute, broken: Broken) -> Iterator[_Carrier | Span]:
        name = attribute.name
        calls = [p for p in parents_in(one.frame.function).get(id(attribute), ()) if isinstance(p, Call)]
        calls = [call for call in calls if call.callee is attribute]
        if name == "backward" and calls and not _is_quiet(one.frame.function):
            yield one.frame.span(calls[0].place)
            return
        cuts = name in graphs.DETACHING or name in graphs.TO_PYTHON
        if cuts and not broken.adds:
            return
        if name in graphs.UNRECORDED or (is_metadata(name) and not cuts):
            return
        if one.mixed and name not in _LINEAR:
            return
        if name in ("T", "mT", "data"):
            yield one.next(attribute)
        for call in calls:
            yield one.next(call, 1 if name == "items" else one.slot)

    def _passes(self, one: _Carrier, operation: Operation, broken: Broken) -> bool:
        """True where an operator hands the value on to a loss for which its gradient would have counted."""
        others = [part for part in operation.parts if part is not one.term]
        operator = graphs.plain(operation.operator)
        if operator in ("and", "or", "await", "enter"):
            return True
        if operator not in graphs.ARITHMETIC:
            return len(operation.parts) == 1 and operator not in graphs.COMPARES
        if operator in ("+", "-"):
            return not any(_cancels(other, one, broken) for other in others) and not self._is_baseline(
                one, operation, broken
            )
        if broken.is_objective:
            return True
        known = [self._recorded(other, one.frame) for other in others]
        if broken.adds:
            pairs = zip(others, known, strict=True)
            known = [False if is_coefficient(other, one.frame) else recorded for other, recorded in pairs]
            return all(recorded is False for recorded in known) and (operator != "/" or operation.parts[0] is one.term)
        return True not in known

    def _joined(self, one: _Carrier, operation: Operation, broken: Broken) -> _Carrier:
        """The carrier after an operator."""
        if not broken.adds or graphs.plain(operation.operator) not in ("+", "-"):
            return one.next(operation)
        known = [self._recorded(part, one.frame) for part in operation.parts if part is not one.term]
        mixed = any(recorded is not False for recorded in known)
        return replace(one, term=operation, slot=None, joined=one.joined or True in known, mixed=one.mixed or mixed)

    def _is_baseline(self, one: _Carrier, operation: Operation, broken: Broken) -> bool:
        """True for new - old: what is subtracted from a recorded value is a constant by intention; so is the cut value
        that is subtracted from what was never recorded: returns - value.detach() weighs something else."""
        is_right = (
            graphs.plain(operation.operator) == "-" and len(operation.parts) == 2 and operation.parts[1] is one.term
        )
        left = operation.parts[0]
        return is_right and not isinstance(left, Constant) and self._recorded(left, one.frame) is (not broken.adds)

    def _recorded(self, term: Term, frame: Frame) -> bool | None:
        lineages = self._lineages if frame is self._lineages.scene.frame else Lineages(frame)
        return lineages.of(term).recorded

    # Calls

    def _into_call(self, one: _Carrier, call: Call, broken: Broken) -> Iterator[_Carrier | Span]:
        frame, name, callee = one.frame, last_name(call), call.callee
        position = _position(one.term, call)
        if isinstance(callee, Attribute) and name in _PUTS and not isinstance(callee.base, Imported):
            yield one.next(callee.base)
        elif _differentiates(call, position):
            yield frame.span(call.place)
        elif name in ("scale", "scale_loss", "Variable", "checkpoint", "get_loss_value", "reduce_mean"):
            yield one.next(call)
        elif network_run(call, frame) is not None or (
            one.mixed and isinstance(callee, Imported) and name not in _LINEAR
        ):
            return
        elif (target := function_called(call, frame)) is not None:
            yield from _into_helper(one, call, target, position)
        elif is_loss(callee, frame):
            if not one.mixed and self._is_prediction(call, position, one, broken):
                yield one.next(call)
        elif isinstance(callee, Global):
            if name in _PASSES or (name == "float" and broken.adds):
                yield one.next(call, {"zip": position, "enumerate": 1}.get(name, one.slot))
        elif isinstance(callee, Imported):
            if self._passes_function(call, position, frame, broken):
                yield one.next(call)
        elif isinstance(callee, Attribute) and _takes_operand(name, position):
            yield one.next(call)

    def _is_prediction(self, call: Call, position: int | str, one: _Carrier, broken: Broken) -> bool:
        """True where a loss gets the value as what it judges, not as the target."""
        if position != 0 and position not in _PREDICTIONS:
            return False
        others = [term for term in call.inputs if term is not one.term]
        if not broken.adds:
            return not any(self._recorded(other, one.frame) for other in others)
        return all(self._recorded(other, one.frame) is False or _is_given(other) for other in others)

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


def _through(one: _Carrier, parent: Parent) -> Iterator[_Carrier]:
    """Containers, their elements, and branches."""
    if isinstance(parent, Subscript):
        if parent.base is one.term and one.slot in (None, _key(parent.index)):
            yield one.next(parent)
    elif isinstance(parent, Item):
        if one.slot is None or one.slot == parent.index:
            yield one.next(parent)
    elif isinstance(parent, Display):
        at = next(index for index, part in enumerate(parent.parts) if part is one.term)
        key = _key(parent.keys[at]) if parent.kind == "dict" and at < len(parent.keys) else at
        yield one.next(parent, key if parent.kind in ("tuple", "dict") else None)
    elif isinstance(parent, (Choice, Element, Starred, Comprehension)):
        yield one.next(parent, one.slot)


def _stored(one: _Carrier, event: Write) -> Iterator[_Carrier]:
    """The reads of an attribute of the object that holds the value."""
    view = one.frame.view
    if view is None or not one.frame.is_self(event.base) or not isinstance(event.attribute, str):
        return
    for moment in view.state.reads(event.attribute):
        if isinstance(moment.event, Evaluated):
            yield replace(one, term=moment.event.term, frame=moment.frame, calls=())


def _into_helper(one: _Carrier, call: Call, target: Frame, position: int | str) -> Iterator[_Carrier]:
    """The parameter of a function of the project that stands for the value."""
    function = target.function
    if len(one.calls) >= _HELPERS or function is one.frame.function or _is_quiet(function):
        return
    is_bound = has_self(function) and (isinstance(call.callee, Attribute) or function.name == "forward")
    names = [parameter.name for parameter in function.parameters]
    index = position + is_bound if isinstance(position, int) else -1
    if isinstance(position, str) and position in names:
        index = names.index(position)
    for argument in arguments_of(function, index):
        yield _Carrier(argument, target, one.base, None, (*one.calls, (call, one.frame)), one.callers, one.joined)


def arguments_of(function: Function, index: int) -> list[Argument]:
    """The terms of a function that stand for one of its parameters."""
    known: dict[int, dict[int, Argument]] | None = function.derived.get("arguments")
    if known is None:
        known = function.derived["arguments"] = {}
        for event in function.events:
            roots = (event.term,) if isinstance(event, Evaluated) else (event.value,) if hasattr(event, "value") else ()
            for leaf in (leaf for root in roots for leaf in (root, *children(root))):
                if isinstance(leaf, Argument):
                    known.setdefault(leaf.index, {})[id(leaf)] = leaf
    return list(known.get(index, {}).values())


def _position(term: Term, call: Call) -> int | str:
    """Where a call gets a term: its position, or its keyword."""
    for index, one in enumerate(call.arguments):
        if one is term:
            return index
    return next((name for name, one in call.keywords if one is term and name), -1)


def _differentiates(call: Call, position: int | str) -> bool:
    """accelerator.backward(loss), torch.autograd.grad(loss, ..), net.training_step(loss=loss)."""
    name = last_name(call)
    if graphs.BACKPROPAGATES.fullmatch(name):
        return position == 0 or (isinstance(position, str) and "loss" in position) or position == "tensors"
    return name == "grad" and position in (0, "outputs") and isinstance(call.callee, Imported)


def _cancels(other: Term, one: _Carrier, broken: Broken) -> bool:
    """True where the value itself stands in the other part of a sum: x - x.long(), x + (q - x).detach()."""
    inside = {id(part) for part in within(other)}
    if id(broken.term) in inside:
        return True
    own = {id(part) for part in within(one.base) if not isinstance(part, (Constant, Imported, Global))}
    return bool(own & {id(part) for part in _summands(other)})


def _summands(term: Term) -> Iterator[Term]:
    yield term
    if isinstance(term, Operation) and graphs.plain(term.operator) in ("+", "-"):
        for part in term.parts:
            yield from _summands(part)


def _given_at(call: Term, one: _Carrier) -> Term:
    """What a call gives for the parameter that the value is before it is lost."""
    base = one.base
    if not isinstance(base, Argument) or not isinstance(call, Call):
        return base
    index = base.index - has_self(one.frame.function)
    return call.argument(index, base.name) or base


def _is_given(term: Term) -> bool:
    """True for what the function is given, or takes out of it: a target of the batch."""
    while isinstance(term, (Item, Element, Subscript)):
        term = term.iterable if isinstance(term, Element) else term.base
    if isinstance(term, Call) and last_name(term) in ("to", "cuda", "float", "long", "enumerate", "tqdm"):
        return _is_given(term.callee.base if isinstance(term.callee, Attribute) else term.arguments[0])
    return isinstance(term, (Argument, Constant))


def _is_index(name: str, position: int | str) -> bool:
    return any(position in place for place in index_arguments(name))


def _takes_operand(method: str, position: int | str) -> bool:
    """True for a method of a tensor that computes with what it gets at a position."""
    computes = method in _COMBINES or is_only_of_tensors(method)
    return computes and method not in graphs.UNRECORDED and not _is_index(f"Tensor.{method}", position)


def _is_quiet(function: Function) -> bool:
    return any(last_name(one) in ("no_grad", "inference_mode") for one in function.decorators)


def _is_loss_slot(slot: object) -> bool:
    return slot in (None, 0) or (isinstance(slot, str) and "loss" in slot.lower())


def _gives_loss(frame: Frame) -> bool:
    """True for a function whose result somebody backpropagates, by its name or as the forward of a loss."""
    function = frame.function
    if graphs.GIVES_LOSS.fullmatch(function.name):
        return True
    view = frame.view if function.name in ("forward", "__call__") else None
    return view is not None and bool(graphs.LOSS_NAME.fullmatch(view.outline.name))


def _key(term: Term | None) -> object:
    return term.value if isinstance(term, Constant) else None
