"""Doubles: float64 arrays of NumPy that enter torch as float64 tensors and meet a network, which is float32."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.model.devices.followers import Followers, is_criterion
from torchlint.model.devices.placements import is_device
from torchlint.model.devices.places_made import called
from torchlint.model.events import Evaluated, Event, Return, Write
from torchlint.model.facts import Function
from torchlint.model.flow.as_called import as_called
from torchlint.model.flow.callers import callers_of, frames_in, speaks_of
from torchlint.model.flow.regions import grad_is_off
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, Moment, called_names, last_name
from torchlint.model.modules.members import entered
from torchlint.model.terms import Attribute, Call, Choice, Display, Item, Operation, Subscript, Super, Term
from torchlint.model.values import Kind, TensorValue
from torchlint.source import Span

_ENTRIES = frozenset("from_numpy tensor as_tensor asarray new_tensor Variable".split())
_WEIGHTS = frozenset("weight pos_weight".split())
_MATRIX = frozenset(
    "matmul mm bmm mv linear conv1d conv2d conv3d einsum addmm baddbmm conv_transpose2d bilinear".split()
)
_ARITHMETIC = frozenset("+ - * / @ ** += -= *= /=".split())
_DOUBLE = re.compile("double|set_default_dtype|set_default_tensor_type")
# What makes the weights of a loss, by its name: believed where nobody in sight calls it.
_MAKES_WEIGHTS = re.compile(r"(\w+_)?(weights?|alphas?)(_(for|of|from)_\w+)?")
_NEUTRAL = frozenset("TensorDataset DataLoader print len isinstance append save".split())
_KEEPS = frozenset(
    """
    view reshape unsqueeze squeeze expand flatten permute transpose contiguous clone detach cuda exp log sqrt abs clamp
    pow square repeat
    """.split()
)
_SHAPES = frozenset("view reshape unsqueeze expand flatten permute transpose contiguous".split())
_CONVERSIONS = frozenset("to type type_as float half bfloat16".split())
_DEPTH = 2
_REACH = 6
_DEEP = 12


@dataclass(frozen=True, slots=True)
class Double:
    """entry: where the array becomes a tensor, in the function `symbol`. met: what takes it. by: that, in words."""

    entry: Span
    symbol: str
    met: Span
    by: str


def doubles(frame: Frame) -> Iterator[Double]:
    """The float64 tensors from NumPy that a function, or one that it passes them to, gives to a network or a loss."""
    entering = [one for one in as_called(frame) if _may_enter(one, _DEPTH) or _is_given_entries(one)]
    if not entering or _is_double_project(frame):
        return
    seen: set[Span] = set()
    for span, met, by in (found for one in entering for found in _sinks(one, _DEPTH, set())):
        symbol = _entry(span, frame) if span not in seen else None
        if symbol is not None:
            seen.add(span)
            yield Double(span, symbol, met, by)


def _sinks(frame: Frame, depth: int, walked: set[int]) -> Iterator[tuple[Span, Span, str]]:
    walked.add(id(frame))
    is_module = frame.view is not None and frame.view.is_module and frame.method.name != "__init__"
    asks = Followers(frame, is_module)
    makes = depth == _DEPTH and _MAKES_WEIGHTS.fullmatch(frame.function.name) and not any(callers_of(frame))
    for event in frame.function.events:
        if makes and isinstance(event, Return) and _is_double(frame.value(event.value)):
            yield frame.value(event.value).cast or frame.span(event.place), frame.span(event.place), "a loss"
        for value, place, by in (*_taken(event, frame, asks), *_run_unrecorded(event, frame)):
            if _is_double(value) and value.cast is not None:
                yield value.cast, frame.span(place), by
        term = event.term if isinstance(event, Evaluated) else None
        if depth and isinstance(term, Call) and any(_is_double(v) for _, v in _operands(term, frame)):
            for inner in _functions(term, frame):
                if id(inner) not in walked:
                    yield from _sinks(inner, depth - 1, walked)


def _functions(call: Call, frame: Frame) -> list[Frame]:
    if isinstance(call.callee, Attribute) and isinstance(call.callee.base, Super):
        return []
    value = frame.value(call.callee)
    if value.kind in (Kind.MODULE, Kind.OBJECT) and value.of is not None:
        forward = value.of.method("forward" if value.kind is Kind.MODULE else "__call__")
        evaluator = frame.evaluator
        return [evaluator.bound_frame(forward, value.of, call, frame, receiver=call.callee)] if forward else []
    return entered(call, frame)


def _is_double(value: TensorValue) -> bool:
    return value.dtype == "float64" and value.ndim != 0 and (value.is_tensor or value.kind is Kind.UNKNOWN)


Taken = tuple[TensorValue, tuple[int, int, int, int], str]


def _taken(event: Event, frame: Frame, asks: Followers) -> Iterator[Taken]:
    """What an event takes where float32 is meant: the value, the place and the taker in words."""
    if isinstance(event, Write):
        yield from _assigned(event, frame)
        return
    term = event.term if isinstance(event, Evaluated) else None
    if isinstance(term, Call) and last_name(term) not in _NEUTRAL:
        yield from _taken_by_call(term, frame, asks)
    elif isinstance(term, Operation) and term.operator in _ARITHMETIC:
        yield from _beside([(part, doubled(part, frame)) for part in term.parts], term, term.operator, asks)


def _run_unrecorded(event: Event, frame: Frame) -> Iterator[Taken]:
    """What an object of its own is called with where gradients are off: only a network is run so."""
    call = event.term if isinstance(event, Evaluated) else None
    if not isinstance(call, Call) or not call.arguments or not event.regions or not isinstance(call.callee, Attribute):
        return
    is_kept = frame.is_self(call.callee.base) and frame.value(call.callee).kind is Kind.UNKNOWN
    if is_kept and grad_is_off(Moment(event, frame), frame.evaluator):
        yield from ((value, call.place, "a network") for _, value in _operands(call, frame))


def _assigned(event: Write, frame: Frame) -> Iterator[Taken]:
    """The data of a Parameter, and the weights of a loss."""
    if event.attribute == "data" and isinstance(event.base, Attribute) and event.base.name in ("weight", "bias"):
        yield frame.value(event.value), event.place, "a Parameter"
    elif event.attribute in _WEIGHTS and event.base is not None:
        loss = frame.value(event.base)
        if loss.kind is Kind.MODULE and loss.of is None and (loss.made_by or "").endswith("Loss"):
            yield (
                frame.value(event.value),
                event.place,
                f"{event.attribute} of {(loss.made_by or '').rpartition('.')[2]}",
            )


def _taken_by_call(call: Call, frame: Frame, asks: Followers) -> Iterator[Taken]:
    if last_name(call) == "partial" and call.arguments:
        # What is bound beforehand is taken when the function is called.
        call = Call(call.place, call.arguments[0], call.arguments[1:], call.keywords)
    name, callee = last_name(call), frame.value(call.callee)
    made_by = callee.made_by or ""
    operands = _operands(call, frame)
    of_torch = made_by.startswith("torch.")
    is_loss = is_criterion(call) or name.endswith(("loss", "cross_entropy"))
    if of_torch or is_loss:
        for key, term in call.keywords:
            if key in _WEIGHTS:
                yield frame.value(term), call.place, f"{key}= of {name}"
    if callee.kind is Kind.MODULE and (callee.of is None or not _is_loss_class(callee)):
        if asks.runs_network(call):
            yield from ((value, call.place, "a network") for _, value in operands)
    elif asks.runs_network(call):
        yield from ((value, call.place, "a network") for _, value in operands)
    if is_loss or (callee.kind is Kind.MODULE and "Loss" in made_by):
        if not all(_is_double(value) for _, value in operands):
            yield from ((value, call.place, "a loss") for _, value in operands)
    elif of_torch and name.endswith("Loss") and call.arguments:
        yield frame.value(call.arguments[0]), call.place, f"weight= of {name}"
    elif made_by in ("torch.nn.Parameter", "torch.nn.parameter.Parameter"):
        if not _is_kept_to_convert(call, frame):
            yield from ((value, call.place, "a Parameter") for _, value in operands)
    elif name == "from_pretrained" and made_by.startswith("torch.nn.Embedding"):
        yield from ((value, call.place, "an Embedding") for _, value in operands)
    elif name == "register_buffer" and _is_used_as_it_is(call, frame):
        yield from ((value, call.place, "a buffer of the module") for _, value in operands)
    elif of_torch and name in _MATRIX:
        yield from _beside(operands, call, name, asks)


def _is_loss_class(callee: TensorValue) -> bool:
    return "loss" in str(getattr(callee.of, "name", "")).lower()


def _beside(operands: list[tuple[Term, TensorValue]], term: Term, name: str, asks: Followers) -> Iterator[Taken]:
    """A float64 tensor beside what a network computes."""
    given = [value for _, value in operands if _is_double(value)]
    others = [(one, value) for one, value in operands if not _is_double(value)] if given else []
    if (name == "@" or name in _MATRIX) and any(value.is_tensor and value.dtype == "float32" for _, value in others):
        yield from ((value, term.place, f"a matrix product with float32 ({name})") for value in given)
    elif any(asks.holds(one) for one, _ in others):
        yield from ((value, term.place, f"an operation of the network ({name})") for value in given)


def _is_used_as_it_is(call: Call, frame: Frame) -> bool:
    """True for the registration of a buffer that a method reads and does not convert."""
    names = frame.evaluator.strings(call.arguments[0], frame) if call.arguments and frame.view is not None else ()
    reads = (moment for name in names for moment in frame.view.state.reads(name))  # type: ignore[union-attr]
    terms = ((getattr(moment.event, "term", None), moment.frame) for moment in reads)
    return any(isinstance(term, Attribute) and not _is_converted(term, inner) for term, inner in terms)


def _is_kept_to_convert(call: Call, frame: Frame) -> bool:
    """True for a Parameter of the object whose every read is converted to float32, if only after some arithmetic."""
    writes = [one for one in parents_in(frame.function).get(id(call), ()) if isinstance(one, Write)]
    names = [one.attribute for one in writes if frame.is_self(one.base) and isinstance(one.attribute, str)]
    if frame.view is None or len(names) != 1 or len(parents_in(frame.function)[id(call)]) != 1:
        return False
    reads = [(getattr(one.event, "term", None), one.frame) for one in frame.view.state.reads(names[0])]
    return bool(reads) and all(isinstance(one, Attribute) and _ends_converted(one, inner) for one, inner in reads)


def _ends_converted(term: Term, frame: Frame, depth: int = _DEEP) -> bool:
    """True where all that is made of a term, elementwise or in another shape, is converted."""
    parents = parents_in(frame.function).get(id(term), ())
    return bool(parents) and depth > 0 and all(_leads_to_conversion(one, term, frame, depth) for one in parents)


def _leads_to_conversion(parent: object, term: Term, frame: Frame, depth: int) -> bool:
    if isinstance(parent, Attribute) and parent.name in _CONVERSIONS - {"to"}:
        return True
    if isinstance(parent, Call) and last_name(parent) == "to" and not all(map(is_device, parent.inputs)):
        return True
    is_same = isinstance(parent, Attribute) and parent.name in _KEEPS | {"to"}
    is_same = is_same or (isinstance(parent, Subscript) and parent.base is term) or isinstance(parent, Choice)
    # A matrix product raises beside float32 before anybody converts what comes of it.
    is_same = is_same or (isinstance(parent, Operation) and parent.operator in _ARITHMETIC - {"@"})
    is_same = is_same or (isinstance(parent, Call) and (parent.callee is term or last_name(parent) in _KEEPS))
    return is_same and isinstance(parent, Term) and _ends_converted(parent, frame, depth - 1)


def _is_converted(term: Term, frame: Frame, depth: int = _REACH) -> bool:
    """True for what is converted, be it after a subscript, a change of shape or a branch."""
    for parent in parents_in(frame.function).get(id(term), ()) if depth else ():
        is_called = isinstance(parent, Call) and parent.callee is term
        is_kept = isinstance(parent, Attribute) and parent.name in _KEEPS
        if isinstance(parent, Attribute) and parent.name in _CONVERSIONS:
            return True
        is_same = is_called or is_kept or isinstance(parent, (Subscript, Choice))
        if is_same and isinstance(parent, Term) and _is_converted(parent, frame, depth - 1):
            return True
    return False


def doubled(term: Term, frame: Frame, depth: int = _REACH) -> TensorValue:
    """The value of an operand; of what is computed from a float64 tensor and others that are not known, that tensor:
    whatever the others are, float64 is what comes of it."""
    value = _on_a_branch(term, frame)
    if _is_double(value) or value.dtype not in (None, "floating") or value.ndim == 0 or not depth:
        return value
    found = (doubled(one, where, depth - 1) for one, where in _computed_from(term, frame))
    return next(filter(_is_double, found), value)


def _computed_from(term: Term, frame: Frame) -> Iterator[tuple[Term, Frame]]:
    """What decides the dtype of a term: its operands, or what the function returns that it calls."""
    if isinstance(term, Operation) and term.operator in _ARITHMETIC:
        yield from ((part, frame) for part in term.parts)
    elif isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name in _KEEPS:
        yield term.callee.base, frame
    elif isinstance(term, Call):
        yield from ((event.value, inner) for inner in _functions(term, frame) for event in inner.function.returned)
    elif isinstance(term, Item) and isinstance(term.base, Call):
        for one, inner in _computed_from(term.base, frame):
            if isinstance(one, Display) and term.index < len(one.parts):
                yield one.parts[term.index], inner


def _on_a_branch(term: Term, frame: Frame) -> TensorValue:
    """The value of an operand; where branches meet, that of the branch on which it is float64. None of the others may
    have a known dtype or be a conversion: there a test of the dtype may decide."""
    value = frame.value(term)
    while isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name in _SHAPES:
        term = term.callee.base
    if value.dtype is not None or not isinstance(term, Choice):
        return value
    double = next((one for one in term.options if _is_double(frame.value(one))), None)
    if double is None:
        return value
    others = [one for one in term.options if one is not double]
    free = all(frame.value(one).dtype is None and not _is_conversion(one) for one in others)
    return frame.value(double) if free else value


def _is_conversion(term: Term) -> bool:
    return last_name(term) in _CONVERSIONS


def _operands(call: Call, frame: Frame) -> list[tuple[Term, TensorValue]]:
    found: list[tuple[Term, TensorValue]] = []
    for term in call.inputs:
        parts = term.parts if isinstance(term, Display) else (term,)
        found += [(part, doubled(part, frame)) for part in parts]
    return found


# What entered, and whether anything can


def _entry(span: Span, frame: Frame) -> str | None:
    """The symbol of the function in which an array becomes a tensor at `span`; None where something else happens
    there."""
    project = frame.evaluator.project
    others = project.functions_in(span.path) if project.was_passed(span.path) else frames_in(project, span.path)
    for other in (frame, *others):
        for event in other.function.events if other.path == span.path else ():
            term = event.term if isinstance(event, Evaluated) else None
            if isinstance(term, Call) and other.span(term.place) == span and last_name(term) in _ENTRIES:
                return other.symbol if term.keyword("dtype") is None else None
    return None


def _may_enter(frame: Frame, depth: int) -> bool:
    """True where a function, or one that it calls by name, makes a tensor of an array; or reads one from an object."""
    return frame.once(f"may enter in {depth} calls", lambda: (_find_entry(frame, depth),))[0]


def _find_entry(frame: Frame, depth: int) -> bool:
    calls = frame.function.calls
    if _enters_in(frame.function) or "DataLoader" in called_names(frame.function):
        return True
    if frame.view is not None and any(_enters_in(method) for method in frame.view.methods):
        return True
    if frame.outer is not None and _may_enter(frame.outer, depth):
        return True
    return any(_may_enter(inner, depth - 1) for call in calls if depth for inner in called(call, frame))


def _is_given_entries(frame: Frame) -> bool:
    """True for a function that is given an object with a method that makes a tensor of an array."""
    views = (value.of for value in frame.arguments.values())
    return any(_enters_in(method) for view in views for method in getattr(view, "methods", ()))


def _enters_in(function: object) -> bool:
    return isinstance(function, Function) and not _ENTRIES.isdisjoint(called_names(function))


def _is_double_project(frame: Frame) -> bool:
    """True where the function or its file means float64: .double(), a default dtype."""
    top = frame.evaluator.frame(frame.evaluator.project.top_of(frame.method), None)
    return speaks_of(frame, _DOUBLE) or speaks_of(top, _DOUBLE)
