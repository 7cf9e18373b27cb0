"""Networks that a program converts to half, and the classes and functions of the project that may run in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.knowledge.lookup import is_only_of_tensors, returned
from torchlint.model.events import Evaluated, Event, Write
from torchlint.model.facts import Function
from torchlint.model.flow.callers import callers_of, constructions
from torchlint.model.flow.makers import makers
from torchlint.model.flow.networks import written_name
from torchlint.model.flow.same_object import behind, is_exclusive, keys_of
from torchlint.model.flow.signatures import receiver_of
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, last_name
from torchlint.model.half.conversions import converted_object, related
from torchlint.model.half.parts import Part, is_foreign, known_as, parts_of
from torchlint.model.half.types import cast_to, casts_up, choices, halves_of, is_open_dtype
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Display,
    Global,
    Imported,
    Operation,
    Subscript,
    Term,
)
from torchlint.model.values import Kind, TensorValue

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass
    from torchlint.model.project import Project

_CASTS = frozenset("half bfloat16 to type".split())
# What only modules have: a value with one of these is no tensor.
_ONLY_MODULES = frozenset("eval train parameters named_parameters state_dict load_state_dict modules children".split())
_STORES = frozenset("state_dict save_pretrained push_to_hub".split())
# The words of a name: those between underscores, and the humps of a camel.
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# The word that says what a thing is: of teacher_logits that is not the teacher, and a factor is no actor.
_NETWORK = re.compile(
    r"(?:sub|base|super)?model|module|(?!(?:mag|cabi|pla|inter|ether|gar|cor|son|te)net)\w*net|network|(?:auto)?encoder"
    r"|decoder|\w{0,3}vae|transformer|generator|discriminator|backbone|policy|actor|critic|agent|student|teacher"
    r"|classifier|detector|extractor|predictor"
)
# Words behind it that only say which of several it is.
_WHICH = frozenset(
    "ema ddp fsdp wrapped copy half fp bf old new src tgt target local global online eval train main best".split()
)
_INPUTS = frozenset("x y z h".split())
_ARITHMETIC = frozenset("+ - * / // % ** @ += -= *= /= < > <= >=".split())
# What only tensors are asked for, beside their methods; a model may have a device and a name as well.
_OF_TENSORS = frozenset("shape size dim ndim numel stride item tolist is_floating_point".split())


@dataclass(frozen=True, slots=True)
class Halving:
    """A cast of a network to half. dtypes: what it may be cast to. of: its class; None where nobody knows, and any
    class may be meant that the file `path` names."""

    dtypes: frozenset[str]
    of: ModuleClass | None
    path: str


class Halvings:
    """The casts of networks to half in the checked files, and all that runs in those networks."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._dtypes: dict[tuple[str, str], frozenset[str]] = {}
        for halving in _halvings(project):
            for part in parts_of(project, halving.of, halving.path):
                known = self._dtypes.get(known_as(part), frozenset())
                self._dtypes[known_as(part)] = known | halving.dtypes

    def of(self, frame: Frame) -> str | None:
        """The lower dtype in which a function or a method may run; None where no network that is halved has it."""
        self._project.rests_on_checked_files(frame.path)
        runs_in: Part = frame.view if frame.view is not None else frame.method
        found = self._dtypes.get(known_as(runs_in), frozenset())
        return next((dtype for dtype in ("float16", "bfloat16") if dtype in found), None)


def _halvings(project: Project) -> Iterator[Halving]:
    for path in filter(project.may_convert, project.passed):
        for frame in project.functions_in(path):
            for event in frame.function.events:
                call = event.term if isinstance(event, Evaluated) else None
                if isinstance(call, Call) and isinstance(call.callee, Attribute) and call.callee.name in _CASTS:
                    project.note_checked_file(path)
                    yield from _halving(call, converted_object(call, frame), event, frame)


def _halving(call: Call, network: Term, event: Event, frame: Frame) -> Iterator[Halving]:
    dtypes = cast_to(call, frame) or _chosen_by_callers(call, frame)
    value = frame.value(network) if dtypes else None
    if value is None or value.kind not in (Kind.MODULE, Kind.UNKNOWN):
        return
    if _is_only_saved(call, frame) or _is_widened(network, event, frame):
        return
    classes = list(_classes(network, value, frame))
    if value.kind is Kind.MODULE or classes or _is_network(call, network, frame):
        found = ((one, frame.path) for one in classes) if classes else _unknown(network, value, frame)
        yield from (Halving(dtypes, of, path) for of, path in found)


def _is_only_saved(call: Call, frame: Frame) -> bool:
    """True for net.half().state_dict(): the weights are stored in half, and nothing runs."""
    parents = parents_in(frame.function).get(id(call), ())
    return bool(parents) and all(isinstance(one, Attribute) and one.name in _STORES for one in parents)


def _is_widened(network: Term, event: Event, frame: Frame) -> bool:
    """True where the function converts the network to float32 as well: nobody knows in which of the two it runs."""
    others = [one for one in frame.function.events if isinstance(one, Evaluated) and not is_exclusive(event, one)]
    casts = [one.term for one in others if isinstance(one.term, Call) and casts_up(one.term, frame)]
    keys = keys_of(network, frame) if casts else frozenset()
    return any(isinstance(one.callee, Attribute) and keys_of(one.callee.base, frame) & keys for one in casts)


def _chosen_by_callers(call: Call, frame: Frame) -> frozenset[str]:
    """The half types that the callers of a function give it for the dtype that it converts to."""
    found = frozenset[str]()
    for dtype in call.inputs:
        if isinstance(dtype, Argument) and is_open_dtype(dtype):
            for given, where in _given_by_callers(dtype, frame):
                found |= halves_of(given, where)
    return found


def _given_by_callers(parameter: Argument, frame: Frame) -> Iterator[tuple[Term, Frame]]:
    """What the callers of a function, or those who make an object, give for a parameter."""
    is_init = frame.function.name == "__init__" and frame.view is not None
    calls = constructions(frame.view) if is_init and frame.view is not None else _calls_of(frame)
    for call, where in calls:
        offset = int(is_init or receiver_of(call, frame.function) is not None)
        given = call.argument(parameter.index - offset, parameter.name)
        if given is not None:
            yield given, where


def _calls_of(frame: Frame) -> Iterator[tuple[Call, Frame]]:
    for moment in callers_of(frame):
        if isinstance(moment.event, Evaluated) and isinstance(moment.event.term, Call):
            yield moment.event.term, moment.frame


def _is_network(call: Call, network: Term, frame: Frame) -> bool:
    """True for a value of unknown kind that can be no tensor: its cast is not used for anything, it is called or has
    what only modules have, or a person calls it a network."""
    parents = parents_in(frame.function).get(id(call), ())
    if not parents or any(isinstance(one, Attribute) and one.name in _ONLY_MODULES for one in parents):
        return True
    stored = (one.attribute for one in parents if isinstance(one, Write) and isinstance(one.attribute, str))
    names = (written_name(network), last_name(network) if isinstance(network, Call) else "", *stored)
    if last_name(network) in ("eval", "train") or (
        any(map(names_network, names)) and not is_computed_with(network, frame)
    ):
        return True
    keys = keys_of(network, frame)
    return any(keys_of(asked, where) & keys for asked, where in _asked(frame))


def names_network(name: str) -> bool:
    """True for the name of a network: its last word is one for networks, but for words that say which one it is."""
    words = [word.lower() for word in _WORDS.findall(name)]
    while len(words) > 1 and (words[-1] in _WHICH or len(words[-1]) == 1) and words[-1] not in _INPUTS:
        words.pop()
    return bool(words) and any(map(_NETWORK.fullmatch, (words[-1], words[-1].removesuffix("s"))))


def is_computed_with(term: Term, frame: Frame) -> bool:
    """True where the function treats an object as a tensor: it computes with it, takes a slice of it or asks what only
    tensors have. A name is no evidence against that."""
    keys = keys_of(term, frame)
    return any(keys_of(one, frame) & keys for one in _tensors_in(frame.function))


def _tensors_in(function: Function) -> Iterator[Term]:
    for event in function.events:
        term = event.term if isinstance(event, Evaluated) else None
        if isinstance(term, Operation) and term.operator in _ARITHMETIC:
            yield from term.parts
        elif _is_of_a_tensor(term) and isinstance(term, (Attribute, Subscript)):
            yield term.base
        elif isinstance(term, Call) and isinstance(term.callee, Imported) and returned(term.callee.name) is not None:
            yield from term.inputs


def _is_of_a_tensor(term: Term | None) -> bool:
    """True for x.permute and x[:, 0]."""
    if isinstance(term, Attribute):
        return is_only_of_tensors(term.name) or term.name in _OF_TENSORS
    return isinstance(term, Subscript) and isinstance(term.index, Display)


def _asked(frame: Frame) -> Iterator[tuple[Term, Frame]]:
    """What a function, or another method of its object, calls, or calls a method of that only modules have."""
    for one in related(frame):
        for callee in (call.callee for call in one.function.calls):
            if isinstance(callee, Attribute) and callee.name in _ONLY_MODULES:
                yield callee.base, one
            elif not isinstance(callee, (Global, Imported)):
                yield callee, one


def _unknown(network: Term, value: TensorValue, frame: Frame) -> Iterator[tuple[ModuleClass | None, str]]:
    """Where to look for the class of a network that the function does not show: of a parameter, what the callers give;
    of any other, the file, and that of the function that makes it. Nothing of the project runs in what is made by other
    packages."""
    given = [one for parameter, where in _parameters(network, frame) for one in _given_by_callers(parameter, where)]
    for term, where in given:
        found = list(_classes(term, where.value(term), where))
        yield from ((one, where.path) for one in (found or (None,)))
    if not given and not _is_of_others(network, frame) and not (value.made_by or "").startswith("torch.nn."):
        yield from ((None, path) for path in dict.fromkeys((frame.path, *_files_of_makers(network, frame))))


def _files_of_makers(network: Term, frame: Frame) -> Iterator[str]:
    for call, where in makers(network, frame):
        found = frame.evaluator.project.names.of_term(call.callee, where.path)
        if isinstance(found, Function):
            yield found.path


def _parameters(network: Term, frame: Frame) -> Iterator[tuple[Argument, Frame]]:
    """The parameters that a network may be, below the methods that return it again, also one that an object keeps."""
    network = behind(network)
    if isinstance(network, Argument) and frame.outer is None:
        yield network, frame
    elif isinstance(network, Attribute) and frame.view is not None and frame.is_self(network.base):
        for moment in frame.view.state.writes(network.name):
            value = moment.event.value if isinstance(moment.event, Write) else None
            if isinstance(value, Argument) and not moment.frame.is_self(value):
                yield value, moment.frame


def _classes(network: Term, value: TensorValue, frame: Frame) -> Iterator[ModuleClass]:
    """The classes of the project that a network is known to be of, or to be a chain of."""
    from torchlint.model.classes import ModuleClass

    made = [where.value(call) for call, where in makers(network, frame)] if value.of is None else []
    for one in (value, *made):
        for part in (one, *(one.items or ())):
            if isinstance(part.of, ModuleClass) and part.kind is Kind.MODULE:
                yield part.of
    for call, where in makers(network, frame) if value.of is None else ():
        if isinstance(call.callee, Subscript):
            yield from _in_table(call.callee, where)


def _in_table(entry: Subscript, frame: Frame) -> Iterator[ModuleClass]:
    """The module classes in a table of which a call takes one."""
    for part, where in choices(entry, frame):
        held = where.value(part)
        if held.made_by == "class" and getattr(held.of, "is_module", False):
            yield held.of


def _is_of_others(network: Term, frame: Frame) -> bool:
    """True where all that makes a network belongs to other packages: nothing of the project runs in it."""
    made = list(makers(network, frame))
    return bool(made) and all(is_foreign(call.callee, where.path, frame.evaluator.project) for call, where in made)
