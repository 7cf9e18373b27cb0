"""Placements: which values lie where the program put them, and not where the inputs are.

A factory without device= makes its tensor on the CPU, `.cuda()` and a device of the file's top level put it elsewhere.
What operations make of such tensors lies there too, until it is moved to the device of something else.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from torchlint.model.evaluation.named_values import nameless
from torchlint.model.events import Write
from torchlint.model.facts import Function
from torchlint.model.names.names import Value
from torchlint.model.terms import Argument, Attribute, Call, Choice, Constant, Global, Imported, Operation, Term
from torchlint.model.values import TENSORS, Kind, Placing, TensorValue, join_all

if TYPE_CHECKING:
    from torchlint.model.evaluation.evaluate import Evaluator
    from torchlint.model.frames import Frame

NOWHERE_FIXED: frozenset[Placing] = frozenset()
_REGISTERED = frozenset((Kind.PARAMETER, Kind.BUFFER))
# Sparse tensors lie where their values do, which are the argument at this position.
_VALUES_OF = {
    "sparse_coo_tensor": 1,
    **dict.fromkeys(("sparse_csr_tensor", "sparse_csc_tensor", "sparse_bsr_tensor", "sparse_bsc_tensor"), 2),
}
_OF_UNKNOWN_DATA = frozenset("tensor as_tensor asarray scalar_tensor".split())
# Methods that take only the shape of what they are given.
_SHAPE_ONLY = frozenset("expand_as view_as reshape_as resize_as_ expand repeat view reshape tile".split())
# Methods whose result lies where their tensor does, whatever else is known of it.
STAYS = frozenset("contiguous clone detach view reshape permute transpose unsqueeze flatten float".split())
_CUDA = ("cuda", "torch.cuda.", *"0123456789")
_OTHERS = ("mps", "xpu", "npu", "hpu")
_CURRENT = "torch.cuda.current_device"
_DEPTH = 4


def of_either(values: Iterable[TensorValue]) -> TensorValue:
    """What one of several functions makes, where a test chose it: where they differ, the test decided on the place."""
    joined = join_all(values)
    is_decided = len({one.how for one in joined.placed}) < 2
    return joined if is_decided else joined.but(placed=NOWHERE_FIXED, device=None)


def of_operands(values: Iterable[TensorValue]) -> frozenset[Placing]:
    """Where the result of an operation lies: fixed only where every tensor with dimensions is. What is not known counts
    as a number: were it a tensor of another device, the operation itself would raise. A single number beside it may
    stay one, or become a tensor where the other lies."""
    values = list(values)
    if not any(value.placed for value in values):
        return NOWHERE_FIXED
    tensors = [value for value in values if value.kind in TENSORS]
    wide = [value for value in tensors if value.ndim != 0]
    if not wide and not any(value.kind is Kind.UNKNOWN for value in values):
        wide = tensors
    if not wide or any(not value.placed or value.kind in _REGISTERED for value in wide):
        return NOWHERE_FIXED
    return frozenset().union(*(value.placed for value in wide))


def device_of(placed: frozenset[Placing]) -> str | None:
    """ "cpu" for what factories made there, None for all else."""
    return "cpu" if placed and all(one.how == "made" for one in placed) else None


def of_distribution(values: Iterable[TensorValue]) -> frozenset[Placing]:
    """Where a distribution lies: where its tensors with dimensions do, or the distribution that it is made of."""
    wide = [value for value in values if value.ndim != 0 and (value.kind in TENSORS or value.placed)]
    if any(not value.placed or value.kind in _REGISTERED for value in wide):
        return NOWHERE_FIXED
    return frozenset[Placing]().union(*(value.placed for value in wide))


def of_call(
    evaluator: Evaluator, name: str, code: str, call: Call, operands: list[TensorValue], frame: Frame
) -> frozenset[Placing]:
    """Where the result of a function or method of torch lies, by the row of the tables."""
    last = name.rpartition(".")[2]
    method = last if name.startswith("Tensor.") else ""
    if method == "cuda":
        return _moved_to_cuda(evaluator, call, operands, frame)
    if method in _SHAPE_ONLY:
        return of_operands(operands[:1])
    if method in ("cpu", "xpu", "npu", "mps") or (method == "squeeze" and not call.inputs):
        return NOWHERE_FIXED
    if method in ("to", "type", "type_as"):
        return _converted(evaluator, call, operands, frame)
    given = call.keyword("device")
    if given is not None and evaluator.value(given, frame).kind is not Kind.NONE:
        return of_device(given, call, evaluator, frame)
    if any(key is None for key, _ in call.keywords):
        return NOWHERE_FIXED
    out = call.keyword("out")
    if out is not None:
        return evaluator.value(out, frame).placed
    if method.startswith("new_") or code == "like":
        return of_operands(operands[:1])
    if code in ("default", "infer") and not method:
        return _made(last, call, operands, frame)
    return of_operands(held for operand in operands for held in _held(operand))


def _moved_to_cuda(evaluator: Evaluator, call: Call, operands: list[TensorValue], frame: Frame) -> frozenset[Placing]:
    """`.cuda()`: the current CUDA device, or the one that is given."""
    given = call.argument(0, "device")
    is_nowhere = isinstance(given, Constant) and given.value is None
    if given is None or is_nowhere or _is_asked_of_cuda(given):
        return frozenset({_placing(call, frame, "cuda", is_new=_is_new(operands))})
    return of_device(given, call, evaluator, frame, is_new=_is_new(operands))


def _is_asked_of_cuda(device: Term) -> bool:
    """True for x.device, x.get_device() and a parameter of that name, which may be the CPU: .cuda() takes no such
    place."""
    if isinstance(device, Call):
        return isinstance(device.callee, Attribute) and device.callee.name == "get_device"
    if isinstance(device, Attribute):
        return device.name == "device" and not isinstance(device.base, Imported)
    return isinstance(device, Argument) and device.name.endswith("device")


def _made(last: str, call: Call, operands: list[TensorValue], frame: Frame) -> frozenset[Placing]:
    """A factory without a device: on the CPU, but for what takes over the device of a tensor."""
    if last in _VALUES_OF:
        return of_operands(operands[_VALUES_OF[last] :][:1])
    first = operands[0] if operands else None
    if last == "normal" and call.argument(2, "size") is None:
        # It draws around tensors then, and where they are.
        return of_operands(operands)
    if first is not None and first.kind in TENSORS and last in _OF_UNKNOWN_DATA:
        return of_operands((first,))
    if first is not None and first.kind is Kind.UNKNOWN and last in _OF_UNKNOWN_DATA:
        return NOWHERE_FIXED
    if any(operand.items == () for operand in operands) and last not in _OF_UNKNOWN_DATA:
        return NOWHERE_FIXED
    return frozenset({_placing(call, frame, "made")})


def of_legacy(name: str, call: Call, first: TensorValue, frame: Frame) -> frozenset[Placing]:
    """torch.FloatTensor(..) makes its tensor on the CPU, torch.cuda.FloatTensor(..) on the current CUDA device."""
    if name.rpartition(".")[2] == "Tensor" and first.kind in TENSORS:
        return of_operands((first,))
    given = call.keyword("device")
    if given is not None:
        return NOWHERE_FIXED
    return frozenset({_placing(call, frame, "cuda" if ".cuda." in name else "made")})


def _converted(evaluator: Evaluator, call: Call, operands: list[TensorValue], frame: Frame) -> frozenset[Placing]:
    """`.to(..)`, `.type(..)` and `.type_as(..)`: a dtype alone moves nothing."""
    target = call.keyword("device") or (call.arguments[0] if call.arguments else None)
    if target is None:
        return of_operands(operands[:1]) if call.inputs else NOWHERE_FIXED
    value = evaluator.value(target, frame)
    if value.kind in TENSORS:
        return of_operands((value,))
    if value.made_by == "dtype" or (isinstance(target, Imported) and ".cuda." not in target.name and _is_type(target)):
        return of_operands(operands[:1])
    return of_device(target, call, evaluator, frame, is_new=_is_new(operands))


def _is_new(operands: list[TensorValue]) -> bool:
    return bool(operands) and bool(operands[0].placed)


def of_device(term: Term, call: Call, evaluator: Evaluator, frame: Frame, *, is_new: bool = True) -> frozenset[Placing]:
    """Where a call puts its tensor by a device that is written in the program; nothing for the device of an input."""
    how = _device_written(term, evaluator, frame, _DEPTH)
    return frozenset({_placing(call, frame, how, is_new=is_new)}) if how in ("cuda", "named") else NOWHERE_FIXED


def _device_written(term: Term, evaluator: Evaluator, frame: Frame, depth: int) -> str | None:
    """ "cpu" or "cuda" by its name, "named" for what the top level of a file chose, None where the device is
    not known."""
    if isinstance(term, Constant):
        if isinstance(term.value, bool) or not isinstance(term.value, (str, int)):
            return None
        text = str(term.value)
        if text.startswith(_OTHERS):
            return "named"
        return "cpu" if text.startswith("cpu") else "cuda" if text.startswith(_CUDA) else None
    if isinstance(term, Argument):
        # What the call gave, or left to a default.
        given = frame.arguments.get(term.index)
        name = given.constant if given is not None else None
        return _device_written(Constant(term.place, name), evaluator, frame, depth) if isinstance(name, str) else None
    if isinstance(term, Attribute):
        return _device_kept(term, evaluator, frame, depth - 1) if depth else None
    if isinstance(term, Operation) and term.operator == "+":
        return _device_written(term.parts[0], evaluator, frame, depth)
    if isinstance(term, Imported) and ".cuda." in term.name and _is_type(term):
        return "cuda"
    if isinstance(term, (Global, Imported)) and depth:
        return _device_at_top(term, evaluator, frame, depth - 1)
    if isinstance(term, Call) and isinstance(term.callee, Imported) and term.callee.name == _CURRENT:
        return "cuda"
    if isinstance(term, Call) and term.arguments and depth and _is_device_type(term):
        return _device_written(term.arguments[0], evaluator, frame, depth - 1)
    if isinstance(term, Call) and not term.inputs and depth:
        return _device_returned(term, evaluator, frame, depth)
    if isinstance(term, Choice) and depth:
        return _chosen(_device_written(option, evaluator, frame, depth - 1) for option in term.options)
    return None


def _device_at_top(term: Term, evaluator: Evaluator, frame: Frame, depth: int) -> str | None:
    """What a name of a file's top level was set to."""
    found = evaluator.project.names.of_term(term, frame.path)
    if not isinstance(found, Value):
        return None
    chosen = _device_written(found.term, evaluator, evaluator.frame(found.top, None), depth)
    return "named" if chosen is not None and chosen != "cpu" else chosen


def _device_kept(term: Attribute, evaluator: Evaluator, frame: Frame, depth: int) -> str | None:
    """What an attribute of the object holds for good: a text of its class, or what its one assignment chose."""
    view = frame.view
    if view is None or not frame.is_self(term.base) or term.name in view.project.owners.assigned(view.path):
        return None
    writes = view.state.writes(term.name)
    if not writes:
        named = view.state.class_value(term.name).constant
        return _device_written(Constant(term.place, named), evaluator, frame, depth) if isinstance(named, str) else None
    kept = writes[0].event
    if len(writes) > 1 or not isinstance(kept, Write):
        return None
    return _device_written(kept.value, evaluator, writes[0].frame, depth)


def _chosen(options: Iterable[str | None]) -> str | None:
    found = set(options)
    return None if None in found or not found else "named" if len(found) > 1 else next(iter(found))


def _device_returned(call: Call, evaluator: Evaluator, frame: Frame, depth: int) -> str | None:
    """What a function of the project chooses by itself, as get_device() does."""
    found = evaluator.project.names.of_term(call.callee, frame.path)
    if not isinstance(found, Function) or found.owner is not None:
        return None
    inner = evaluator.frame(found, None)
    return _chosen(_device_written(event.value, evaluator, inner, depth - 1) for event in found.returned)


def _is_type(term: Imported) -> bool:
    """True for torch.FloatTensor and its like."""
    return term.name.startswith("torch.") and term.name.endswith("Tensor")


def _is_device_type(call: Call) -> bool:
    """True for torch.device(..), and for an f-string or "..".format(..) of one."""
    return isinstance(call.callee, Imported) and call.callee.name in ("torch.device", "torch.cuda.device")


def _held(operand: TensorValue) -> tuple[TensorValue, ...]:
    if operand.kind is not Kind.CONTAINER:
        return (operand,)
    return operand.items if operand.items is not None else (operand.element,) if operand.element else ()


def _placing(call: Call, frame: Frame, how: str, *, is_new: bool = True) -> Placing:
    return Placing(frame.span(call.place), how, frame.symbol, is_new)


def released(value: TensorValue) -> TensorValue:
    """The value as an attribute or a name of the top level holds it: its placement is a matter of who holds it."""
    value = nameless(value)
    if value.items is not None or value.element is not None:
        items = tuple(map(released, value.items)) if value.items is not None else None
        element = released(value.element) if value.element is not None else None
        return value.but(items=items, element=element, placed=NOWHERE_FIXED)
    return value.but(placed=NOWHERE_FIXED) if value.placed else value


def keeps_dimensions(index: Term) -> bool:
    """False where a subscript may leave a single number of a tensor: then it may meet any device."""
    parts = getattr(index, "parts", ()) if not isinstance(index, Operation) else (index,)
    return any(
        (isinstance(part, Operation) and part.operator == "slice")
        or (isinstance(part, Constant) and (part.value is None or part.value is ...))
        for part in (parts or (index,))
    )


def is_device(term: Term) -> bool:
    """True where a term is a device by its form or name, and so no dtype."""
    if isinstance(term, Constant):
        return isinstance(term.value, (str, int))
    if isinstance(term, (Argument, Attribute, Global, Imported)):
        return "device" in term.name.rpartition(".")[2].lower()
    return isinstance(term, Call) and isinstance(term.callee, (Imported, Attribute)) and "device" in term.callee.name
