"""What construction leaves on an object without registering it, and what later methods make of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from torchlint.model.devices.picked import is_picked_by_inputs
from torchlint.model.devices.placements import device_of, is_device
from torchlint.model.events import Evaluated, ItemWrite, Write
from torchlint.model.flow.uses import Use, follows_something, parents_in
from torchlint.model.frames import Moment
from torchlint.model.modules.dependences import names_type
from torchlint.model.modules.handed_down import handed_down
from torchlint.model.modules.refresh import answers_conversion
from torchlint.model.modules.unregistered_branches import may_stay_plain, reads_plain
from torchlint.model.terms import Attribute, Call, Choice, Constant, Operation, Term, children, mentions
from torchlint.model.unregistered.rewritten import is_rewritten_first
from torchlint.model.values import TENSORS, Kind, TensorValue
from torchlint.model.weights.enumerated import within
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

# Methods that show or configure an object; what they read decides no output.
SHOWING = frozenset("extra_repr __repr__ __str__ get_config_dict get_config to_dict __getstate__ __setstate__".split())
_MOVING = frozenset("to cuda cpu half float double bfloat16 _apply type __deepcopy__".split())


_PLACEMENT = frozenset({"device", "dtype"})
_UNINITIALISED = frozenset("torch.empty torch.empty_like Tensor.new_empty torch.empty_strided".split())


class Reading(Enum):
    """What the later reads of an attribute amount to, the gravest of them.

    GIVEN: they compute, but with a tensor of the caller's, who chose its device and dtype. SCRATCH: memory that
    construction leaves uninitialised, so that each call must fill it before it reads.
    """

    COMPUTES = "computes"
    MOVED = "moved"
    INDEXES = "indexes"
    SCALAR = "scalar"
    GIVEN = "given"
    SCRATCH = "scratch"


@dataclass(frozen=True, slots=True)
class Leftover:
    """A plain attribute that construction leaves holding a tensor (or a callable that captured one) for later methods.

    born: where the tensor was made. read, reader: the first read that computes with it, None and "" for a callable.
    """

    attribute: str
    symbol: str
    span: Span
    born: Span | None
    read: Span | None
    reader: str
    reading: Reading
    is_callable: bool
    is_distribution: bool = False


def leftovers(module: ModuleClass) -> Iterator[Leftover]:
    """The plain tensors that construction leaves behind, one for each assignment, in order."""
    state = module.state
    if state.registers_itself or not module.is_initialised:
        return
    for name in state.names:
        # What construction deletes takes with it all that was there before.
        deleted = state.deleted.get(name, -1)
        built = (m for m in state.writes(name) if id(m.frame.function) in module.construction_functions)
        writes = [moment for moment in built if state.is_after(moment, deleted)]
        values = [(moment, _value(module, moment)) for moment in surviving(writes, of_tensors=True)]
        kept = [(moment, value) for moment, value in values if is_left(module, value)]
        if state.registration(name) is not None:
            kept = [(moment, value) for moment, value in kept if may_stay_plain(module, name, moment)]
        if not kept or module.has_setter(name) or answers_conversion(module, name):
            continue
        if all(value.captures for _, value in kept):
            yield from (_leftover(module, name, moment, value, None, _captured(value)) for moment, value in _last(kept))
        elif not _is_renewed(module, name):
            yield from _plain(module, name, _last(kept))


def surviving(writes: list[Moment], *, of_tensors: bool = False) -> list[Moment]:
    """The assignments whose value can be there when construction ends: from the last that always happens on. One that
    reworks what was there hands it on; where tensors are asked for, not as a list: self.x = self.x.tolist()."""
    certain = [position for position, moment in enumerate(writes) if not moment.event.regions and not moment.guards()]
    last = certain[-1] if certain else 0
    start = last
    while start > 0 and isinstance(event := writes[start].event, Write) and _reworks(event):
        if of_tensors and writes[start].frame.value(event.value).kind not in (*TENSORS, Kind.UNKNOWN):
            break
        start -= 1
    return writes[start:]


def _plain(module: ModuleClass, name: str, kept: list[tuple[Moment, TensorValue]]) -> Iterator[Leftover]:
    reads = [(moment, uses) for moment, uses in later_reads(module, name) if uses - {Use.LOOKED_AT}]
    reads = [read for read in reads if reads_plain(module, name, read[0])]
    if not reads:
        return
    uses = set[Use]().union(*(uses for _, uses in reads)) - {Use.LOOKED_AT}
    reads.sort(key=lambda read: (Use.COMPUTES not in read[1], read[0].frame.method.name == "__init__"))
    for moment, value in kept:
        reading = Reading.SCRATCH if _is_scratch(module, name, moment, value) else reading_of(uses, value)
        picked = [read for read, _ in reads if is_picked_by_inputs(read)] if _may_be_picked(reading, value) else []
        reading = Reading.COMPUTES if picked else reading
        if is_distribution(value) and reading is not Reading.COMPUTES:
            continue
        yield _leftover(module, name, moment, value, (picked or [reads[0][0]])[0], reading)


def _may_be_picked(reading: Reading, value: TensorValue) -> bool:
    """True for a table on the CPU of which the reads alone say that they work beside any device."""
    return reading in (Reading.MOVED, Reading.INDEXES) and device_of(value.placed) == "cpu"


def _is_scratch(module: ModuleClass, name: str, moment: Moment, value: TensorValue) -> bool:
    """True for torch.empty(..) assigned as it is, that construction never touches again."""
    event = moment.event
    if value.made_by not in _UNINITIALISED or not isinstance(event, Write) or not isinstance(event.value, Call):
        return False
    is_read = any(id(read.frame.function) in module.construction_functions for read in module.state.reads(name))
    return not is_read and len(parents_in(moment.frame.function).get(id(event.value), ())) == 1


def _captured(value: TensorValue) -> Reading:
    return Reading.GIVEN if all(captured.is_given for captured in value.captures) else Reading.COMPUTES


def reading_of(uses: set[Use], value: TensorValue) -> Reading:
    if value.ndim == 0:
        return Reading.SCALAR
    if Use.COMPUTES in uses:
        return Reading.GIVEN if value.is_given else Reading.COMPUTES
    if Use.MOVED in uses:
        return Reading.MOVED
    # An index on the CPU may select from a tensor on any device; a floating one may not, and a mask is as good as an
    # index.
    return Reading.COMPUTES if value.is_floating else Reading.INDEXES


def _value(module: ModuleClass, moment: Moment) -> TensorValue:
    event = moment.event
    assert isinstance(event, Write)
    value = module.project.evaluator.value(event.value, moment.frame)
    if value.kind is Kind.UNKNOWN or value.is_given:
        return handed_down(module, moment) or value
    return value


def is_left(module: ModuleClass, value: TensorValue) -> bool:
    """A tensor that is no state of the module, nor computed from its Parameters (that is TL106), nor a converted
    Parameter (TL114)."""
    if value.kind is Kind.CALLABLE:
        return bool(value.captures)
    if is_distribution(value):
        return True
    return value.kind is Kind.TENSOR and not _comes_from_parameters(module, value) and not value.came_from_parameter


def is_distribution(value: TensorValue) -> bool:
    """True for a distribution of torch over tensors that lie where the program put them."""
    return bool(value.placed) and (value.made_by or "").startswith("torch.distributions.")


def _comes_from_parameters(module: ModuleClass, value: TensorValue) -> bool:
    owner = id(module)
    return any(
        source.owner == owner and source.kind == "state" and module.state.value(source.name).kind is not Kind.BUFFER
        for source in value.sources
    )


def _last(kept: list[tuple[Moment, TensorValue]]) -> list[tuple[Moment, TensorValue]]:
    """Each assignment once, without those that only rework a tensor that is there already (self.x =
    self.x.permute(..))."""
    found: dict[tuple[object, ...], tuple[Moment, TensorValue]] = {}
    for moment, value in kept:
        event = moment.event
        if isinstance(event, Write) and not (found and _reworks(event)):
            found.setdefault((moment.frame.path, event.place), (moment, value))
    return list(found.values())


def _reworks(event: Write) -> bool:
    return isinstance(event.attribute, str) and mentions_attribute(event.value, event.base, event.attribute)


def mentions_attribute(term: Term, base: Term, name: str, depth: int = 12) -> bool:
    """True where `base.name` is read in `term`."""
    if isinstance(term, Attribute) and term.name == name and term.base is base:
        return True
    return depth > 0 and any(mentions_attribute(part, base, name, depth - 1) for part in children(term))


def _is_renewed(module: ModuleClass, name: str) -> bool:
    """True where later code renews the attribute: updated from itself, it is state that a checkpoint loses, which is
    TL122's to say; put where an input is, it is a cache, which is TL104's."""
    construction, building = module.construction_functions, module.only_building
    for moment in module.state.writes(name):
        event = moment.event
        if id(moment.frame.function) in building or moment.frame.method.name in _MOVING:
            continue
        if not isinstance(event, Write):
            continue
        is_later = id(moment.frame.function) not in construction
        if is_later and (event.operator != "=" or _reworks(event)):
            return True
        if _follows_input(event.value) and _tests_placement(moment):
            return True
    for function in module.methods:
        if id(function) in construction or function.name in _MOVING:
            continue
        frame = module.frame(function)
        for event in function.events:
            if isinstance(event, ItemWrite) and _is_name(event.base, name) and frame.is_self(event.base.base):  # type: ignore[attr-defined]
                return True
            if isinstance(event, Evaluated) and _is_in_place(event.term, name):
                return True
    return False


def _follows_input(value: Term) -> bool:
    """True for a value that is converted to, or made with, the device or dtype of something else."""
    if isinstance(value, Choice):
        return any(_follows_input(option) for option in value.options)
    if not isinstance(value, Call):
        return False
    if isinstance(value.callee, Attribute) and value.callee.name in ("to", "type_as"):
        return follows_something(value)
    device = value.keyword("device")
    return isinstance(device, Attribute) and device.name == "device" and not isinstance(device.base, Attribute)


def _tests_placement(moment: Moment) -> bool:
    """True for an event that always happens, or whose tests ask for a device or dtype."""
    guards = [region for region, _ in moment.guards()]
    return not guards or any(mentions(one.subject, _PLACEMENT) or _asks_type(one.subject) for one in guards)


def _asks_type(test: Term) -> bool:
    return any(map(names_type, within(test)))


def _is_name(term: Term, name: str) -> bool:
    return isinstance(term, Attribute) and term.name == name


def _is_in_place(term: Term, name: str) -> bool:
    callee = getattr(term, "callee", None)
    return (
        isinstance(callee, Attribute)
        and callee.name.endswith("_")
        and not callee.name.endswith("__")
        and callee.name != "requires_grad_"
        and _is_name(callee.base, name)
    )


def later_reads(module: ModuleClass, name: str) -> Iterator[tuple[Moment, set[Use]]]:
    """The reads that happen after construction, with what becomes of the value; not those that always follow a
    write."""
    building = module.only_building
    uses = module.project.uses
    for moment in module.state.reads(name):
        event = moment.event
        method = moment.frame.method
        is_nested = moment.frame.outer is not None
        if method.name in SHOWING or method.name in _MOVING or (id(method) in building and not is_nested):
            continue
        if not isinstance(event, Evaluated) or not isinstance(event.term, Attribute) or event.term.known is not None:
            continue
        if is_rewritten_first(module, event, name, moment.frame):
            continue
        found = uses.of(event.term, moment.frame.function)
        # `x.to(device) if device is not None else x`: the caller chose not to move it.
        yield moment, {Use.MOVED} if Use.COMPUTES in found and _is_without_device(event) else found


def _is_without_device(read: Evaluated) -> bool:
    """True for a read that happens only where a device was not given: under `device is None`."""
    for region in read.guards():
        test = region.subject
        if not isinstance(test, Operation) or test.operator not in ("is", "is not") or not is_device(test.parts[0]):
            continue
        against = test.parts[1]
        if isinstance(against, Constant) and against.value is None and region.holds is (test.operator == "is"):
            return True
    return False


def _leftover(
    module: ModuleClass, name: str, moment: Moment, value: TensorValue, read: Moment | None, reading: Reading
) -> Leftover:
    event = moment.event
    assert isinstance(event, Write)
    place = read.event.term.place if read is not None and isinstance(read.event, Evaluated) else None
    is_callable = bool(value.captures)
    return Leftover(
        attribute=name,
        symbol=f"{moment.frame.method.owner or module.facts.qualname}.{name}",
        span=moment.frame.span(event.place),
        born=value.captures[0].origin if is_callable else value.origin,
        read=read.frame.span(place) if read is not None and place is not None else None,
        reader=read.frame.method.name if read is not None else "",
        reading=reading,
        is_callable=is_callable,
        is_distribution=is_distribution(value),
    )
