"""TL118 freeze-undone-by-train: a part is put into eval mode once, and the next train() of its owner wakes it."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Confidence, Hit, hit
from torchlint.model import ModuleClass
from torchlint.model.freezes import undone_freezes
from torchlint.rules import class_rule


@class_rule("TL118")
def freeze_undone_by_train(module: ModuleClass) -> Iterator[Hit]:
    """Yield the calls of eval() in construction that no train() override repeats."""
    for freeze in undone_freezes(module):
        yield hit(
            freeze.span,
            freeze.symbol,
            part=freeze.part,
            method=freeze.method,
            confidence=None if module.is_certain else Confidence.MEDIUM,
        )
