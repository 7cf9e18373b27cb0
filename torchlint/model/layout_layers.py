"""What layers of torch make of layouts, and which layers a module runs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from torchlint.knowledge.strides import CONTIGUOUS_LAYERS, DIMENSIONS, ELEMENTWISE_LAYERS, KEEPS_CHANNELS_LAST
from torchlint.model.events import Write
from torchlint.model.frames import Frame
from torchlint.model.stride_orders import channels_last, elementwise
from torchlint.model.strides import ONE, Axis, Layout, Size, in_order, open_layout, with_ndim
from torchlint.model.terms import Attribute, Call, Starred, Term
from torchlint.model.values import Kind

if TYPE_CHECKING:
    from torchlint.model.layouts import Scope

_NEW_DIMENSION = frozenset(("Embedding", "embedding", "one_hot"))
LAYER_FUNCTIONS = CONTIGUOUS_LAYERS | KEEPS_CHANNELS_LAST | _NEW_DIMENSION


def layers(made_by: str, callee: Term, scope: Scope) -> list[str] | None:
    """The names of the layers that run one after the other."""
    name = made_by.rpartition(".")[2]
    if name != "Sequential":
        return [name] if made_by.startswith("torch.") else None
    found = construction(callee, scope)
    if found is None or not found[0].arguments or any(isinstance(term, Starred) for term in found[0].arguments):
        return None
    values = [found[1].value(term) for term in found[0].arguments]
    if any(value.of is not None or not (value.made_by or "").startswith("torch.") for value in values):
        return None
    return [(value.made_by or "").rpartition(".")[2] for value in values]


def construction(callee: Term, scope: Scope) -> tuple[Call, Frame] | None:
    """The call that made a layer, and where: of a local, or of an attribute that is written once."""
    if isinstance(callee, Call):
        return callee, scope.frame
    holder = scope.frame.value(callee.base) if isinstance(callee, Attribute) else None
    if holder is None or holder.of is None or holder.kind not in (Kind.MODULE, Kind.OBJECT):
        return None
    assert isinstance(callee, Attribute)
    writes = holder.of.state.writes(callee.name)
    value = writes[0].event.value if len(writes) == 1 and isinstance(writes[0].event, Write) else None
    return (value, writes[0].frame) if isinstance(value, Call) else None


def through(name: str, layout: Layout, call: Call) -> Layout | None:
    """The layout after a layer or function of torch.nn by its name."""
    if name in _NEW_DIMENSION:
        made = in_order(layout)
        last = Axis(made.fresh(), (("layer", id(call)),))
        return replace(made, axes=(*made.axes, last), memory=(*made.memory, last.identity))
    if name in ELEMENTWISE_LAYERS:
        return elementwise([layout])
    if name in CONTIGUOUS_LAYERS:
        count = DIMENSIONS.get(name[-2:].lower())
        made = in_order(with_ndim(layout, count) if count else layout)
        kept = name.lower().endswith(("norm", "softmax"))
        return made if kept else _of_other_sizes(made, call)
    if name in KEEPS_CHANNELS_LAST:
        count = DIMENSIONS.get(name[-2:].lower()) or layout.ndim
        if count is None or "adaptive" in name.lower() or name.lower().startswith("avg"):
            # A pooling may leave a single element, and then any order is plain.
            return open_layout(("layer", id(call))) if layout.cause is None else None
        flat = with_ndim(layout, count)
        if len(flat.axes) != count:
            return None
        is_pool = "pool" in name.lower()
        sizes = [_kept(axis.size, is_kept=at == 0 or (is_pool and at == 1), token=(id(call), at))
                 for at, axis in enumerate(flat.axes)]  # fmt: skip
        if "norm" in name.lower():
            sizes = [axis.size for axis in flat.axes]
        return channels_last(flat, sizes)
    return None


def _kept(size: Size, *, is_kept: bool, token: object) -> Size:
    return size if is_kept else (("layer", token),)


def _of_other_sizes(layout: Layout, call: Call) -> Layout:
    """The last dimension has another size: what a linear layer or a one-dimensional convolution answers."""
    axes = list(layout.axes)
    if axes and axes[-1].identity != layout.rest and axes[-1].size != ONE:
        axes[-1] = axes[-1]._replace(size=(("layer", id(call)),))
    return replace(layout, axes=tuple(axes))
