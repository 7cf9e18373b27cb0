"""TL118 freeze-undone-by-train: a part is put into eval mode once, and the next train() of its owner wakes it."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Confidence, Hit, hit
from torchlint.model import Frame, ModuleClass
from torchlint.model.modes.freezes import Freeze, undone_freezes
from torchlint.model.modes.late_freezes import late_freezes, late_freezes_by
from torchlint.rules import definition_rule


@definition_rule("TL118")
def freeze_undone_by_train(subject: ModuleClass | Frame) -> Iterator[Hit]:
    """Yield the calls of eval(), in construction or in what is called to freeze, that nothing repeats after train()."""
    for freeze in _found(subject):
        yield hit(
            freeze.span,
            freeze.symbol,
            part=freeze.part,
            method=freeze.method,
            confidence=None if isinstance(subject, Frame) or subject.is_certain else Confidence.MEDIUM,
        )


def _found(subject: ModuleClass | Frame) -> Iterator[Freeze]:
    if isinstance(subject, Frame):
        yield from late_freezes_by(subject)
    else:
        yield from undone_freezes(subject)
        yield from late_freezes(subject)
