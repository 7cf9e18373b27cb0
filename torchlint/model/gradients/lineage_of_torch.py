"""The lineage of what functions of torch return, and of what they move."""

from __future__ import annotations

from torchlint.knowledge import graphs
from torchlint.knowledge.dtypes import legacy_tensor
from torchlint.model.devices.devices import is_away, moved_to
from torchlint.model.frames import Frame, Moment, has_self
from torchlint.model.gradients.lineage import FRESH, PYTHON, UNKNOWN, Lineage, Scene, computed
from torchlint.model.terms import Argument, Attribute, Call, Constant, Term


def moved_in(call: Call, scene: Scene) -> bool | None:
    """Where x.to(..), x.cuda() or x.cpu() moves its receiver in a function that was entered; as `moved_to` says it."""
    given = call.keyword("device") or (call.arguments[0] if call.arguments else None)
    if not isinstance(given, Argument):
        return moved_to(call, scene.frame)
    passed, frame = _passed(given, scene)
    return moved_to(call, frame) if passed is given else is_away(passed, frame)


def _place(given: Term, scene: Scene) -> bool | None:
    """Whether a device may be an accelerator; no device at all is the CPU."""
    passed, frame = _passed(given, scene)
    if isinstance(passed, Constant) and passed.value is None:
        return False
    return is_away(passed, frame)


def _passed(term: Term, scene: Scene) -> tuple[Term, Frame]:
    """What the calls that led to a function give for a parameter, or its default, and the frame where that stands."""
    frame, caller = scene.frame, scene.caller
    while isinstance(term, Argument) and caller is not None and term.index < len(frame.function.parameters):
        given = _given(term, frame, caller)
        if given is None:
            return frame.function.parameters[term.index].default or term, frame
        term, frame, caller = given, caller.frame, caller.caller
    return term, frame


def _given(term: Argument, frame: Frame, caller: Moment) -> Term | None:
    call = getattr(caller.event, "term", None)
    if not isinstance(call, Call):
        return term
    is_bound = has_self(frame.function) and (isinstance(call.callee, Attribute) or frame.function.name == "forward")
    position = term.index - (1 if is_bound else 0)
    unclear = call.has_star_before(position) or any(key is None for key, _ in call.keywords)
    return term if position < 0 or unclear else call.argument(position, term.name)


def of_torch(path: str, name: str, call: Call, inputs: list[Lineage], scene: Scene) -> Lineage:
    """The result of a function of torch."""
    if path.startswith(("torch.distributions", "torch.utils.checkpoint")):
        return computed(inputs)
    if name in ("load", "device", "Generator", "DataLoader") or path.startswith(("torch.utils", "torch.optim")):
        return UNKNOWN
    given = call.keyword("device")
    away = _place(given, scene) if given is not None else None
    leaf = call.keyword("requires_grad")
    is_leaf = leaf is not None and not (isinstance(leaf, Constant) and leaf.value is False)
    if name == "Variable":
        return computed(inputs).but(recorded=is_leaf, is_sure=True)
    if path == "torch.autograd.grad":
        graph = call.keyword("create_graph")
        return computed(inputs).but(recorded=isinstance(graph, Constant) and graph.value is True, is_sure=True)
    if path == "torch.nn.Parameter":
        return computed(inputs).but(recorded=leaf is None or is_leaf, is_sure=True, is_python=False)
    if name in graphs.REBUILDS or legacy_tensor(path) is not None:
        moved = computed(inputs).away if inputs and not inputs[0].is_python else False
        place = away if given is not None else True if ".cuda." in path else moved
        return FRESH.but(away=place, recorded=is_leaf and computed(inputs).is_python)
    if name in graphs.FACTORIES:
        return FRESH.but(away=away if given is not None else False, recorded=is_leaf)
    if name in graphs.UNRECORDED:
        place = computed(inputs).away
        return FRESH.but(away=away if given is not None else place)
    tensors = computed(one for one in inputs if one != PYTHON)
    return FRESH if tensors.is_python else tensors.but(is_sure=True)
