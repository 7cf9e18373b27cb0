"""What layers of torch make of layouts, and which layers a module runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from torchlint.knowledge.strides import CONTIGUOUS_LAYERS, DIMENSIONS, ELEMENTWISE_LAYERS, KEEPS_CHANNELS_LAST
from torchlint.model.events import Write
from torchlint.model.frames import Frame
from torchlint.model.layouts.stride_orders import channels_last, elementwise
from torchlint.model.layouts.strides import ONE, Axis, Layout, Size, in_order, located, open_layout, with_ndim
from torchlint.model.terms import Attribute, Call, Starred, Term
from torchlint.model.values import Kind

if TYPE_CHECKING:
    from torchlint.model.layouts.layouts import Scope

_NEW_DIMENSION = frozenset(("Embedding", "embedding", "one_hot"))
# Where a constructor says how many channels its layer answers with: the position, and the name.
_CHANNELS = {
    "Linear": (1, "out_features"),
    "Embedding": (1, "embedding_dim"),
    **dict.fromkeys(
        ("Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"), (1, "out_channels")
    ),
}
LAYER_FUNCTIONS = CONTIGUOUS_LAYERS | KEEPS_CHANNELS_LAST | _NEW_DIMENSION


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer of torch that a call runs. made: the call that constructed it, in `frame`; None where that is not
    seen."""

    name: str
    made: Call | None
    frame: Frame

    def channels(self) -> Term | None:
        """The term that says how many channels, or features, the layer answers with."""
        position, keyword = _CHANNELS.get(self.name, (0, ""))
        return self.made.argument(position, keyword) if self.made is not None and keyword else None

    def with_channels(self, layout: Layout | None, size: Size | None) -> Layout | None:
        """The layout of its result, with the number of channels that it was made for."""
        if layout is None or size is None:
            return layout
        found = located(layout, 1 if self.name[-2:] in DIMENSIONS else -1)
        if found is None or found[0].axes[found[1]].size == ONE:
            return layout
        layout, at = found
        return replace(layout, axes=(*layout.axes[:at], layout.axes[at]._replace(size=size), *layout.axes[at + 1 :]))


def layers(made_by: str, callee: Term, scope: Scope) -> list[Layer] | None:
    """The layers that run one after the other."""
    name = made_by.rpartition(".")[2]
    found = construction(callee, scope)
    if name != "Sequential":
        made, frame = found if found is not None else (None, scope.frame)
        return [Layer(name, made, frame)] if made_by.startswith("torch.") else None
    if found is None or not found[0].arguments or any(isinstance(term, Starred) for term in found[0].arguments):
        return None
    made, frame = found
    values = [frame.value(term) for term in made.arguments]
    if any(value.of is not None or not (value.made_by or "").startswith("torch.") for value in values):
        return None
    names = [(value.made_by or "").rpartition(".")[2] for value in values]
    return [
        Layer(name, term if isinstance(term, Call) else None, frame)
        for name, term in zip(names, made.arguments, strict=True)
    ]


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
        return made if kept else _of_other_sizes(made, call, 2 if "conv" in name.lower() else 1)
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


def _of_other_sizes(layout: Layout, call: Call, count: int) -> Layout:
    """The last dimensions have other sizes: one of a linear layer, two of a one-dimensional convolution."""
    axes = list(layout.axes)
    for at in range(max(len(axes) - count, 0), len(axes)):
        if axes[at].identity != layout.rest and axes[at].size != ONE:
            axes[at] = axes[at]._replace(size=(("layer", id(call), at - len(axes)),))
    return replace(layout, axes=tuple(axes))
