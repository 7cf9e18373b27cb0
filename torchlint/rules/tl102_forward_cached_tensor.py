"""TL102 forward-cached-tensor: forward stores a tensor with its graph on self, and the next call reads it back."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Confidence, Hit, Place, hit
from torchlint.model import ModuleClass
from torchlint.model.unregistered.carried import carried_tensors
from torchlint.model.unregistered.carried_between import carried_between_branches
from torchlint.model.unregistered.carried_items import carried_items
from torchlint.rules import class_rule


@class_rule("TL102")
def forward_cached_tensor(module: ModuleClass) -> Iterator[Hit]:
    """Yield the stores of forward that keep an autograd graph alive from one call to the next."""
    found = (*carried_items(module), *carried_tensors(module), *carried_between_branches(module))
    for store in found:
        yield hit(
            store.span,
            store.symbol,
            attribute=store.attribute,
            writer=store.writer,
            when="record" if store.read is None else "grows" if store.accumulates else "default",
            because=(Place(store.read, "a later call reads it here"),) if store.read else (),
            confidence=None if module.is_certain else Confidence.MEDIUM,
        )
