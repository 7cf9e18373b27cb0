"""TL122 unsaved-state: training updates a value that outputs depend on, and a checkpoint does not have it."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Confidence, Hit, Place, hit
from torchlint.model import ModuleClass
from torchlint.model.unregistered.unsaved import unsaved_state
from torchlint.rules import class_rule


@class_rule("TL122", outranks=("TL101", "TL102"))
def unsaved_state_of(module: ModuleClass) -> Iterator[Hit]:
    """Yield the attributes that a resumed run begins anew although training built them up."""
    for lost in unsaved_state(module):
        yield hit(
            lost.span,
            lost.symbol,
            attribute=lost.attribute,
            writer=lost.writer,
            reader=lost.reader,
            when=lost.held,
            because=(
                Place(lost.update, f"updated here, in {lost.writer}()"),
                Place(lost.read, f"read here, in {lost.reader}()"),
            ),
            confidence=None if module.is_certain else Confidence.MEDIUM,
        )
