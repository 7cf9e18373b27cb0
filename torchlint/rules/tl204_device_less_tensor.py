"""TL204 device-less-tensor: a tensor made without device= on a forward path meets inputs or parameters."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.devices.paths import fixed_tensors
from torchlint.rules import function_rule


@function_rule("TL204")
def device_less_tensor(function: Frame) -> Iterator[Hit]:
    """Yield the factories without a device whose tensors are combined with what lies where the inputs are."""
    for meeting in fixed_tensors(function, pinned=False):
        yield hit(
            meeting.placed.span,
            meeting.placed.symbol,
            by=meeting.by,
            because=(Place(meeting.met, f"combined with inputs or parameters here ({meeting.by})"),),
        )
