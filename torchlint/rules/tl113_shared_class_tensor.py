"""TL113 shared-class-tensor: a method reads a tensor of its class or of a file's top level, which follows no module."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Confidence, Hit, Place, hit
from torchlint.model import ModuleClass
from torchlint.model.flow.uses import Use
from torchlint.model.unregistered.shared import Shared, shared_tensors
from torchlint.rules import class_rule


@class_rule("TL113")
def shared_class_tensor(module: ModuleClass) -> Iterator[Hit]:
    """Yield the tensors that stand outside of every instance and that methods compute with."""
    for shared in shared_tensors(module):
        yield hit(
            shared.span,
            shared.symbol,
            name=shared.name,
            owner=f"the class {shared.owner}" if shared.owner else "the file",
            reader=shared.reader,
            when=_variant(shared),
            because=(Place(shared.read, f"read here, in {shared.reader}()"),),
            confidence=None if module.is_certain else Confidence.MEDIUM,
        )


def _variant(shared: Shared) -> str:
    if shared.value.ndim == 0:
        return "0-dim"
    if shared.use is Use.MOVED:
        return "moved at every read"
    # A mask is as good as an index, and a floating index is none.
    return "index only" if shared.use is Use.INDEXES and not shared.value.is_floating else "default"
