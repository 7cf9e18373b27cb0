"""TL207 hard-coded-device: a tensor is pinned to a device that no input decided, and meets inputs or parameters."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.devices.guards import is_pinned_where_available
from torchlint.model.devices.paths import fixed_tensors, runs_in_modules
from torchlint.rules import function_rule


@function_rule("TL207")
def hard_coded_device(function: Frame) -> Iterator[Hit]:
    """Yield what pins a tensor to CUDA or to a device of the file, where it is combined with inputs or parameters."""
    for meeting in fixed_tensors(function, pinned=True):
        where = "default" if runs_in_modules(function) else "outside"
        is_only_there = is_pinned_where_available(meeting.placed, function)
        yield hit(
            meeting.placed.span,
            meeting.placed.symbol,
            by=meeting.by,
            device="the CUDA device" if meeting.placed.how == "cuda" else "a device that the file chose",
            code=f"{function.method.name}()",
            when=f"{where} where available" if is_only_there else where,
            because=(Place(meeting.met, f"combined with inputs or parameters here ({meeting.by})"),),
        )
