"""Lineages of what calls return: networks, functions of the project, methods of tensors, functions of torch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.knowledge import graphs
from torchlint.knowledge.lookup import is_metadata
from torchlint.model.classes import ModuleClass
from torchlint.model.devices.devices import place_of
from torchlint.model.devices.placements import device_of
from torchlint.model.dtypes.network_dtypes import converted_to
from torchlint.model.evaluation.dict_items import item_writes
from torchlint.model.events import Return
from torchlint.model.flow.networks import is_frozen, is_known_module, is_loss, network_run, written_name
from torchlint.model.flow.same_object import is_kept_from
from torchlint.model.frames import Frame, has_self, last_name
from torchlint.model.gradients.asked_leaves import asks
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
from torchlint.model.gradients.lineage_of_torch import moved_in, of_torch
from torchlint.model.gradients.recording import autocast_dtype, is_quiet
from torchlint.model.modules.layers import built
from torchlint.model.names.methods_by_name import entered_by_name
from torchlint.model.names.names import External
from torchlint.model.terms import (
    Attribute,
    Call,
    Choice,
    Global,
    Imported,
    Subscript,
    Super,
    Term,
)
from torchlint.model.values import Kind
from torchlint.model.weights.aliases import function_called

if TYPE_CHECKING:
    from torchlint.model.gradients.lineages import Lineages

_MAX_DEPTH = 4
_PASSES = frozenset("list tuple sum max min abs zip enumerate sorted reversed iter next set dict getattr".split())
_PYTHON = frozenset("float int bool len str repr range isinstance print type round format id hasattr".split())
_PARAMETERS = frozenset(("parameters", "named_parameters"))
_CASTS = frozenset("float double half long int bool byte short type type_as".split())
_MOVES = frozenset("to cpu cuda xpu npu mps hpu".split())
# Methods of a distribution that hand gradients on to its parameters.
OF_DISTRIBUTIONS = frozenset("log_prob rsample entropy log_probs".split())


class Calls:
    """The lineages of calls, for one function."""

    def __init__(self, lineages: Lineages) -> None:
        self._lineages, self._of, self._entered = lineages, lineages.of, lineages.entered

    def call(self, term: Call, scene: Scene) -> Lineage:
        frame = scene.frame
        network = network_run(term, frame)
        target = function_called(term, frame) if not isinstance(term.callee, Imported) or network is None else None
        if network is not None:
            return self._output(term, network, scene)
        if is_loss(term.callee, frame) and target is None:
            return computed(self._of(one, scene) for one in term.inputs).but(is_sure=True)
        if target is not None and scene.depth < _MAX_DEPTH:
            return self._returned(term, target, scene)
        if isinstance(term.callee, Attribute):
            return self._method(term, term.callee, scene)
        return self._function(term, scene)

    def _output(self, call: Call, network: Term, scene: Scene) -> Lineage:
        """What a network gives: recorded unless gradients are off."""
        frame = scene.frame
        inside = self._forward(call, network, scene)
        if inside is not None and (inside.is_python or inside.recorded is False or inside == UNKNOWN):
            return inside
        is_filled = inside is not None and inside.away is False
        away = False if is_filled else self.place_of_output(call, network, scene)
        event = event_of(call, frame.function)
        is_off = event is None or self._lineages.is_off_at(scene.moment(event)) or is_frozen(frame)
        dtype = autocast_dtype(event, frame) or converted_to(network, frame)
        is_sure = is_known_module(network, frame) and frame.value(network).of is None
        name = written_name(network) or "the network"
        return Lineage(None if is_off else True, away, dtype, frame.span(call.place), name, is_sure=is_sure)

    def place_of_output(self, call: Call, network: Term, scene: Scene) -> bool | None:
        """Whether the output of a network may be on an accelerator: where its inputs are, or the network itself. One
        that is fed a tensor of the CPU is on the CPU, or raises before."""
        if any(self._of(one, scene).away for one in call.inputs):
            return True
        return None if self._gets_made_on_cpu(call, scene) else place_of(network, scene.frame)

    def _gets_made_on_cpu(self, call: Call, scene: Scene) -> bool:
        """True for a call that gets a tensor which the function has made on the CPU: on an accelerator it raises."""
        known = (self._of(one, scene) for one in call.inputs)
        is_told = any(one.away is False and not one.is_python for one in known)
        return is_told or any(_is_on_cpu(one, scene.frame) for one in call.inputs)

    def _forward(self, call: Call, network: Term, scene: Scene) -> Lineage | None:
        """What the forward of a network of the project returns for this call; None where nothing is known of it."""
        forwards = forwards_of(network, scene.frame)
        if not forwards or scene.depth >= _MAX_DEPTH:
            return None
        if any(is_quiet(one.function) for one in forwards):
            return UNKNOWN
        found = met(self._returned(call, one, scene) for one in forwards)
        return None if found == UNKNOWN else found

    def _returned(self, call: Call, target: Frame, scene: Scene) -> Lineage:
        """What a function of the project returns for this call."""
        event = event_of(call, scene.frame.function)
        if target.function is scene.frame.function.definition or event is None:
            return UNKNOWN
        arguments = self.bound(call, target, scene)
        inner = self._entered(target, arguments, scene.moment(event), scene.depth + 1)
        returned = [one for one in target.function.events if isinstance(one, Return)]
        returned = [one for one in returned if not is_kept_from(one, call, target, scene.frame)] or returned
        found = met(self._of(one.value, inner) for one in returned) if returned else PYTHON
        if is_quiet(target.function):
            return found.but(recorded=False)
        return found

    def bound(self, call: Call, target: Frame, scene: Scene) -> dict[int, Lineage]:
        offset = 1 if has_self(target.function) and isinstance(call.callee, Attribute) else 0
        offset = 1 if target.function.name == "forward" and has_self(target.function) else offset
        positions = {parameter.name: index for index, parameter in enumerate(target.function.parameters)}
        found = dict.fromkeys(range(offset, len(target.function.parameters)), UNKNOWN)
        found.update({index + offset: self._of(one, scene) for index, one in enumerate(call.arguments)})
        found.update({positions[name]: self._of(one, scene) for name, one in call.keywords if name in positions})
        return found

    def _method(self, call: Call, callee: Attribute, scene: Scene) -> Lineage:
        frame, name = scene.frame, callee.name
        if isinstance(callee.base, Super):
            return UNKNOWN
        if name in _PARAMETERS and not call.arguments:
            return self._parameters(call, callee, scene)
        base = self._of(callee.base, scene)
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
            if moved is None:
                # x.to(y) goes where y is.
                return base.but(away=None) if base.away is False and not _keeps_place(call, frame) else base
            return base.but(away=moved, is_sure=base.is_sure or name != "to")
        if name in graphs.TO_PYTHON or is_metadata(name):
            return FRESH if name in ("numpy", "__array__") else PYTHON
        if name in graphs.DETACHING:
            return base.but(recorded=False, is_sure=True)
        if name == "requires_grad_" and base.is_sure:
            return base.but(recorded=asks(call), is_sure=True)
        if name in OF_DISTRIBUTIONS and not base.is_python:
            inputs = [one for one in [base, *(self._of(one, scene) for one in call.inputs)] if one.recorded or one.away]
            event = event_of(call, frame.function)
            is_off = event is None or self._lineages.is_off_at(scene.moment(event))
            known = computed(inputs) if inputs else UNKNOWN
            known = known.but(away=None) if self._gets_made_on_cpu(call, scene) else known
            return known.but(recorded=None if is_off else True, is_sure=True, network=frame.span(call.place), name=name)
        if not base.recorded and not base.away:
            return self._of_free(base, call, frame)
        if name in graphs.UNRECORDED:
            return unrecorded(base)
        return self._converted(computed([base, *(self._of(one, scene) for one in call.arguments)]), call, frame)

    def _parameters(self, call: Call, callee: Attribute, scene: Scene) -> Lineage:
        """The parameters of a module."""
        event = event_of(call, scene.frame.function)
        if event is None or is_frozen(scene.frame) or self._lineages.is_off_at(scene.moment(event)):
            return UNKNOWN
        away = place_of(callee.base, scene.frame, anywhere=False)
        return Lineage(True, away, None, scene.frame.span(call.place), callee.name, is_sure=True)

    def _by_name(self, call: Call, scene: Scene) -> Lineage:
        """What a method of a network of unknown class returns: what all modules that have such a method agree on."""
        event = event_of(call, scene.frame.function)
        if event is None or scene.depth >= 2 or self._lineages.is_off_at(scene.moment(event)):
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
        """float(), half(), to(dtype), softmax(dtype=..): the dtype that autocast chose is gone."""
        name, asked = last_name(call), call.keyword("dtype")
        given = any(frame.value(one).dtype for one in call.inputs) if name in ("to", "type", "type_as") else False
        changes = given or name in _CASTS or (asked is not None and frame.value(asked).dtype is not None)
        return found.but(dtype=None) if changes else found

    def _function(self, call: Call, scene: Scene) -> Lineage:
        frame, callee = scene.frame, call.callee
        name = last_name(call)
        inputs = [self._of(one, scene) for one in call.inputs]
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
        made = self._converted(of_torch(path, name, call, inputs, scene), call, frame)
        made = made.but(away=self._place_given(call, scene, made.away))
        if name not in graphs.FACTORIES:
            return made
        filled = item_writes(frame.function).get(id(call), ())
        return computed([made, *(self._of(one.value, scene) for one in filled)]).but(away=made.away)

    def _place_given(self, call: Call, scene: Scene, away: bool | None) -> bool | None:
        """Where device=x.device and y.to(x.device) put their result, if x says more than the words: nowhere else than
        on the CPU, and in a helper where nobody knows where the caller has it."""
        is_move = isinstance(call.callee, Attribute) and call.callee.name == "to" and bool(call.arguments)
        given = call.arguments[0] if is_move else call.keyword("device")
        if given is None or not away:
            return away
        if self._of(given, scene) == CPU:
            return False
        base = given.base if isinstance(given, Attribute) and given.name == "device" else None
        if not scene.depth or base is None or not scene.frame.value(base).is_tensor:
            return away
        return self._of(base, scene).away


def _keeps_place(call: Call, frame: Frame) -> bool:
    """True for to() with nothing but a dtype."""
    return all(frame.value(one).dtype is not None or frame.value(one).made_by == "dtype" for one in call.inputs)


def _is_on_cpu(term: Term, frame: Frame) -> bool:
    """True for a tensor that the function makes on the CPU, if only where it is given none."""
    if isinstance(term, Choice):
        return any(_is_on_cpu(option, frame) for option in term.options)
    return device_of(frame.value(term).placed) == "cpu"


def forwards_of(network: Term, frame: Frame) -> list[Frame]:
    """The forward of a network of the project; of one of two networks both. Empty where one of them is not known."""
    options = network.options if isinstance(network, Choice) else (network,)
    found = [one for option in options if (one := _forward_of(option, frame)) is not None]
    return found if len(found) == len(options) else []


def _forward_of(network: Term, frame: Frame) -> Frame | None:
    value = frame.value(network)
    view = value.of if value.kind is Kind.MODULE else None
    if view is None and isinstance(network, Subscript) and value.kind in (Kind.MODULE, Kind.UNKNOWN):
        # One of a dict of networks: that which was put under the key.
        made = {where.value(call).of for call, where in built(network, frame)}
        view = made.pop() if len(made) == 1 else None
    forward = view.method("forward") if isinstance(view, ModuleClass) else None
    return frame.evaluator.frame(forward, view) if forward is not None else None
