"""TL119 stale-device-attribute: a device or dtype of construction places tensors after the module has moved."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Confidence, Hit, Place, hit
from torchlint.model import ModuleClass
from torchlint.model.unregistered.remembered import Remembered, remembered_placements
from torchlint.rules import class_rule


@class_rule("TL119")
def stale_device_attribute(module: ModuleClass) -> Iterator[Hit]:
    """Yield the attributes that remember a device or dtype of construction and that later methods trust."""
    for remembered in remembered_placements(module):
        yield hit(
            remembered.span,
            remembered.symbol,
            attribute=remembered.attribute,
            facet=remembered.facet.value,
            reader=remembered.reader,
            when="default" if remembered.converted is None else "converted",
            because=_places(remembered),
            confidence=None if module.is_certain else Confidence.MEDIUM,
        )


def _places(remembered: Remembered) -> tuple[Place, ...]:
    converted = Place(remembered.converted, "the module is converted here") if remembered.converted else None
    read = Place(remembered.read, f"{remembered.reader}() places a tensor by it")
    return (converted, read) if converted else (read,)
