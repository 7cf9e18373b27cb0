"""TL121 buffer-written-after-read: forward writes a buffer in place that its own backward pass still needs."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Confidence, Hit, Place, hit
from torchlint.model import ModuleClass
from torchlint.model.unregistered.overwritten import overwritten_buffers
from torchlint.rules import class_rule


@class_rule("TL121")
def buffer_written_after_read(module: ModuleClass) -> Iterator[Hit]:
    """Yield the in-place writes of forward to buffers that autograd has saved before in the same call."""
    for write in overwritten_buffers(module):
        yield hit(
            write.span,
            write.symbol,
            attribute=write.attribute,
            writer=write.writer,
            operation=write.operation,
            because=(Place(write.read, f"autograd saves it here, for the gradient of {write.operation}"),),
            confidence=None if module.is_certain else Confidence.MEDIUM,
        )
