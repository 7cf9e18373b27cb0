"""Values that autocast has lowered: what an operation of a region computed, and what keeps its dtype since."""

from __future__ import annotations

from dataclasses import dataclass

from torchlint.knowledge.autocast import (
    KEEPS_DTYPE,
    KEEPS_DTYPE_ON_CPU,
    LAYERS_THAT_KEEP_DTYPE,
    LAYERS_THAT_KEEP_DTYPE_ON_CPU,
    LOWER_PRECISION_LAYERS,
)
from torchlint.knowledge.lookup import is_view
from torchlint.model.autocast.lower_precision import lower_operation
from torchlint.model.autocast.reach import entered_by
from torchlint.model.autocast.regions import autocast_in_force
from torchlint.model.devices.placements import is_device
from torchlint.model.events import Evaluated, Event
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, Moment, has_self, last_name
from torchlint.model.modules.layers import built, chained
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Comprehension,
    Constant,
    Display,
    Element,
    Imported,
    Item,
    Operation,
    Subscript,
    Term,
)
from torchlint.model.values import Kind
from torchlint.source import Span

_DEPTH = 20
_ARITHMETIC = frozenset("+ - * / ** += -= *= /=".split())
_CASTS = frozenset("to type type_as float half bfloat16 double int long bool cuda cpu".split())
_JOINS = frozenset(("cat", "stack", "concat", "concatenate", "hstack", "vstack"))
# Functions of several tensors whose result has the greater dtype.
_PROMOTE = frozenset("add sub mul div maximum minimum lerp".split())
_ELEMENTS_KEPT = frozenset(("T", "mT", "H", "data", "real"))


@dataclass(frozen=True, slots=True)
class Lowered:
    """A value of a region's lower precision. span: the operation that made it so, of that name. is_certain: False where
    the operation counts by its name alone."""

    span: Span
    operation: str
    is_certain: bool


def lowered(term: Term, frame: Frame, caller: Moment | None = None, depth: int = _DEPTH) -> Lowered | None:
    """What lowered a value; None where nothing did for certain: a cast, a residual of unknown dtype.

    caller: the call that leads into the frame, None where the parameters are open.
    """
    if depth == 0:
        return None
    if isinstance(term, Choice):
        return _one_of([lowered(option, frame, caller, depth - 1) for option in term.options])
    if isinstance(term, Argument):
        return _given(term, frame, caller, depth)
    if isinstance(term, Captured):
        return lowered(term.value, frame.outer, caller, depth - 1) if frame.outer is not None else None
    if isinstance(term, (Element, Item, Subscript)):
        return _part(*_container(term), frame, caller, depth - 1)
    if isinstance(term, Attribute):
        if term.known is not None:
            return lowered(term.known, frame, caller, depth - 1)
        return lowered(term.base, frame, caller, depth - 1) if term.name in _ELEMENTS_KEPT else None
    if isinstance(term, Operation):
        return _by_operation(term, frame, caller, depth)
    return _by_call(term, frame, caller, depth) if isinstance(term, Call) else None


def _container(term: Element | Item | Subscript) -> tuple[Term, object]:
    """What a term is taken out of, and under which key or index; None for any element."""
    if isinstance(term, Subscript):
        return term.base, term.index.value if isinstance(term.index, Constant) else None
    if isinstance(term, Item) and not isinstance(term.base, Element):
        return term.base, term.index
    element = term.base if isinstance(term, Item) else term
    listed = element.iterable if isinstance(element, Element) else element
    name = last_name(listed) if isinstance(listed, Call) else ""
    if isinstance(listed, Call) and isinstance(term, Item):
        if name == "zip" and term.index < len(listed.arguments):
            return listed.arguments[term.index], None
        if name == "enumerate" and term.index == 1 and listed.arguments:
            return listed.arguments[0], None
    if isinstance(listed, Call) and isinstance(listed.callee, Attribute) and name in ("items", "values"):
        return listed.callee.base, None
    return listed, None


def _part(term: Term, key: object, frame: Frame, caller: Moment | None, depth: int) -> Lowered | None:
    """The same for a part of a container: the one under a key, or every one where that is not known."""
    if depth <= 0:
        return None
    if isinstance(term, Choice):
        options = (option for option in term.options if not _is_empty(option))
        return _one_of([_part(option, key, frame, caller, depth - 1) for option in options])
    if isinstance(term, Display):
        return _one_of([lowered(part, frame, caller, depth - 1) for part in _under(term, key)])
    if isinstance(term, Comprehension):
        return lowered(term.parts[-1], frame, caller, depth - 1)
    if isinstance(term, Operation) and term.operator == "grown":
        first, *others = term.parts
        found = [lowered(part, frame, caller, depth - 1) for part in others]
        return _one_of(found if _is_empty(first) else [_part(first, None, frame, caller, depth - 1), *found])
    if isinstance(term, Attribute) and term.known is not None:
        return _part(term.known, key, frame, caller, depth - 1)
    if isinstance(term, Argument) and caller is not None:
        given = _passed(term, frame, caller)
        return _part(given, key, caller.frame, caller.caller, depth - 1) if given is not None else None
    if isinstance(term, Call) and last_name(term) in ("list", "tuple", "reversed") and term.arguments:
        return _part(term.arguments[0], None, frame, caller, depth - 1)
    inner = _entered(term, frame, caller) if isinstance(term, Call) else None
    if inner is not None:
        returned = [one.value for one in inner.frame.function.returned if not one.is_yield]
        return _one_of([_part(one, key, inner.frame, inner.caller, depth * 2 // 3) for one in returned])
    return lowered(term, frame, caller, depth - 1)


def _is_empty(term: Term) -> bool:
    return isinstance(term, Display) and not term.parts


def _one_of(found: list[Lowered | None]) -> Lowered | None:
    """The first of several, where each is lowered."""
    return found[0] if found and all(found) else None


def _under(display: Display, key: object) -> tuple[Term, ...]:
    if key is None:
        return display.parts
    if display.kind == "dict":
        pairs = zip(display.keys, display.parts, strict=True)
        return tuple(part for one, part in pairs if isinstance(one, Constant) and one.value == key)
    if isinstance(key, int) and -len(display.parts) <= key < len(display.parts):
        return (display.parts[key],)
    return display.parts


def _passed(term: Argument, frame: Frame, caller: Moment) -> Term | None:
    call = caller.event.term if isinstance(caller.event, Evaluated) else None
    return call.argument(term.index - int(has_self(frame.function)), term.name) if isinstance(call, Call) else None


def _given(term: Argument, frame: Frame, caller: Moment | None, depth: int) -> Lowered | None:
    given = _passed(term, frame, caller) if caller is not None else None
    if caller is None or given is None:
        return None
    return lowered(given, caller.frame, caller.caller, depth - 1)


def _by_operation(term: Operation, frame: Frame, caller: Moment | None, depth: int) -> Lowered | None:
    if term.operator == "@":
        return _made_here(term, "@", frame, caller, is_certain=True)
    if term.operator not in _ARITHMETIC:
        return None
    return _of_all(term.parts, frame, caller, depth)


def _of_all(parts: tuple[Term, ...], frame: Frame, caller: Moment | None, depth: int) -> Lowered | None:
    """What lowered all operands but the Python numbers; a float32 operand makes the result float32."""
    return _one_of([lowered(part, frame, caller, depth - 1) for part in parts if not _is_number(part, frame)])


def _is_number(term: Term, frame: Frame) -> bool:
    return isinstance(term, Constant) or frame.value(term).kind is Kind.NUMBER


def _by_call(call: Call, frame: Frame, caller: Moment | None, depth: int) -> Lowered | None:
    name, callee = last_name(call), call.callee
    device = _device(call, frame, caller)
    operation = lower_operation(call, frame, device)
    if operation is not None:
        return _made_here(call, operation, frame, caller, is_certain=not _is_by_name(call, frame))
    if name in _JOINS and call.arguments:
        parts = call.arguments[0].parts if isinstance(call.arguments[0], Display) else call.arguments[:1]
        return _of_all(parts, frame, caller, depth)
    if name in _CASTS and isinstance(callee, Attribute):
        moves = name in ("to", "cuda", "cpu") and all(is_device(one) for one in call.inputs)
        return lowered(callee.base, frame, caller, depth - 1) if moves else None
    if isinstance(callee, Imported):
        return _of_all(_deciding(call, name, device, frame), frame, caller, depth)
    is_method = isinstance(callee, Attribute) and frame.value(callee.base).kind not in (Kind.MODULE, Kind.OBJECT)
    if isinstance(callee, Attribute) and is_method and _keeps(name, device):
        return lowered(callee.base, frame, caller, depth - 1)
    if isinstance(callee, Attribute) and is_method and name.rstrip("_") in _PROMOTE:
        return _of_all((callee.base, *call.arguments), frame, caller, depth)
    return _by_layer(call, device, frame, caller, depth) or _by_function(call, frame, caller, depth)


def _keeps(name: str, device: str | None) -> bool:
    return name in KEEPS_DTYPE or is_view(name) or (device == "cpu" and name in KEEPS_DTYPE_ON_CPU)


def _deciding(call: Call, name: str, device: str | None, frame: Frame) -> tuple[Term, ...]:
    """The tensors whose dtype a function of torch gives to its result; none where autocast, or nobody, decides."""
    if name == "where":
        return call.arguments[1:]
    if name in _PROMOTE:
        return call.arguments
    is_alike = name.endswith("_like") and call.keyword("dtype") is None
    if not is_alike and not _keeps(name, device):
        return ()
    values = [(term, frame.value(term)) for term in call.arguments]
    return tuple(term for term, value in values if value.kind is Kind.UNKNOWN or value.is_tensor)[:1]


def _by_layer(call: Call, device: str | None, frame: Frame, caller: Moment | None, depth: int) -> Lowered | None:
    """A layer of torch that keeps the dtype, or a chain of layers."""
    makers = list(built(call.callee, frame))
    if len(makers) != 1 or not call.arguments:
        return None
    steps = chained(*makers[0]) or makers
    for maker, where in reversed(steps):
        name = (where.value(maker).made_by or "").rpartition(".")[2]
        if name in LOWER_PRECISION_LAYERS:
            return _made_here(call, name, frame, caller, is_certain=True)
        keeps = name in LAYERS_THAT_KEEP_DTYPE or (device == "cpu" and name in LAYERS_THAT_KEEP_DTYPE_ON_CPU)
        if not keeps:
            return None
    return lowered(call.arguments[0], frame, caller, depth - 1)


def _by_function(call: Call, frame: Frame, caller: Moment | None, depth: int) -> Lowered | None:
    """What a function or a module of the project returns, where every return is lowered."""
    inner = _entered(call, frame, caller)
    if inner is None:
        return None
    returned = [one.value for one in inner.frame.function.returned if not one.is_yield]
    return _one_of([lowered(one, inner.frame, inner.caller, depth * 2 // 3) for one in returned])


@dataclass(frozen=True, slots=True)
class _Inner:
    frame: Frame
    caller: Moment


def _entered(call: Call, frame: Frame, caller: Moment | None) -> _Inner | None:
    """The function of the project that a call enters, with the call that leads there."""
    event = event_of(call, frame.function)
    inner = next(entered_by(call, frame), None) if event is not None else None
    if event is None or inner is None or not inner.function.returned:
        return None
    return _Inner(inner, Moment(event, frame, caller))


def _made_here(term: Term, operation: str, frame: Frame, caller: Moment | None, *, is_certain: bool) -> Lowered | None:
    event = event_of(term, frame.function)
    region = autocast_in_force(Moment(event, frame, caller)) if event is not None else None
    if region is None or region.is_island:
        return None
    return Lowered(frame.span(term.place), operation, is_certain)


def _device(term: Term, frame: Frame, caller: Moment | None) -> str | None:
    event = event_of(term, frame.function)
    region = autocast_in_force(Moment(event, frame, caller)) if event is not None else None
    return region.device if region is not None else None


def _is_by_name(call: Call, frame: Frame) -> bool:
    """True where nobody in sight says what is called."""
    is_attribute = isinstance(call.callee, Attribute)
    is_tensor_method = is_attribute and lower_operation(call, frame) == last_name(call)
    known = isinstance(call.callee, Imported) or frame.value(call.callee).kind is Kind.MODULE
    return not known and not is_tensor_method


def event_of(term: Term, function: Function) -> Event | None:
    """The event in which a function evaluates a term."""
    known: dict[int, Event] | None = function.derived.get("event of term")
    if known is None:
        known = function.derived["event of term"] = {
            id(event.term): event for event in function.events if isinstance(event, Evaluated)
        }
    return known.get(id(term))
