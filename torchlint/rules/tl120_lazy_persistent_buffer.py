"""TL120 lazy-persistent-buffer: a saved buffer starts as None, so that a fresh instance refuses its own checkpoint."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Confidence, Hit, Place, hit
from torchlint.model import ModuleClass
from torchlint.model.modules.lazy import lazy_buffers
from torchlint.rules import class_rule


@class_rule("TL120")
def lazy_persistent_buffer(module: ModuleClass) -> Iterator[Hit]:
    """Yield the persistent buffers that construction registers as None and a later method fills."""
    for buffer in lazy_buffers(module):
        yield hit(
            buffer.span,
            buffer.symbol,
            attribute=buffer.attribute,
            filler=buffer.filler,
            because=(Place(buffer.filled, f"{buffer.filler}() fills it: from here on state_dict() contains it"),),
            confidence=None if module.is_certain else Confidence.MEDIUM,
        )
