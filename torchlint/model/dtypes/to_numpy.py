"""Tensors that are handed to numpy, which takes none that autograd records, that is on an accelerator, or that is
bfloat16."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.model.devices.cpu_branches import is_on_cpu
from torchlint.model.devices.devices import has_device_option, place_of
from torchlint.model.events import Evaluated
from torchlint.model.flow.callers import is_test
from torchlint.model.flow.networks import network_run
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, has_self, last_name
from torchlint.model.gradients.lineage import Lineage
from torchlint.model.gradients.lineages import Lineages
from torchlint.model.gradients.loss_carriers import arguments_of
from torchlint.model.gradients.programs import is_off_in_programs
from torchlint.model.names.names import External
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Constant,
    Display,
    Imported,
    Subscript,
    Term,
    mentions,
)
from torchlint.model.values import Kind
from torchlint.model.weights.aliases import function_called
from torchlint.model.weights.enumerated import path_of
from torchlint.source import Span

_TAKES_ARRAYS = ("numpy.", "scipy.", "sklearn.")
_MAY_TAKE = (*_TAKES_ARRAYS, "matplotlib.", "pylab.")
_LOOKS_ONLY = frozenset("shape ndim size random testing errstate dtype seterr".split())
_DRAWS = frozenset("plot imshow scatter hist bar semilogy imsave errorbar fill_between".split())
# What a test before the call asks that may keep the value away from it.
_TESTS = frozenset(
    "isinstance type requires_grad is_cuda device is_leaf cpu numpy is_available is_tensor ndarray".split()
)
_UNMOVED = frozenset("float squeeze unsqueeze view reshape flatten".split())


@dataclass(frozen=True, slots=True)
class ToNumpy:
    """A tensor that numpy refuses. kind: "recorded", "device" or "bfloat16". value: the tensor as it is written, or
    what it is. by: what hands it over. network: where it comes from, None where that is not one call."""

    kind: str
    span: Span
    value: str
    by: str
    network: Span | None


def refused_by_numpy(frame: Frame) -> Iterator[ToNumpy]:
    """The tensors of a function that numpy refuses, each where it is handed over."""
    lineages: Lineages | None = None
    for event in frame.function.events:
        call = event.term if isinstance(event, Evaluated) else None
        if not isinstance(event, Evaluated) or not isinstance(call, Call) or not _may_convert(call, frame):
            continue
        lineages = lineages or Lineages(frame)
        found = _refused(event, call, frame, lineages)
        if found is not None:
            yield found


def _may_convert(call: Call, frame: Frame) -> bool:
    if isinstance(call.callee, Attribute):
        return call.callee.name == "numpy" and call.keyword("force") is None and not call.arguments
    is_imported = isinstance(call.callee, Imported) and call.callee.name.startswith(_MAY_TAKE)
    return is_imported and bool(call.arguments) and _is_numpy(call, frame)


def _is_numpy(call: Call, frame: Frame) -> bool:
    assert isinstance(call.callee, Imported)
    found = frame.evaluator.project.names.of_term(call.callee, frame.path)
    name = found.name if isinstance(found, External) else ""
    if name.startswith("matplotlib.pyplot."):
        return name.rpartition(".")[2] in _DRAWS
    return name.startswith(_TAKES_ARRAYS) and not any(part in _LOOKS_ONLY for part in name.split("."))


def _refused(event: Evaluated, call: Call, frame: Frame, lineages: Lineages) -> ToNumpy | None:
    if any(mentions(guard.subject, _TESTS) for guard in event.guards()):
        return None
    is_method = isinstance(call.callee, Attribute)
    terms = (call.callee.base,) if isinstance(call.callee, Attribute) else call.arguments[:2]
    by = "numpy()" if is_method else _dotted(call)
    for term in terms:
        kind, found = _reason(term, event, frame, lineages, is_method=is_method)
        if kind:
            return ToNumpy(kind, frame.span(call.place), _written(term, found), by, found.network)
    return None


def _reason(term: Term, event: Evaluated, frame: Frame, lineages: Lineages, *, is_method: bool) -> tuple[str, Lineage]:
    """Why numpy refuses a value, and its lineage; "" where it does not, or where that is not known."""
    value = frame.value(term)
    found = lineages.at(term, event)
    if value.kind is Kind.ARRAY or (value.kind is Kind.NUMBER and not is_method):
        return "", found
    if not is_method and not found.is_sure:
        return "", found
    is_low = value.dtype == "bfloat16" and is_method and (value.is_tensor or value.kind is Kind.UNKNOWN)
    if found.recorded and not lineages.is_off(event) and not is_off_in_programs(frame):
        return "recorded", found
    if is_test(frame) or is_on_cpu(event):
        # Tests run on the CPU, whatever the program can do.
        return "", found
    if found.away or (found.away is None and is_method and _is_beside_network(term, frame)):
        return "device", found
    return ("bfloat16" if is_low or (found.dtype == "bfloat16" and found.network) else ""), found


def _is_beside_network(term: Term, frame: Frame) -> bool:
    """True for a value that a network, or the distribution that it gave, computes with as it is: both are on one
    device."""
    root = term
    while isinstance(root, Subscript):
        root = root.base
    if isinstance(root, Constant) or (isinstance(root, Argument) and frame.is_self(root)):
        return False
    return any(
        (isinstance(call.callee, Attribute) and call.callee.name == "log_prob" and has_device_option(frame))
        or _runs_on(call, given, frame, depth=2)
        for call, given in _taken_by(root, frame)
    )


def _taken_by(term: Term, frame: Frame, reach: int = 3) -> Iterator[tuple[Call, Term]]:
    """The calls that get a value as it is, or a part of it, and what they get."""
    parents = parents_in(frame.function)
    for parent in parents.get(id(term), ()):
        if isinstance(parent, Call) and any(one is term for one in parent.inputs):
            yield parent, term
        elif isinstance(parent, Subscript) and parent.base is term and reach:
            yield from _taken_by(parent, frame, reach - 1)
        elif isinstance(parent, Attribute) and parent.name in _UNMOVED and reach:
            for call in parents.get(id(parent), ()):
                if isinstance(call, Call) and call.callee is parent:
                    yield from _taken_by(call, frame, reach - 1)


def _runs_on(call: Call, given: Term, frame: Frame, depth: int) -> bool:
    """True where a call runs a network on an accelerator with the value unmoved, itself or in a helper."""
    network = network_run(call, frame)
    if network is not None:
        return place_of(network, frame) is True and not _moves_itself(network, frame)
    target = function_called(call, frame) if depth else None
    if target is None or target.function is frame.function.definition:
        return False
    position = next((index for index, one in enumerate(call.arguments) if one is given), None)
    if position is None:
        return False
    index = position + (1 if has_self(target.function) and isinstance(call.callee, Attribute) else 0)
    arguments = arguments_of(target.function, index)
    return any(
        _runs_on(inner, one, target, depth - 1) for one in arguments for inner, _ in _taken_by(one, target, reach=0)
    )


def _moves_itself(network: Term, frame: Frame) -> bool:
    """True for a network whose forward moves what it gets."""
    value = frame.value(network)
    forward = value.of.method("forward") if value.kind is Kind.MODULE and value.of is not None else None
    return forward is not None and any(
        isinstance(event, Evaluated) and isinstance(event.term, Call) and last_name(event.term) in ("to", "cuda")
        for event in forward.events
    )


def _written(term: Term, found: Lineage) -> str:
    """The value in words: self.out, or what it is an output of."""
    path = path_of(term) if isinstance(term, Attribute) else ""
    if path and "[" not in path:
        return path
    if isinstance(term, Argument):
        return term.name
    if isinstance(term, Display):
        return "a list of tensors"
    return f"what {found.name}() gave" if found.name else "the tensor"


def _dotted(call: Call) -> str:
    name = call.callee.name if isinstance(call.callee, Imported) else ""
    return f"{name}()".replace("numpy.", "np.")
