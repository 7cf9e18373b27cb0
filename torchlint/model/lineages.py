"""Lineages of terms: how the values of a function come from networks, through locals, helpers, lists and attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeGuard

from torchlint.knowledge import graphs
from torchlint.knowledge.lookup import is_metadata
from torchlint.model.aliases import function_called
from torchlint.model.callers import frames_in
from torchlint.model.devices import place_of
from torchlint.model.events import Evaluated, Return, Write
from torchlint.model.frames import Frame, Moment, has_self, last_name
from torchlint.model.gradients_off import records_nothing
from torchlint.model.held_functions import calls_by_any_name
from torchlint.model.lineage import (
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
from torchlint.model.lineage_of_torch import moved_in, of_torch
from torchlint.model.methods_by_name import entered_by_name
from torchlint.model.names import External, Value
from torchlint.model.network_dtypes import converted_to
from torchlint.model.networks import is_frozen, is_known_module, is_loss, network_run, written_name
from torchlint.model.picked_fields import part_of_each, picked
from torchlint.model.placements import device_of
from torchlint.model.puts import put_into, puts_of, puts_under
from torchlint.model.recording import autocast_dtype, is_hook, is_spared
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
    Super,
    Term,
)
from torchlint.model.values import Kind

_MAX_DEPTH = 4
_MAX_CALLERS = 2
_MAX_LEVEL = 70
_MAX_WRITES = 8
_PASSES = frozenset("list tuple sum max min abs zip enumerate sorted reversed iter next set dict getattr".split())
_PYTHON = frozenset("float int bool len str repr range isinstance print type round format id hasattr".split())
_PARAMETERS = frozenset(("parameters", "named_parameters"))
_CASTS = frozenset("float double half long int bool byte short type type_as".split())
_MOVES = frozenset("to cpu cuda xpu npu mps hpu".split())
# Methods of a distribution that hand gradients on to its parameters.
OF_DISTRIBUTIONS = frozenset("log_prob rsample entropy log_probs".split())


class Lineages:
    """The lineages of one function's terms, and of those of the helpers that it calls; each worked out once."""

    def __init__(self, frame: Frame) -> None:
        self.scene = Scene(frame, {})
        self._scenes: dict[tuple[object, ...], Scene] = {}
        self._memo: dict[tuple[int, int], Lineage] = {}
        self._off: dict[int, bool] = {}
        self._level = 0
        self._methods: dict[type[Term], Callable[[Any, Scene], Lineage]] = {
            Constant: lambda term, scene: PYTHON,
            Argument: self._argument,
            Captured: self._captured,
            Attribute: self._attribute,
            Call: self._call,
            Subscript: lambda term, scene: self._picked(term, scene) or self.of(term.base, scene),
            Operation: self._operation,
            Display: self._display,
            Choice: lambda term, scene: met(self.of(option, scene) for option in term.options),
            Element: lambda term, scene: self.of(term.iterable, scene),
            Item: self._item,
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

    def _checked(self, found: Lineage, term: Term, scene: Scene) -> Lineage:
        """What the value itself says against it: a number, an array, integers."""
        if not found.recorded and not found.away:
            return found
        value = scene.frame.value(term)
        if value.kind in (Kind.NUMBER, Kind.ARRAY) and not isinstance(term, (Argument, Operation)):
            return FRESH if value.kind is Kind.ARRAY else PYTHON
        if value.is_integral:
            return found.but(recorded=False, is_sure=True)
        return found.but(is_sure=True) if value.is_tensor and not value.is_given else found

    # Names

    def _argument(self, term: Argument, scene: Scene) -> Lineage:
        if term.index in scene.arguments:
            return scene.arguments[term.index]
        if scene.frame.is_self(term) or (scene.depth and not 0 < scene.callers < _MAX_CALLERS):
            return UNKNOWN
        return self._given_by_callers(term, scene)

    def _given_by_callers(self, term: Argument, scene: Scene) -> Lineage:
        """What the callers pass for a parameter: one that passes an output is enough."""
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
                passed = self.of(given, self._scene(moment.frame, {}, None, 1, callers=scene.callers + 1))
                is_off = bool(passed.recorded) and self._is_off(moment)
                found.append(passed.but(recorded=False) if is_off else passed)
        tensors = [one for one in found if not one.is_python]
        refused = (one.but(is_sure=False) for one in tensors if one.recorded or one.away or one.dtype == "bfloat16")
        return next(refused, UNKNOWN)

    def _captured(self, term: Captured, scene: Scene) -> Lineage:
        outer = scene.frame.outer
        return self.of(term.value, self._scene(outer, {}, None, scene.depth)) if outer is not None else UNKNOWN

    def _named(self, term: Global | Imported, scene: Scene) -> Lineage:
        project = scene.frame.evaluator.project
        found = project.names.of_term(term, scene.frame.path)
        if isinstance(found, Value) and scene.depth < _MAX_DEPTH:
            return self.of(found.term, self._scene(project.evaluator.frame(found.top, None), {}, None, scene.depth + 1))
        return UNKNOWN

    def _scene(
        self, frame: Frame, arguments: dict[int, Lineage], caller: Moment | None, depth: int, callers: int = 0
    ) -> Scene:
        if frame is self.scene.frame and not arguments and not depth:
            return self.scene
        given = tuple(sorted(arguments.items(), key=lambda item: item[0]))
        key = (id(frame), given, id(caller and caller.event), callers)
        if key not in self._scenes:
            self._scenes[key] = Scene(frame, arguments, caller, depth, callers)
        return self._scenes[key]

    # Parts

    def _operation(self, term: Operation, scene: Scene) -> Lineage:
        if term.operator in ("and", "or"):
            return met(self.of(part, scene) for part in term.parts)
        parts = [self.of(part, scene) for part in term.parts]
        if term.operator in graphs.COMPARES:
            return PYTHON if term.operator in ("is", "is not", "in", "not in", "not") else unrecorded(computed(parts))
        is_arithmetic = graphs.plain(term.operator) in graphs.ARITHMETIC or len(parts) == 1
        return computed(parts) if is_arithmetic else PYTHON

    def _display(self, term: Display, scene: Scene) -> Lineage:
        parts = [self.of(part, scene) for part in term.parts]
        if term.kind in ("list", "set", "tuple", "dict"):
            parts += [self.of(one, scene) for one in put_into(term, scene.frame.function)]
        return held(parts).but(is_sure=any(part.is_sure and (part.recorded or part.away) for part in parts))

    def _picked(self, term: Attribute | Item | Subscript, scene: Scene) -> Lineage | None:
        """A field of what a list keeps: what everyone who puts one there gives to it."""
        rows = picked(term, scene.frame) if scene.depth < 2 else None
        if not rows:
            return None
        found = [self.of(part, self._scene(where, {}, None, scene.depth + 1)) for part, where in rows]
        return met(found) if any(one.recorded or one.is_python for one in found) else None

    def _item(self, term: Item, scene: Scene) -> Lineage:
        each = part_of_each(term)
        part = self.of(each, scene) if each is not None else self._part(term, scene) or self._picked(term, scene)
        if part is not None:
            return part
        base = self.of(term.base, scene).but(dtype=None)
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

    def _part(self, term: Item, scene: Scene) -> Lineage | None:
        """One of the values that a function of the project, or the forward of its network, returns; None for any
        other."""
        call = term.base
        if isinstance(call, Display) and term.index < len(call.parts):
            return self.of(call.parts[term.index], scene)
        if not isinstance(call, Call) or scene.depth >= _MAX_DEPTH:
            return None
        network = network_run(call, scene.frame)
        target = _forward_of(network, scene.frame) if network is not None else function_called(call, scene.frame)
        event = event_of(call, scene.frame.function)
        if target is None or event is None or target.function is scene.frame.function:
            return None
        inner = self._scene(target, self._bound(call, target, scene), scene.moment(event), scene.depth + 1)
        returned = [one.value for one in target.function.events if isinstance(one, Return)]
        parts = [self.of(one.parts[term.index], inner) for one in returned if _is_tuple(one, term.index)]
        found = met(parts) if parts else UNKNOWN
        if network is None or not (found.recorded or found.away):
            return found
        return found.but(away=self._place_of(call, network, scene))

    def _of_pair(self, term: Item, call: Call, scene: Scene, base: Lineage) -> Lineage:
        """One of what zip(), enumerate() or items() pairs."""
        name = last_name(call)
        if name == "zip" and isinstance(call.callee, Global) and term.index < len(call.arguments):
            return self.of(call.arguments[term.index], scene)
        if name in ("enumerate", "items", "named_parameters") and term.index == 0:
            return PYTHON
        return base

    def _attribute(self, term: Attribute, scene: Scene) -> Lineage:
        frame = scene.frame
        if term.name in graphs.DETACHING:
            return self.of(term.base, scene).but(recorded=False, is_sure=True)
        if term.known is not None:
            return self.of(term.known, scene)
        if term.name == "device":
            return CPU if self.of(term.base, scene).away is False and not scene.frame.is_self(term.base) else PYTHON
        if is_metadata(term.name) or term.name in ("shape", "dtype"):
            return PYTHON
        value = frame.value(term)
        if value.kind is Kind.PARAMETER:
            return self._parameter(term, scene)
        if value.kind in (Kind.MODULE, Kind.CALLABLE, Kind.BUFFER, Kind.NUMBER, Kind.ARRAY):
            return {Kind.NUMBER: PYTHON, Kind.ARRAY: FRESH}.get(value.kind, UNKNOWN)
        if frame.view is not None and frame.is_self(term.base):
            return self._own(term, scene)
        field = self._picked(term, scene)
        if field is not None:
            return field
        found = self.of(term.base, scene)
        if found.recorded or found.away:
            return found.but(is_sure=False) if term.name not in ("T", "mT") else found
        kept = self._kept(term.name, scene) if not isinstance(term.base, (Imported, Global)) else []
        return held(kept) if kept else UNKNOWN

    def _parameters(self, call: Call, callee: Attribute, scene: Scene) -> Lineage:
        """The parameters of a module."""
        event = event_of(call, scene.frame.function)
        if event is None or is_frozen(scene.frame) or self._is_off(scene.moment(event)):
            return UNKNOWN
        away = place_of(callee.base, scene.frame, anywhere=False)
        return Lineage(True, away, None, scene.frame.span(call.place), callee.name, is_sure=True)

    def _parameter(self, term: Attribute, scene: Scene) -> Lineage:
        if is_frozen(scene.frame):
            return UNKNOWN
        away = place_of(term.base, scene.frame)
        return Lineage(True, away or None, None, scene.frame.span(term.place), term.name, is_sure=True)

    def _own(self, term: Attribute, scene: Scene) -> Lineage:
        """An attribute of the object: what its methods write there, and put into it."""
        view = scene.frame.view
        if view is None or scene.depth >= 2:
            return UNKNOWN
        found = []
        for moment in view.state.writes(term.name)[:_MAX_WRITES]:
            if isinstance(moment.event, Write):
                found.append(self.of(moment.event.value, self._scene(moment.frame, {}, None, scene.depth + 1)))
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
        return [
            self.of(value, self._scene(one, {}, None, scene.depth + 1))
            for one in frames.values()
            for value in puts_of(one.function)[name]
        ]

    # Calls

    def _call(self, term: Call, scene: Scene) -> Lineage:
        frame = scene.frame
        network = network_run(term, frame)
        target = function_called(term, frame) if not isinstance(term.callee, Imported) or network is None else None
        if network is not None:
            return self._output(term, network, scene)
        if is_loss(term.callee, frame) and target is None:
            return computed(self.of(one, scene) for one in term.inputs).but(is_sure=True)
        if target is not None and scene.depth < _MAX_DEPTH:
            return self._returned(term, target, scene)
        if isinstance(term.callee, Attribute):
            return self._method(term, term.callee, scene)
        return self._function(term, scene)

    def _output(self, call: Call, network: Term, scene: Scene) -> Lineage:
        """What a network gives: recorded unless gradients are off."""
        frame = scene.frame
        inside = self._forward(call, network, scene)
        if inside is not None:
            return inside
        away = self._place_of(call, network, scene)
        event = event_of(call, frame.function)
        is_off = event is None or self._is_off(scene.moment(event)) or is_frozen(frame)
        dtype = autocast_dtype(event, frame) or converted_to(network, frame)
        is_sure = is_known_module(network, frame) and frame.value(network).of is None
        name = written_name(network) or "the network"
        return Lineage(None if is_off else True, away, dtype, frame.span(call.place), name, is_sure=is_sure)

    def _place_of(self, call: Call, network: Term, scene: Scene) -> bool | None:
        """Whether the output of a network may be on an accelerator: where its inputs are, or the network itself. One
        that is fed a tensor of the CPU is on the CPU, or raises before."""
        if any(self.of(one, scene).away for one in call.inputs):
            return True
        return None if any(_is_on_cpu(one, scene.frame) for one in call.inputs) else place_of(network, scene.frame)

    def _forward(self, call: Call, network: Term, scene: Scene) -> Lineage | None:
        """What the forward of a network of the project returns, where it says that it is no output any more."""
        forward = _forward_of(network, scene.frame)
        if forward is None or scene.depth >= _MAX_DEPTH:
            return None
        if any(last_name(one) in ("no_grad", "inference_mode") for one in forward.function.decorators):
            return UNKNOWN
        found = self._returned(call, forward, scene)
        return found if found.is_python or found.recorded is False else None

    def _returned(self, call: Call, target: Frame, scene: Scene) -> Lineage:
        """What a function of the project returns for this call."""
        event = event_of(call, scene.frame.function)
        if target.function is scene.frame.function or event is None:
            return UNKNOWN
        arguments = self._bound(call, target, scene)
        inner = self._scene(target, arguments, scene.moment(event), scene.depth + 1)
        returned = [one for one in target.function.events if isinstance(one, Return)]
        found = met(self.of(one.value, inner) for one in returned) if returned else PYTHON
        if any(last_name(one) in ("no_grad", "inference_mode") for one in target.function.decorators):
            return found.but(recorded=False)
        return found

    def _bound(self, call: Call, target: Frame, scene: Scene) -> dict[int, Lineage]:
        offset = 1 if has_self(target.function) and isinstance(call.callee, Attribute) else 0
        offset = 1 if target.function.name == "forward" and has_self(target.function) else offset
        positions = {parameter.name: index for index, parameter in enumerate(target.function.parameters)}
        found = dict.fromkeys(range(offset, len(target.function.parameters)), UNKNOWN)
        found.update({index + offset: self.of(one, scene) for index, one in enumerate(call.arguments)})
        found.update({positions[name]: self.of(one, scene) for name, one in call.keywords if name in positions})
        return found

    def _method(self, call: Call, callee: Attribute, scene: Scene) -> Lineage:
        frame, name = scene.frame, callee.name
        if isinstance(callee.base, Super):
            return UNKNOWN
        if name in _PARAMETERS and not call.arguments:
            return self._parameters(call, callee, scene)
        base = self.of(callee.base, scene)
        if (
            scene.callers
            and base == UNKNOWN
            and call.inputs
            and graphs.NETWORK_NAME.fullmatch(written_name(callee.base))
        ):
            return self._by_name(call, scene)
        if name in _MOVES:
            moved = self._place_given(call, scene, moved_in(call, scene))
            base = self._converted(base, call, frame)
            return base if moved is None else base.but(away=moved, is_sure=base.is_sure or name != "to")
        if name in graphs.TO_PYTHON or is_metadata(name):
            return FRESH if name in ("numpy", "__array__") else PYTHON
        if name in graphs.DETACHING:
            return base.but(recorded=False, is_sure=True)
        if name in OF_DISTRIBUTIONS and not base.is_python:
            inputs = [one for one in [base, *(self.of(one, scene) for one in call.inputs)] if one.recorded or one.away]
            event = event_of(call, frame.function)
            is_off = event is None or self._is_off(scene.moment(event))
            known = computed(inputs) if inputs else UNKNOWN
            return known.but(recorded=None if is_off else True, is_sure=True, network=frame.span(call.place), name=name)
        if not base.recorded and not base.away:
            return self._of_free(base, call, frame)
        if name in graphs.UNRECORDED:
            return unrecorded(base)
        return self._converted(computed([base, *(self.of(one, scene) for one in call.arguments)]), call, frame)

    def _by_name(self, call: Call, scene: Scene) -> Lineage:
        """What a method of a network of unknown class returns: what all modules that have such a method agree on."""
        event = event_of(call, scene.frame.function)
        if event is None or scene.depth >= 2 or self._is_off(scene.moment(event)):
            return UNKNOWN
        entered = entered_by_name(call, scene.frame)
        return met(self._returned(call, one, scene) for one in entered).but(is_sure=False) if entered else UNKNOWN

    def _of_free(self, base: Lineage, call: Call, frame: Frame) -> Lineage:
        """What a method gives of a value that autograd does not record and nobody moved: of an output its dtype."""
        name = last_name(call)
        if base.is_python and name != "apply":
            return base
        if name in graphs.UNRECORDED:
            return UNKNOWN.but(recorded=False, away=base.away)
        found = UNKNOWN.but(recorded=base.recorded, away=base.away)
        kept = self._converted(base, call, frame).dtype
        return found.but(dtype=kept, network=base.network, name=base.name) if kept is not None else found

    def _converted(self, found: Lineage, call: Call, frame: Frame) -> Lineage:
        """float(), half(), to(dtype): the dtype that autocast chose is gone."""
        name = last_name(call)
        given = any(frame.value(one).dtype for one in call.inputs) if name in ("to", "type", "type_as") else False
        changes = given or name in _CASTS
        return found.but(dtype=None) if changes else found

    def _function(self, call: Call, scene: Scene) -> Lineage:
        frame, callee = scene.frame, call.callee
        name = last_name(call)
        inputs = [self.of(one, scene) for one in call.inputs]
        if isinstance(callee, Global):
            if name in _PYTHON:
                return PYTHON
            return held(inputs) if name in _PASSES else UNKNOWN
        if not isinstance(callee, Imported):
            return UNKNOWN
        found = frame.evaluator.project.names.of_term(callee, frame.path)
        path = found.name if isinstance(found, External) else callee.name
        if path.startswith(("numpy", "math", "random")):
            return FRESH if path.startswith("numpy") else PYTHON
        if path.startswith("einops"):
            return computed(inputs)
        if not path.startswith("torch."):
            return UNKNOWN
        made = of_torch(path, name, call, inputs, scene)
        return made.but(away=self._place_given(call, scene, made.away))

    def _place_given(self, call: Call, scene: Scene, away: bool | None) -> bool | None:
        """Where device=x.device and y.to(x.device) put their result, if x says more than the words: nowhere else than
        on the CPU, and in a helper where nobody knows where the caller has it."""
        is_move = isinstance(call.callee, Attribute) and call.callee.name == "to" and bool(call.arguments)
        given = call.arguments[0] if is_move else call.keyword("device")
        if given is None or not away:
            return away
        if self.of(given, scene) == CPU:
            return False
        base = given.base if isinstance(given, Attribute) and given.name == "device" else None
        if not scene.depth or base is None or not scene.frame.value(base).is_tensor:
            return away
        return self.of(base, scene).away

    def _is_off(self, moment: Moment) -> bool:
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
        return self._is_off(self.scene.moment(event))


def _is_on_cpu(term: Term, frame: Frame) -> bool:
    """True for a tensor that the function makes on the CPU, if only where it is given none."""
    if isinstance(term, Choice):
        return any(_is_on_cpu(option, frame) for option in term.options)
    return device_of(frame.value(term).placed) == "cpu"


def _forward_of(network: Term, frame: Frame) -> Frame | None:
    """The forward of a network of the project."""
    value = frame.value(network)
    forward = value.of.method("forward") if value.kind is Kind.MODULE and value.of is not None else None
    return frame.evaluator.frame(forward, value.of) if forward is not None else None


def _is_tuple(term: Term, index: int) -> TypeGuard[Display]:
    return isinstance(term, Display) and index < len(term.parts) and not any(isinstance(p, Starred) for p in term.parts)
