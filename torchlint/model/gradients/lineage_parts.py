"""Lineages of what a value is part of or made of: operators, containers and their fields, attributes, properties."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeGuard

from torchlint.knowledge import graphs
from torchlint.knowledge.lookup import is_metadata, is_of_tensors
from torchlint.model.devices.devices import place_of
from torchlint.model.evaluation.picked_fields import part_of_each, picked
from torchlint.model.events import Event, Return, Write
from torchlint.model.flow.branches import Facts, exclude, facts_of
from torchlint.model.flow.callers import frames_in
from torchlint.model.flow.keyed_puts import under_key, written_under
from torchlint.model.flow.networks import is_frozen, network_run, written_name
from torchlint.model.flow.puts import put_into, puts_at, puts_of, puts_under
from torchlint.model.flow.same_object import keys_of
from torchlint.model.frames import Frame, last_name
from torchlint.model.gradients.lineage import (
    CPU,
    FRESH,
    PYTHON,
    UNKNOWN,
    Lineage,
    Scene,
    computed,
    event_of,
    held,
    met,
    unrecorded,
)
from torchlint.model.gradients.lineage_calls import forwards_of
from torchlint.model.gradients.recording import is_quiet
from torchlint.model.names.methods_by_name import properties_entered
from torchlint.model.terms import (
    Attribute,
    Call,
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
)
from torchlint.model.values import Kind
from torchlint.model.weights.aliases import function_called
from torchlint.model.weights.enumerated import enumeration

if TYPE_CHECKING:
    from torchlint.model.gradients.lineages import Lineages

# Keys under which preprocessing and networks give whole numbers: attention_mask, input_ids, feature_lengths.
_WHOLE = re.compile(r"(?:\w+_)?(?:(?:attention|padding|pad|key|features?)_mask|ids|lengths?)")
_MAX_DEPTH = 4
_MAX_WRITES = 8


class Parts:
    """The lineages of operators, containers and attributes, for one function."""

    def __init__(self, lineages: Lineages) -> None:
        self._lineages, self._of, self._entered = lineages, lineages.of, lineages.entered

    def operation(self, term: Operation, scene: Scene) -> Lineage:
        if term.operator in ("and", "or"):
            return met(self._of(part, scene) for part in term.parts)
        parts = [self._of(part, scene) for part in term.parts]
        if term.operator in graphs.COMPARES:
            return PYTHON if term.operator in ("is", "is not", "in", "not in", "not") else unrecorded(computed(parts))
        is_arithmetic = graphs.plain(term.operator) in graphs.ARITHMETIC or len(parts) == 1
        return computed(parts) if is_arithmetic else PYTHON

    def display(self, term: Display, scene: Scene) -> Lineage:
        parts = [self._of(part, scene) for part in term.parts]
        if term.kind in ("list", "set", "tuple", "dict"):
            parts += [self._of(one, scene) for one in put_into(term, scene.frame.function)]
        return self._holding(parts)

    def display_at(self, term: Display, event: Event, scene: Scene) -> Lineage:
        """The same where an event happens: without what the function puts in under conditions that rule the event out,
        as `if use_torch:` rules out the other branch."""
        frame = scene.frame
        here = _facts_at(event, frame)
        puts = puts_at(term, frame.function)
        left = [value for put, value in puts if not exclude(_facts_at(put, frame), here)]
        if len(left) == len(puts):
            return self._of(term, scene)
        return self._holding([self._of(one, scene) for one in (*term.parts, *left)])

    @staticmethod
    def _holding(parts: list[Lineage]) -> Lineage:
        return held(parts).but(is_sure=any(part.is_sure and (part.recorded or part.away) for part in parts))

    def _picked(self, term: Attribute | Item | Subscript, scene: Scene) -> Lineage | None:
        """A field of what a list keeps: what everyone who puts one there gives to it."""
        rows = picked(term, scene.frame) if scene.depth < 2 else None
        if not rows:
            return None
        found = [self._of(part, self._entered(where, {}, None, scene.depth + 1)) for part, where in rows]
        return met(found) if any(one.recorded or one.is_python for one in found) else None

    def subscript(self, term: Subscript, scene: Scene) -> Lineage:
        """The part of a value; one under a key that names whole numbers has no graph, whoever gave it."""
        found = self._subscript(term, scene)
        key = term.index.value if isinstance(term.index, Constant) else None
        is_whole = isinstance(key, str) and _WHOLE.fullmatch(key) is not None
        return found.but(recorded=None) if is_whole and found.recorded else found

    def _subscript(self, term: Subscript, scene: Scene) -> Lineage:
        for find in (self._picked, self._under_key, self._lineages.of_key):
            found = find(term, scene)
            if found is not None:
                return found
        returned = self._part(term, scene) if isinstance(term.base, Call) else None
        return returned if returned is not None else self._of(term.base, scene)

    def _under_key(self, term: Subscript, scene: Scene) -> Lineage | None:
        """What a dict holds under a written key: one of the values in a list there is enough, of the values that take
        each other's place all have to agree."""
        puts = under_key(term, scene.frame) if scene.depth < 2 else []
        listed = [self._put(put.value, where, scene) for put, where in puts if not put.is_whole]
        if listed:
            return held(listed)
        written = written_under(term)
        found = [self._put(put.value, where, scene) for put, where in puts]
        found += [self._of(written, scene)] if written is not None else []
        return met(found) if found else None

    def _put(self, value: Term, where: Frame, scene: Scene) -> Lineage:
        """What a function puts somewhere, also as its callers give it."""
        is_here = where is scene.frame
        return self._of(value, scene if is_here else self._entered(where, {}, None, scene.depth + 1, callers=1))

    def item(self, term: Item, scene: Scene) -> Lineage:
        each = part_of_each(term)
        part = self._of(each, scene) if each is not None else self._part(term, scene) or self._picked(term, scene)
        if part is not None:
            return part
        base = self._of(term.base, scene).but(dtype=None)
        if isinstance(term.base, Call):
            if last_name(term.base) in graphs.WITH_POSITIONS and term.index == 1:
                return unrecorded(base)
            if last_name(term.base) == "enumerate" and term.index == 0:
                return PYTHON
            if last_name(term.base) in ("zip", "enumerate"):
                return base
        if isinstance(term.base, Element) and isinstance(term.base.iterable, Call):
            return self._of_pair(term, term.base.iterable, scene, base)
        return base

    def _part(self, term: Item | Subscript, scene: Scene) -> Lineage | None:
        """One of the values that a function of the project, or the forward of its network, returns in a tuple or a
        dict; None for any other."""
        call = term.base
        if isinstance(call, Display) and isinstance(term, Item) and term.index < len(call.parts):
            return self._of(call.parts[term.index], scene)
        if not isinstance(call, Call) or scene.depth >= _MAX_DEPTH:
            return None
        network = network_run(call, scene.frame)
        if network is not None:
            targets = forwards_of(network, scene.frame)
        else:
            targets = [one for one in (function_called(call, scene.frame),) if one is not None]
        found_in = [self._returned_part(term, call, one, scene) for one in targets]
        known = [one for one in found_in if one is not None]
        if not targets or len(known) < len(targets):
            return None
        found = met(known)
        if network is None or not (found.recorded or found.away) or (found.recorded and found.away is False):
            return found
        return found.but(away=self._lineages.calls.place_of_output(call, network, scene))

    def _returned_part(self, term: Item | Subscript, call: Call, target: Frame, scene: Scene) -> Lineage | None:
        """The same of one function that the call may enter."""
        event = event_of(call, scene.frame.function)
        if event is None or target.function is scene.frame.function:
            return None
        inner = self._entered(
            target, self._lineages.calls.bound(call, target, scene), scene.moment(event), scene.depth + 1
        )
        returned = [one.value for one in target.function.events if isinstance(one, Return)]
        parts = [part for one in returned if (part := _part_of(one, term)) is not None]
        if isinstance(term, Subscript) and len(parts) < max(1, len(returned)):
            return None
        found = met(self._of(part, inner) for part in parts) if parts else UNKNOWN
        return found.but(recorded=False) if is_quiet(target.function) else found

    def _of_pair(self, term: Item, call: Call, scene: Scene, base: Lineage) -> Lineage:
        """One of what zip(), enumerate() or items() pairs."""
        name = last_name(call)
        if name == "zip" and isinstance(call.callee, Global) and term.index < len(call.arguments):
            return self._of(call.arguments[term.index], scene)
        if name in ("enumerate", "items", "named_parameters") and term.index == 0:
            return PYTHON
        return base

    def attribute(self, term: Attribute, scene: Scene) -> Lineage:
        frame = scene.frame
        if term.name in graphs.DETACHING:
            return self._of(term.base, scene).but(recorded=False, is_sure=True)
        if term.known is not None:
            return self._of(term.known, scene)
        if term.name == "device":
            return CPU if self._of(term.base, scene).away is False and not scene.frame.is_self(term.base) else PYTHON
        if is_metadata(term.name) or term.name in ("shape", "dtype"):
            return PYTHON
        value = frame.value(term)
        if value.kind is Kind.PARAMETER or (value.kind is Kind.UNKNOWN and _is_weight(term)):
            return self._parameter(term, scene)
        if value.kind is Kind.BUFFER:
            return _of_buffer(term, frame)
        if value.kind in (Kind.MODULE, Kind.CALLABLE, Kind.NUMBER, Kind.ARRAY):
            return {Kind.NUMBER: PYTHON, Kind.ARRAY: FRESH}.get(value.kind, UNKNOWN)
        entered = properties_entered(term, frame) if scene.depth < _MAX_DEPTH else ()
        if entered:
            return self._properties(term, entered, scene)
        if frame.view is not None and frame.is_self(term.base):
            return self._own(term, scene)
        field = self._picked(term, scene)
        if field is not None:
            return field
        found = self._of(term.base, scene)
        if _is_parameter(term.base) and not is_of_tensors(term.name):
            # Somebody has set it on the parameter; it is none.
            return UNKNOWN
        if found.recorded or found.away or (found.dtype and found.network):
            return found.but(is_sure=False) if term.name not in ("T", "mT") else found
        kept = self._kept(term.name, scene) if not isinstance(term.base, (Imported, Global)) else []
        return held(kept) if kept else UNKNOWN

    def _parameter(self, term: Attribute, scene: Scene) -> Lineage:
        if is_frozen(scene.frame):
            return UNKNOWN
        away = place_of(term.base, scene.frame)
        return Lineage(True, away or None, None, scene.frame.span(term.place), term.name, is_sure=True)

    def _properties(self, term: Attribute, entered: tuple[Frame, ...], scene: Scene) -> Lineage:
        """What the properties return that an attribute may be."""
        event = event_of(term, scene.frame.function)
        moment = scene.moment(event) if event is not None else None
        scenes = [self._entered(one, {}, moment, scene.depth + 1) for one in entered]
        return met(self._of(one.value, inner) for inner in scenes for one in inner.frame.function.returned)

    def _own(self, term: Attribute, scene: Scene) -> Lineage:
        """An attribute of the object: what its methods write there, and put into it."""
        view = scene.frame.view
        if view is None or scene.depth >= 2:
            return UNKNOWN
        found = []
        for moment in view.state.writes(term.name)[:_MAX_WRITES]:
            if isinstance(moment.event, Write):
                found.append(self._put(moment.event.value, moment.frame, scene))
        kept = self._kept(term.name, scene)
        return held(kept) if kept else met(found).but(is_sure=False) if found else UNKNOWN

    def _kept(self, name: str, scene: Scene) -> list[Lineage]:
        """What is appended to an attribute of this name, in the file and in the methods of the class."""
        if scene.depth >= 2:
            return []
        frame = scene.frame
        frames = {
            id(one.function): one
            for one in frames_in(frame.evaluator.project, frame.path)
            if puts_under(one.function, name)
        }
        if frame.view is not None:
            frames.update((id(one), frame.view.frame(one)) for one in frame.view.methods if puts_under(one, name))
        return [self._put(value, one, scene) for one in frames.values() for value in puts_of(one.function)[name]]


def _of_buffer(term: Attribute, frame: Frame) -> Lineage:
    """A buffer of the object: autograd has no path to it, as long as nothing is assigned in its place."""
    is_kept = frame.view is not None and frame.is_self(term.base) and not frame.view.state.writes(term.name)
    return UNKNOWN.but(recorded=False) if is_kept else UNKNOWN


def _is_weight(term: Attribute) -> bool:
    """True for model.head.weight: that of a part of what is called a network."""
    part = term.base if term.name in ("weight", "bias") else None
    while isinstance(part, (Attribute, Subscript)):
        part = part.base
        if not isinstance(part, Imported) and graphs.NETWORK_NAME.fullmatch(written_name(part)):
            return True
    return False


def _facts_at(event: Event, frame: Frame) -> Facts:
    return facts_of(tuple((region, lambda term: keys_of(term, frame)) for region in event.guards()))


def _is_parameter(term: Term) -> bool:
    """True for one of model.parameters()."""
    source = enumeration(term)
    return source is not None and last_name(source).endswith("parameters")


def _part_of(returned: Term, term: Item | Subscript) -> Term | None:
    """The part of what is returned that is taken out of it: of a tuple by its index, of a dict by its key."""
    key = term.index if isinstance(term, Item) else getattr(term.index, "value", None)
    if type(key) is int and not (isinstance(returned, Display) and returned.kind == "dict"):
        return returned.parts[key] if key >= 0 and _is_tuple(returned, key) else None
    if not isinstance(returned, Display) or returned.kind != "dict" or key is None:
        return None
    pairs = zip(returned.keys, returned.parts, strict=True)
    found = [part for one, part in pairs if isinstance(one, Constant) and one.value == key]
    return found[-1] if found else None


def _is_tuple(term: Term, index: int) -> TypeGuard[Display]:
    return isinstance(term, Display) and index < len(term.parts) and not any(isinstance(p, Starred) for p in term.parts)
