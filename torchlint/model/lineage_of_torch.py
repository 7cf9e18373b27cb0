"""The lineage of what functions of torch return."""

from __future__ import annotations

from torchlint.knowledge import graphs
from torchlint.knowledge.dtypes import legacy_tensor
from torchlint.model.devices import is_away
from torchlint.model.frames import Frame
from torchlint.model.lineage import FRESH, PYTHON, UNKNOWN, Lineage, computed
from torchlint.model.terms import Call, Constant


def of_torch(path: str, name: str, call: Call, inputs: list[Lineage], frame: Frame) -> Lineage:
    """The result of a function of torch."""
    if path.startswith(("torch.distributions", "torch.utils.checkpoint")):
        return computed(inputs)
    if name in ("load", "device", "Generator", "DataLoader") or path.startswith(("torch.utils", "torch.optim")):
        return UNKNOWN
    given = call.keyword("device")
    away = is_away(given, frame) if given is not None else None
    if name == "Variable":
        return computed(inputs).but(recorded=False, is_sure=True)
    leaf = call.keyword("requires_grad")
    is_leaf = leaf is not None and not (isinstance(leaf, Constant) and leaf.value is False)
    if name in graphs.REBUILDS or legacy_tensor(path) is not None:
        moved = computed(inputs).away if inputs and not inputs[0].is_python else False
        place = away if given is not None else True if ".cuda." in path else moved
        return FRESH.but(away=place, recorded=is_leaf and computed(inputs).is_python)
    if name in graphs.FACTORIES:
        return FRESH.but(away=away or False, recorded=is_leaf)
    if name in graphs.UNRECORDED:
        place = computed(inputs).away
        return FRESH.but(away=away if given is not None else place)
    tensors = computed(one for one in inputs if one != PYTHON)
    return FRESH if tensors.is_python else tensors.but(is_sure=True)
