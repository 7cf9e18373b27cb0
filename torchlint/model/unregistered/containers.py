"""Plain containers: lists, tuples and dicts on ordinary attributes that hold what torch should know of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from torchlint.model.evaluation.module_calls import STATE_VALUES
from torchlint.model.events import Evaluated, ItemWrite, Write
from torchlint.model.flow.uses import Use, parents_in
from torchlint.model.frames import Frame, Moment
from torchlint.model.modules.members import Known, Member, all_moments, is_container, known_to_torch, members
from torchlint.model.modules.refresh import answers_conversion
from torchlint.model.modules.runtime_data import GROWING, is_runtime
from torchlint.model.modules.unregistered_branches import may_stay_plain, reads_plain
from torchlint.model.terms import Attribute, Call, Choice, Constant, Display, Operation, Subscript, Term
from torchlint.model.unregistered.leftovers import SHOWING, Reading, later_reads, reading_of, surviving
from torchlint.model.values import Kind, TensorValue
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

# What overrides of these read, the class hands to torch by itself.
_ANSWERING = frozenset(
    """
    parameters named_parameters buffers named_buffers modules named_modules children named_children state_dict
    load_state_dict _save_to_state_dict _load_from_state_dict get_extra_state
    """.split()
)
_MAX_NESTING = 3


class Contents(Enum):
    """What a plain container holds, the gravest of it. STATELESS: modules of which nothing can be lost. HIDDEN: one
    module in a container of one, which is how one hides a module on purpose. GIVEN: modules that the caller made."""

    MODULES = "modules"
    PARAMETERS = "parameters"
    STATELESS = "stateless"
    HIDDEN = "hidden"
    GIVEN = "given"
    TENSORS = "tensors"
    BUFFERS = "buffers"


@dataclass(frozen=True, slots=True)
class PlainContainer:
    """A container on a plain attribute.

    span: the assignment of the container. filled: where something is put into it later, None where it is built full.
    container: "list", "tuple", "dict" ... reading: what the later reads of the tensors amount to.
    """

    attribute: str
    symbol: str
    span: Span
    filled: Span | None
    read: Span
    reader: str
    container: str
    contents: Contents
    reading: Reading = Reading.COMPUTES


@dataclass(frozen=True, slots=True)
class _Filling:
    """Something that is put into the container of an attribute, or (`is_whole`) the container itself."""

    term: Term
    moment: Moment
    span: Span
    is_whole: bool


def plain_containers(module: ModuleClass) -> Iterator[PlainContainer]:
    """The plain containers of a class that hold modules, Parameters or tensors, in order of their assignment."""
    state = module.state
    if state.registers_itself or not module.is_initialised:
        return
    owned = {name: stores for name in state.names if (stores := _stores(module, name))}
    if not owned:
        return
    moments = list(all_moments(module))
    fillings = _fillings(moments, owned)
    known: Known | None = None
    for name, stores in owned.items():
        found = [one for filling in fillings[name] for one in members(filling.term, filling.moment.frame)]
        if found:
            known = known or known_to_torch(moments)
            yield from _of_members(module, name, stores, fillings[name], known)
        else:
            yield from _of_tensors(module, name, stores, fillings[name])


def _stores(module: ModuleClass, name: str) -> list[Moment]:
    """The assignments of a container to a plain attribute, or to one that another branch registers."""
    if module.has_setter(name):
        return []
    found = [
        m for m in module.state.writes(name) if isinstance(m.event, Write) and is_container(m.event.value, m.frame)
    ]
    if found and module.state.registration(name) is not None:
        found = [moment for moment in found if may_stay_plain(module, name, moment)]
    return found


# What is put in


def _fillings(moments: list[Moment], owned: dict[str, list[Moment]]) -> dict[str, list[_Filling]]:
    """What is put into the containers: the containers themselves, then what is added to them."""
    found: dict[str, list[_Filling]] = {name: [] for name in owned}
    names: dict[int, str] = {}
    for name, stores in owned.items():
        for moment in stores:
            event = moment.event
            assert isinstance(event, Write)
            names[id(event.value)] = name
            place = moment.frame.span(event.place)
            found[name].append(_Filling(event.value, moment, place, is_whole=event.operator == "="))
    for moment in moments:
        name, terms, span = _added(moment, names)
        if name in found and span is not None:
            found[name] += [_Filling(term, moment, span, is_whole=False) for term in terms]
    return found


def _added(moment: Moment, names: dict[int, str]) -> tuple[str, tuple[Term, ...], Span | None]:
    """The attribute whose container an event adds to, what it adds, and where."""
    event, frame = moment.event, moment.frame
    if isinstance(event, ItemWrite) and event.operator != "del":
        return _attribute_of(event.base, frame, names), (event.value,), frame.span(event.place)
    if isinstance(event, Evaluated) and isinstance(event.term, Call) and isinstance(event.term.callee, Attribute):
        callee = event.term.callee
        if callee.name in GROWING:
            return _attribute_of(callee.base, frame, names), event.term.inputs, frame.span(event.term.place)
    return "", (), None


def _attribute_of(term: Term, frame: Frame, names: dict[int, str], depth: int = 8) -> str:
    """The attribute that a container, or one inside of it, is assigned to: by its name, or as the same object."""
    if id(term) in names:
        return names[id(term)]
    if isinstance(term, Attribute) and frame.is_self(term.base):
        return term.name
    inside: tuple[Term, ...] = ()
    if isinstance(term, Subscript):
        inside = (term.base,)
    elif isinstance(term, Operation) and term.operator in ("grown", "extended"):
        inside = term.parts[:1]
    elif isinstance(term, Choice):
        inside = term.options
    elif isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name == "setdefault":
        inside = (term.callee.base,)
    found = (_attribute_of(part, frame, names, depth - 1) for part in inside) if depth else ()
    return next((name for name in found if name), "")


# Modules and Parameters


def _of_members(
    module: ModuleClass, name: str, stores: list[Moment], fillings: list[_Filling], known: Known
) -> Iterator[PlainContainer]:
    if name in known.attributes or answers_conversion(module, name):
        return
    lost = [(filling, one) for filling in fillings for one in _lost(filling, known)]
    reads = _reads(module, name)
    if not lost or not reads or any(read.frame.method.name in _ANSWERING for read in reads):
        return
    contents = _contents([one for _, one in lost], fillings, reads)
    anchors = [filling for filling, _ in lost if filling.is_whole] or _whole(fillings)[:1]
    filled = next((filling.span for filling, _ in lost if not filling.is_whole), None)
    for span, anchor in {anchor.span: anchor for anchor in anchors}.items():
        yield _described(module, name, anchor, span, filled, reads[0], contents)


def _lost(filling: _Filling, known: Known) -> list[Member]:
    found = members(filling.term, filling.moment.frame)
    return [one for one in found if one.is_made_here and not known.has(one)]


def _contents(lost: list[Member], fillings: list[_Filling], reads: list[Moment]) -> Contents:
    made = [one for one in lost if not one.is_given]
    has_parameters = any(one.value.kind is Kind.PARAMETER for one in made)
    # A module may be hidden under a key; a Parameter that is made there is to be learned.
    is_table = getattr(fillings[0].term, "kind", "") == "dict" and has_parameters
    if not is_table and _is_of_one(fillings) and all(_takes_the_first(read) for read in reads):
        return Contents.HIDDEN
    if not made:
        return Contents.GIVEN
    if has_parameters:
        return Contents.PARAMETERS
    return Contents.MODULES if any(one.has_state for one in made) else Contents.STATELESS


def _is_of_one(fillings: list[_Filling]) -> bool:
    """True for [module], in which at most the one element is replaced."""
    whole, *others = fillings
    is_single = isinstance(whole.term, Display) and len(whole.term.parts) == 1
    is_single = is_single and getattr(whole.term.parts[0], "parts", None) != ()  # type: ignore[attr-defined]
    return is_single and all(isinstance(other.moment.event, ItemWrite) for other in others)


def _takes_the_first(read: Moment) -> bool:
    """True for self.name[0]."""
    assert isinstance(read.event, Evaluated)
    parents = parents_in(read.frame.function).get(id(read.event.term), ())
    return all(isinstance(one, (Subscript, ItemWrite)) and isinstance(one.index, Constant) for one in parents)


def _reads(module: ModuleClass, name: str) -> list[Moment]:
    """The reads of methods that do not only build or show the object."""
    building = module.only_building
    return [
        read
        for read in module.state.reads(name)
        if id(read.frame.method) not in building and read.frame.method.name not in SHOWING and not _only_fills(read)
    ]


def _only_fills(read: Moment) -> bool:
    """True for the read in self.name[key] = value and self.name.append(value)."""
    assert isinstance(read.event, Evaluated)
    term = read.event.term
    parents = parents_in(read.frame.function).get(id(term), ())
    return bool(parents) and all(
        one.base is term if isinstance(one, ItemWrite) else isinstance(one, Attribute) and one.name in GROWING
        for one in parents
    )


# Tensors


def _of_tensors(
    module: ModuleClass, name: str, stores: list[Moment], fillings: list[_Filling]
) -> Iterator[PlainContainer]:
    if is_runtime(module, name, [filling.moment for filling in fillings]) or answers_conversion(module, name):
        return
    lasting = {id(moment.event) for moment in surviving(list(module.state.writes(name)))}
    held = [
        (filling, value)
        for filling in fillings
        if not filling.is_whole or id(filling.moment.event) in lasting
        for value in _alike(_tensors(filling.moment.frame.value(filling.term), _MAX_NESTING))
        if _is_plain(module, value)
    ]
    reads = [(read, uses - {Use.LOOKED_AT}) for read, uses in later_reads(module, name) if uses - {Use.LOOKED_AT}]
    reads = [(read, uses) for read, uses in reads if reads_plain(module, name, read)]
    if not held or not reads:
        return
    reads.sort(key=lambda read: Use.COMPUTES not in read[1])
    uses = set[Use]().union(*(uses for _, uses in reads))
    anchors = [filling for filling, _ in held if filling.is_whole] or _whole(fillings)[:1]
    filled = next((filling.span for filling, _ in held if not filling.is_whole), None)
    buffers = all(value.kind is Kind.BUFFER for _, value in held)
    for span, anchor in {anchor.span: anchor for anchor in anchors}.items():
        reading = max((_reading(uses, value) for _, value in held), key=lambda one: one is Reading.COMPUTES)
        contents = Contents.BUFFERS if buffers else Contents.TENSORS
        yield _described(module, name, anchor, span, filled, reads[0][0], contents, reading)


def _tensors(value: TensorValue, depth: int) -> list[TensorValue]:
    """The tensors that a value is or holds; none of a kept state_dict(), which loading copies from. buffers() gives the
    buffers themselves."""
    if value.made_by in STATE_VALUES and value.kind is not Kind.BUFFER:
        return []
    if value.kind in (Kind.TENSOR, Kind.BUFFER):
        return [value]
    if value.kind is not Kind.CONTAINER or depth == 0:
        return []
    inside = value.items or ((value.element,) if value.element is not None else ())
    return [tensor for one in inside for tensor in _tensors(one, depth - 1)]


def _alike(held: list[TensorValue]) -> list[TensorValue]:
    """The tensors of a container, where those whose dimensions are not known are 0-dim like all others that the same
    function makes: (torch.tensor(1.0), torch.tensor(bits))."""
    single = {one.made_by for one in held if one.ndim == 0} - {one.made_by for one in held if one.ndim}
    return [one.but(ndim=0) if one.ndim is None and one.made_by in single else one for one in held]


def _is_plain(module: ModuleClass, value: TensorValue) -> bool:
    """True for a tensor that is not computed from Parameters; a registered buffer counts, as .to() replaces it."""
    return not any(
        source.kind == "state" and module.state.value(source.name).kind is not Kind.BUFFER for source in value.sources
    )


def _reading(uses: set[Use], value: TensorValue) -> Reading:
    # Of what an annotation promises it is not known where it was made: the caller did. Buffers of the object are own.
    is_own = value.kind is Kind.BUFFER and all(source.kind != "argument" for source in value.sources)
    return reading_of(uses, value.but(is_given=value.is_given or (value.origin is None and not is_own)))


def _whole(fillings: list[_Filling]) -> list[_Filling]:
    return [filling for filling in fillings if filling.is_whole]


def _described(
    module: ModuleClass,
    name: str,
    anchor: _Filling,
    span: Span,
    filled: Span | None,
    read: Moment,
    contents: Contents,
    reading: Reading = Reading.COMPUTES,
) -> PlainContainer:
    assert isinstance(read.event, Evaluated)
    frame = anchor.moment.frame
    return PlainContainer(
        attribute=name,
        symbol=f"{frame.method.owner or module.facts.qualname}.{name}",
        span=span,
        filled=filled,
        read=read.frame.span(read.event.term.place),
        reader=read.frame.method.name,
        container=_form(anchor.term, frame),
        contents=contents,
        reading=reading,
    )


def _form(term: Term, frame: Frame) -> str:
    made_by = (frame.value(term).made_by or "").rpartition(".")[2]
    return made_by if made_by in ("list", "tuple", "set", "dict") else "container"
