"""TL105 unregistered-container: a plain list, tuple or dict holds modules, Parameters or tensors."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Confidence, Hit, Place, hit
from torchlint.model import ModuleClass
from torchlint.model.unregistered.containers import Contents, PlainContainer, plain_containers
from torchlint.model.unregistered.leftovers import Reading
from torchlint.model.unregistered.records import plain_records
from torchlint.rules import class_rule

_NOTES = {
    Reading.MOVED: "moved at every read",
    Reading.INDEXES: "index only",
    Reading.SCALAR: "0-dim",
    Reading.GIVEN: "given tensors",
}


@class_rule("TL105")
def unregistered_container(module: ModuleClass) -> Iterator[Hit]:
    """Yield the plain containers whose members torch does not know of."""
    for found in (*plain_containers(module), *plain_records(module)):
        yield hit(
            found.span,
            found.symbol,
            attribute=found.attribute,
            container=found.container,
            reader=found.reader,
            when=_variant(found),
            because=_places(found),
            confidence=None if module.is_certain else Confidence.MEDIUM,
        )


def _variant(found: PlainContainer) -> str:
    contents = "default" if found.contents is Contents.MODULES else str(found.contents.value)
    return _NOTES.get(found.reading, contents)


def _places(found: PlainContainer) -> tuple[Place, ...]:
    filled = Place(found.filled, "filled here") if found.filled is not None else None
    read = Place(found.read, f"read here, in {found.reader}()")
    return (filled, read) if filled is not None else (read,)
