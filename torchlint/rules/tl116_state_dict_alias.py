"""TL116 state-dict-alias: a state_dict() that is kept as a snapshot shares its tensors with the module."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.weights.kept_weights import Shadow, shadows
from torchlint.model.weights.snapshots import Snapshot, snapshots
from torchlint.rules import function_rule

_CHANGED = {"default": "the weights are written here, in place", "swap": "the raw weights are copied back here"}


@function_rule("TL116", helpers="as called")
def state_dict_alias(function: Frame) -> Iterator[Hit]:
    """Yield the states, and the averages of weights, that are kept without a copy of their tensors."""
    for kept in snapshots(function):
        yield hit(
            kept.span,
            kept.symbol,
            when=kept.kind,
            holder=kept.holder,
            step=kept.changed_by,
            user=kept.used_by,
            because=_places(kept),
        )
    for shadow in shadows(function):
        yield hit(
            shadow.span,
            function.symbol,
            when=shadow.kind,
            holder=shadow.holder,
            step=shadow.operation,
            because=_places_of(shadow),
        )


def _places(kept: Snapshot) -> tuple[Place, ...]:
    changed = (Place(kept.changed, _CHANGED[kept.kind]),) if kept.changed else ()
    return (*changed, Place(kept.used, "what was kept is used here"))


def _places_of(shadow: Shadow) -> tuple[Place, ...]:
    return (Place(shadow.written, "the one tensor that both are is written here"),)
