"""Derivatives that are taken inside of what is called, some calls deep: by a helper, or by a network in its own
forward."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from torchlint.model.events import Evaluated, Event, Region
from torchlint.model.flow.same_object import is_kept_from
from torchlint.model.flow.signatures import takes
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.gradients.requests import differentiates, entered_by
from torchlint.model.names.methods_by_name import entered_by_name, modules_with
from torchlint.model.terms import Attribute, Call, Imported
from torchlint.model.values import Kind

_CALLS = 4
_MAX_FILES = 8
_WORD = b"autograd"
_DERIVATIVES = frozenset("grad jacobian hessian vjp jvp".split())


def asks(event: Event, frame: Frame) -> bool:
    """True for what differentiates, here or in what is entered."""
    call = event.term if isinstance(event, Evaluated) else None
    if not isinstance(call, Call) or last_name(call) == "step":
        return differentiates(event, frame)
    inner = entered_by(call, frame)
    is_deep = inner is not None and differentiates_itself(inner, (call, frame), _CALLS - 1)
    return is_deep or differentiates(event, frame)


def needs_gradients(moment: Moment) -> bool:
    """True for a call of a network that asks for a gradient in its own forward, in evaluation as well: no_grad() around
    it would raise. One of unknown class may be any module of the project that takes what is given."""
    call, frame = moment.event.term if isinstance(moment.event, Evaluated) else None, moment.frame
    if not isinstance(call, Call):
        return False
    callee = call.callee
    network = callee.base if isinstance(callee, Attribute) and callee.name == "forward" else callee
    value = frame.value(network)
    if value.kind is Kind.UNKNOWN and value.of is None:
        return any(differentiates_itself(one) for one in _forwards_taking(call, frame))
    forward = value.of.method("forward") if value.kind is Kind.MODULE and value.of is not None else None
    return forward is not None and differentiates_itself(frame.evaluator.frame(forward, value.of), (call, frame))


def _forwards_taking(call: Call, frame: Frame) -> Iterator[Frame]:
    """The forward methods that take what a call gives, in the files of the project that speak of autograd."""
    project = frame.evaluator.project
    around = project.looked_into(frame.path, project.files_around(frame.path, _WORD))
    for path in dict.fromkeys((frame.path, *islice(around, _MAX_FILES))):
        for view in modules_with("forward", path, frame):
            method = view.facts.methods.get("forward")
            if method is not None and takes(method, call, 1):
                yield frame.evaluator.frame(method, view)


def differentiates_itself(frame: Frame, by: tuple[Call, Frame] | None = None, depth: int = _CALLS) -> bool:
    """True for a function that calls autograd.grad() or backward(), itself or in what it calls, where it is not in
    training. by: the call that enters it, and where that stands."""
    if by is None:
        return frame.once(f"differentiates itself in {depth} calls", lambda: (_find(frame, None, depth),))[0]
    return _find(frame, by, depth)


def _find(frame: Frame, by: tuple[Call, Frame] | None, depth: int) -> bool:
    for event in frame.function.events:
        if any(_is_training(region, frame) for region in event.guards()):
            continue
        found = _is_derivative(event) or (depth > 0 and any(_entered_differentiate(event, frame, depth - 1)))
        if found and (by is None or not is_kept_from(event, by[0], frame, by[1])):
            return True
    return False


def _entered_differentiate(event: Event, frame: Frame, depth: int) -> Iterator[bool]:
    call = event.term if isinstance(event, Evaluated) else None
    if not isinstance(call, Call):
        return
    inner = entered_by(call, frame)
    for one in (inner,) if inner is not None else entered_by_name(call, frame):
        yield one.function is not frame.function and differentiates_itself(one, (call, frame), depth)


def _is_training(region: Region, frame: Frame) -> bool:
    """True under `if self.training:`."""
    subject = region.subject
    is_mode = isinstance(subject, Attribute) and subject.name == "training" and frame.is_self(subject.base)
    return is_mode and region.holds


def _is_derivative(event: Event) -> bool:
    """True for autograd.grad() and backward()."""
    call = event.term if isinstance(event, Evaluated) else None
    if not isinstance(call, Call):
        return False
    name = call.callee.name if isinstance(call.callee, Imported) else ""
    is_backward = isinstance(call.callee, Attribute) and call.callee.name == "backward"
    return is_backward or (name.startswith("torch.") and name.rpartition(".")[2] in _DERIVATIVES)
