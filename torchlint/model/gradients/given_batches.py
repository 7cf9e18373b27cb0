"""Methods that evaluate one batch, and that another file gives batch after batch."""

from __future__ import annotations

from torchlint.model.events import RegionKind
from torchlint.model.flow.callers import callers_of
from torchlint.model.frames import Frame, has_self
from torchlint.model.gradients.evaluation_phases import is_counted
from torchlint.model.training.fed_loops import is_fed_by_element


def is_given_batches(frame: Frame) -> bool:
    """True where a caller in another file runs the method in a loop, and gives it what the loop runs over. In the same
    file the loop itself is told."""
    return has_self(frame.function) and any(
        region.kind is RegionKind.LOOP and not is_counted(region) and is_fed_by_element(region, caller)
        for caller in callers_of(frame)
        if caller.frame.path != frame.path
        for region in caller.event.regions
    )
