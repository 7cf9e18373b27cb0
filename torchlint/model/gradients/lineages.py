"""Lineages of terms: how the values of a function come from networks, through locals, helpers, lists and attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torchlint.knowledge.dtypes import LOW_PRECISION
from torchlint.model.events import Evaluated
from torchlint.model.frames import Frame, Moment, has_self
from torchlint.model.gradients.asked_leaves import is_asked_for, makes_leaf
from torchlint.model.gradients.lineage import (
    FRESH,
    PYTHON,
    UNKNOWN,
    Lineage,
    Scene,
    event_of,
    met,
)
from torchlint.model.gradients.lineage_calls import Calls
from torchlint.model.gradients.lineage_parts import Parts
from torchlint.model.gradients.off import records_nothing
from torchlint.model.gradients.recording import is_hook, is_spared
from torchlint.model.names.held_functions import calls_by_any_name
from torchlint.model.names.names import Value
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Comprehension,
    Constant,
    Defined,
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

_MAX_DEPTH = 4
_MAX_CALLERS = 2
_MAX_LEVEL = 70


class Lineages:
    """The lineages of one function's terms, and of those of the helpers that it calls; each worked out once."""

    def __init__(self, frame: Frame) -> None:
        self.scene = Scene(frame, {})
        self._scenes: dict[tuple[object, ...], Scene] = {}
        self._memo: dict[tuple[int, int], Lineage] = {}
        self._off: dict[int, bool] = {}
        self._level = 0
        self.calls, self._parts = Calls(self), Parts(self)
        self._methods: dict[type[Term], Callable[[Any, Scene], Lineage]] = {
            Constant: lambda term, scene: PYTHON,
            Argument: self._argument,
            Captured: self._captured,
            Attribute: self._parts.attribute,
            Call: self.calls.call,
            Subscript: self._parts.subscript,
            Operation: self._parts.operation,
            Display: self._parts.display,
            Choice: lambda term, scene: met(self.of(option, scene) for option in term.options),
            Element: lambda term, scene: self.of(term.iterable, scene),
            Item: self._parts.item,
            Comprehension: lambda term, scene: self.of(term.parts[-1], scene),
            Starred: lambda term, scene: self.of(term.value, scene),
            Global: self._named,
            Defined: self._named,
            Imported: self._named,
        }

    def of(self, term: Term, scene: Scene | None = None) -> Lineage:
        """The lineage of a term; a term that needs itself adds nothing to its own."""
        scene = scene or self.scene
        key = (id(scene), id(term))
        if key in self._memo:
            return self._memo[key]
        method = self._methods.get(type(term))
        if method is None or self._level > _MAX_LEVEL:
            return UNKNOWN
        self._memo[key] = PYTHON
        self._level += 1
        try:
            found = method(term, scene)
        finally:
            self._level -= 1
        self._memo[key] = self._checked(found, term, scene)
        return self._memo[key]

    def at(self, term: Term, event: Evaluated) -> Lineage:
        """The lineage of a term of the function where an event of it happens."""
        if isinstance(term, Choice) and any(isinstance(option, Display) for option in term.options):
            return met(self.at(option, event) for option in term.options)
        return self._parts.display_at(term, event, self.scene) if isinstance(term, Display) else self.of(term)

    def _checked(self, found: Lineage, term: Term, scene: Scene) -> Lineage:
        """What the value itself says against it: a number, an array, integers; and a statement that makes it a leaf."""
        if not found.recorded and not found.is_python and is_asked_for(term, scene.frame):
            return found if scene.frame.value(term).kind is Kind.MODULE else found.but(recorded=True)
        if not found.recorded and not found.away:
            return found
        if found.recorded and isinstance(term, Call) and self._is_cut_by_region(term, scene):
            found = found.but(recorded=None)
        value = scene.frame.value(term)
        if value.kind in (Kind.NUMBER, Kind.ARRAY) and not isinstance(term, (Argument, Operation)):
            return FRESH if value.kind is Kind.ARRAY else PYTHON
        if value.is_integral:
            return found.but(recorded=False, is_sure=True)
        return found.but(is_sure=True) if value.is_tensor and not value.is_given else found

    def _is_cut_by_region(self, call: Call, scene: Scene) -> bool:
        """True for a call under no_grad(), whatever it is given: only a leaf that it makes asks for gradients there."""
        event = None if makes_leaf(call) else event_of(call, scene.frame.function)
        moment = scene.moment(event) if event is not None else None
        return moment is not None and bool(moment.managers()) and records_nothing(moment)

    # Names

    def _argument(self, term: Argument, scene: Scene) -> Lineage:
        if term.index in scene.arguments:
            return scene.arguments[term.index]
        if scene.frame.is_self(term) or (scene.depth and not 0 < scene.callers < _MAX_CALLERS):
            return UNKNOWN
        return self._given_by_callers(term, scene)

    def of_key(self, term: Subscript, scene: Scene) -> Lineage | None:
        """What the callers of the function that is asked about have put under a written key of the dict that they pass;
        None for all else."""
        base, key = term.base, term.index
        if not isinstance(base, Argument) or not isinstance(key, Constant) or not isinstance(key.value, str):
            return None
        is_open = base.index not in scene.arguments and not scene.frame.is_self(base)
        if not is_open or (scene.depth and not 0 < scene.callers < _MAX_CALLERS):
            return None
        return self._given_by_callers(base, scene, term)

    def _given_by_callers(self, term: Argument, scene: Scene, part: Subscript | None = None) -> Lineage:
        """What the callers pass for a parameter, or a part of that: one that passes an output is enough."""
        frame = scene.frame
        function = frame.function
        if frame.outer is not None or is_hook(function) or any(word in function.name for word in ("forward", "__")):
            return UNKNOWN
        found = []
        for moment in calls_by_any_name(frame):
            call = moment.event.term if isinstance(moment.event, Evaluated) else None
            if not isinstance(call, Call):
                continue
            given = call.argument(term.index - (1 if has_self(function) else 0), term.name)
            if given is not None:
                given = given if part is None else _part_in(given, part, moment.frame)
                passed = self.of(given, self.entered(moment.frame, {}, None, 1, callers=scene.callers + 1))
                is_off = bool(passed.recorded) and self.is_off_at(moment)
                found.append(passed.but(recorded=False) if is_off else passed)
        tensors = [one for one in found if not one.is_python]
        refused = (one.but(is_sure=False) for one in tensors if one.recorded or one.away or one.dtype in LOW_PRECISION)
        return next(refused, UNKNOWN)

    def _captured(self, term: Captured, scene: Scene) -> Lineage:
        outer = scene.frame.outer
        return self.of(term.value, self.entered(outer, {}, None, scene.depth)) if outer is not None else UNKNOWN

    def _named(self, term: Global | Imported, scene: Scene) -> Lineage:
        project = scene.frame.evaluator.project
        found = project.names.of_term(term, scene.frame.path)
        if isinstance(found, Value) and scene.depth < _MAX_DEPTH:
            top = project.evaluator.frame(found.top, None)
            return self.of(found.term, self.entered(top, {}, None, scene.depth + 1))
        return UNKNOWN

    def entered(
        self, frame: Frame, arguments: dict[int, Lineage], caller: Moment | None, depth: int, callers: int = 0
    ) -> Scene:
        """A function as calls lead into it; one scene for each way."""
        if frame is self.scene.frame and not arguments and not depth:
            return self.scene
        given = tuple(sorted(arguments.items(), key=lambda item: item[0]))
        key = (id(frame), given, id(caller and caller.event), callers)
        if key not in self._scenes:
            self._scenes[key] = Scene(frame, arguments, caller, depth, callers)
        return self._scenes[key]

    def is_off_at(self, moment: Moment) -> bool:
        """True where autograd records nothing, or nobody knows."""
        known = self._off.get(id(moment.event)) if moment.caller is None else None
        if known is None:
            known = records_nothing(moment) or (moment.caller is None and is_spared(moment.frame))
            known = known or is_hook(moment.frame.function)
            if moment.caller is None:
                self._off[id(moment.event)] = known
        return known

    def is_off(self, event: Evaluated) -> bool:
        """True where autograd records nothing at an event of the function, or nobody knows."""
        return self.is_off_at(self.scene.moment(event))


def _part_in(given: Term, part: Subscript, caller: Frame) -> Subscript:
    """The part of what a caller gives that the function takes out of it, as a term of the caller."""
    name = f"part {id(given)} {getattr(part.index, 'value', '')}"
    (made,) = caller.once(name, lambda: (Subscript(part.place, given, part.index),))
    return made
