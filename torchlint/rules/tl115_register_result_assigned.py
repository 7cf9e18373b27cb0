"""TL115 register-result-assigned: an attribute gets the result of a registering call, which is None."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Confidence, Hit, hit
from torchlint.model import ModuleClass
from torchlint.model.modules.empty_results import empty_results
from torchlint.rules import class_rule


@class_rule("TL115", outranks=("TL101", "TL105"))
def register_result_assigned(module: ModuleClass) -> Iterator[Hit]:
    """Yield the assignments of what register_buffer() and its like return."""
    for found in empty_results(module):
        yield hit(
            found.span,
            found.symbol,
            attribute=found.attribute,
            call=found.call,
            when="default" if found.is_same else "other name",
            confidence=None if module.is_certain else Confidence.MEDIUM,
        )
