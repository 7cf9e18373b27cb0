"""What spares a tensor of a fixed device: a test of the input's device, a default device, a flag of the program."""

from __future__ import annotations

import re
from typing import TypeAlias

from torchlint.model.events import Evaluated, Event, Region, RegionKind, Write
from torchlint.model.facts import Function
from torchlint.model.flow.branches import Facts, exclude, facts_of
from torchlint.model.flow.callers import frames_in, speaks_of
from torchlint.model.frames import Frame, last_name
from torchlint.model.names.names import Value
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Choice,
    Constant,
    Element,
    Global,
    Imported,
    Item,
    Operation,
    Place,
    Subscript,
    Term,
    children,
    mentions,
)
from torchlint.model.values import Placing

_DEVICE_WORDS = frozenset("device is_cuda get_device is_cpu".split())
_DEFAULTS = re.compile("set_default_device|set_default_tensor_type")
_HARDWARE = re.compile(r"cuda|gpu|cpu|device|accel|mps|is_available", re.IGNORECASE)
_MAX_FILES = 8
Branch: TypeAlias = tuple[tuple[Term, bool], ...]


def is_device_asked(event: Event) -> bool:
    """True inside a test of a tensor's device."""
    return any(mentions(guard.subject, _DEVICE_WORDS) for guard in event.guards())


def is_for_cuda_alone(event: Event, frame: Frame) -> bool:
    """True in the one of two branches that is for machines with CUDA, where the other does without."""
    asked = {id(guard.subject) for guard in event.guards() if guard.holds and _asks_for_cuda(guard.subject, frame)}
    others = (guard for other in frame.function.events for guard in other.guards()) if asked else ()
    return any(id(guard.subject) in asked and not guard.holds for guard in others)


def is_where_available(event: Event, frame: Frame) -> bool:
    """True where nothing stands around but tests whether the machine has CUDA."""
    return all(guard.holds and _asks_availability(guard.subject, frame) for guard in event.guards())


def is_pinned_where_available(placing: Placing, frame: Frame) -> bool:
    """True for what is moved to CUDA under a test whether the machine has it: it stays on the CPU elsewhere."""
    born = _born(placing, frame) if placing.how == "cuda" else None
    guards = born.guards() if born is not None else ()
    return any(guard.holds and _asks_availability(guard.subject, frame) for guard in guards)


def _asks_availability(subject: Term, frame: Frame) -> bool:
    """True for torch.cuda.is_available(), also under a name of the top level."""
    if isinstance(subject, (Global, Imported)):
        found = frame.evaluator.project.names.of_term(subject, frame.path)
        return isinstance(found, Value) and isinstance(found.term, Call) and _is_availability(found.term)
    return isinstance(subject, Call) and _is_availability(subject)


def _is_availability(call: Call) -> bool:
    return isinstance(call.callee, Imported) and call.callee.name == "torch.cuda.is_available"


def _asks_for_cuda(subject: Term, frame: Frame) -> bool:
    if isinstance(subject, (Global, Imported)):
        return _is_plain_flag(subject, frame)
    return isinstance(subject, Call) and last_name(subject) == "is_available"


def is_spared(placing: Placing, frame: Frame) -> bool:
    """True where the place is no choice of the line alone: under a test, a device context or a default device."""
    born = _born(placing, frame)
    if born is not None and (is_device_asked(born) or _in_device_context(born) or _is_chosen_by_input(born, frame)):
        return True
    if placing.how == "cuda" and born is not None and not all(_is_no_choice(g, frame) for g in born.guards()):
        return True
    return _has_default_device(placing.span.path, frame)


def _is_chosen_by_input(born: Event, frame: Frame) -> bool:
    """True for a device of two, in a function that asks a tensor whether it is on CUDA: "cuda" if x.is_cuda else
    "cpu"."""
    call = born.term if isinstance(born, Evaluated) else None
    device = (
        call.keyword("device") or (call.arguments[0] if call.arguments else None) if isinstance(call, Call) else None
    )
    if not isinstance(device, Choice):
        return False
    asked = (event.term for event in frame.function.events if isinstance(event, Evaluated))
    return any(isinstance(term, Attribute) and term.name in ("is_cuda", "is_cpu") for term in asked)


def is_of_other_branch(event: Event, placing: Placing, frame: Frame) -> bool:
    """True where the tensor is placed in one branch of a test, and the event stands in the other branch of the same
    test, asked once more of the same parameters."""
    place = (placing.span.line, placing.span.column, placing.span.end_line, placing.span.end_column)
    born = _event_at(place, frame.function) if frame.path == placing.span.path else None
    return born is not None and exclude(_facts(born), _facts(event))


def branch_of_placing(placing: Placing, frame: Frame) -> Branch:
    """The conditions around the call that placed a tensor, outermost first; none where another function did."""
    place = (placing.span.line, placing.span.column, placing.span.end_line, placing.span.end_column)
    return _branch(_event_at(place, frame.function) if frame.path == placing.span.path else None)


def branch_of_term(term: Term, frame: Frame) -> Branch:
    """The conditions around the place where a function computes a value; none for a parameter and for a constant."""
    events = (event for event in frame.function.events if isinstance(event, Evaluated))
    return _branch(next((event for event in events if event.term is term), None))


def _branch(event: Event | None) -> Branch:
    guards = event.guards() if event is not None else ()
    return tuple((guard.subject, guard.holds) for guard in reversed(guards))


def _facts(event: Event) -> Facts:
    return facts_of(tuple((guard, _parameter) for guard in event.guards()))


def _parameter(term: Term) -> object:
    return ("parameter", term.index) if isinstance(term, Argument) else id(term)


def asks_hardware(placing: Placing, frame: Frame) -> bool:
    """True where the tensor is placed under a test that speaks of hardware, if only by the name of a flag."""
    born = _born(placing, frame)
    return born is None or any(_speaks_of_hardware(guard.subject) for guard in born.guards())


def _speaks_of_hardware(term: Term, depth: int = 8) -> bool:
    name = getattr(term, "name", "")
    if isinstance(name, str) and _HARDWARE.search(name):
        return True
    return depth > 0 and any(_speaks_of_hardware(part, depth - 1) for part in children(term))


def is_of_loop(placing: Placing, frame: Frame) -> bool:
    """True for what a loop takes from its batches, and places."""
    born = _born(placing, frame)
    term: Term | None = born.term if isinstance(born, Evaluated) else None
    while isinstance(term, (Call, Attribute, Subscript, Item)):
        term = term.callee if isinstance(term, Call) else term.base
    return isinstance(term, Element)


def _born(placing: Placing, frame: Frame) -> Event | None:
    """The event of the call that placed the tensor, in the frame's function or another of that file."""
    place = (placing.span.line, placing.span.column, placing.span.end_line, placing.span.end_column)
    found = _event_at(place, frame.function) if frame.path == placing.span.path else None
    if found is not None:
        return found
    project = frame.evaluator.project
    for other in project.functions_in(placing.span.path):
        if other.symbol == placing.symbol:
            found = _event_at(place, other.function)
            if found is not None:
                return found
    return None


def _event_at(place: Place, function: Function) -> Event | None:
    for event in function.events:
        if isinstance(event, Evaluated) and event.term.place == place and isinstance(event.term, Call):
            return event
    return None


def _in_device_context(event: Event) -> bool:
    """True under `with torch.device(..)`, and under contexts of that name."""
    withs = (region for region in event.regions if region.kind is RegionKind.WITH)
    return any(isinstance(r.subject, Call) and "device" in last_name(r.subject).lower() for r in withs)


def _is_no_choice(guard: Region, frame: Frame) -> bool:
    """True for a plain test, and for a flag of the constructor that is on unless its user turns it off."""
    return _is_plain_test(guard.subject, frame) or (guard.holds and _is_on_by_default(guard.subject, frame))


def _is_on_by_default(subject: Term, frame: Frame) -> bool:
    if not isinstance(subject, Attribute) or frame.view is None or not isinstance(subject.base, Argument):
        return False
    writes = frame.view.state.writes(subject.name)
    event = writes[0].event if len(writes) == 1 else None
    kept = event.value if isinstance(event, Write) else None
    if not isinstance(kept, Argument) or kept.index >= len(writes[0].frame.function.parameters):
        return False
    default = writes[0].frame.function.parameters[kept.index].default
    return isinstance(default, Constant) and default.value is True


def _is_plain_test(subject: Term, frame: Frame) -> bool:
    """True for torch.cuda.is_available(), None tests, comparisons of shapes and the mode of the module, and for what
    joins such tests: no flag of the program chose CUDA."""
    if isinstance(subject, Operation) and subject.operator in ("and", "or", "not"):
        return all(_is_plain_test(part, frame) for part in subject.parts)
    if isinstance(subject, Attribute) and subject.name == "training":
        return True
    if isinstance(subject, (Global, Imported)):
        return _is_plain_flag(subject, frame)
    if isinstance(subject, Call):
        return last_name(subject) == "is_available"
    return isinstance(subject, Operation) and subject.operator in ("is", "is not", "==", "<", ">", "<=", ">=", "!=")


def _is_plain_flag(name: Global | Imported, frame: Frame) -> bool:
    """True for use_cuda = torch.cuda.is_available() at the top of a file."""
    found = frame.evaluator.project.names.of_term(name, frame.path)
    if not isinstance(found, Value) or not isinstance(found.term, (Call, Operation)):
        return False
    return _is_plain_test(found.term, frame.evaluator.frame(found.top, None))


def _has_default_device(path: str, frame: Frame) -> bool:
    """True where some file of the project changes the device that factories use."""
    project = frame.evaluator.project
    return any(
        speaks_of(other, _DEFAULTS)
        for word in (b"set_default_device", b"set_default_tensor_type")
        for file in project.looked_into(path, project.files_around(path, word)[:_MAX_FILES])
        for other in frames_in(project, file)
    )
