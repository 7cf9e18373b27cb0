"""TL114 lost-parameter: an attribute gets what was computed from a new Parameter, not the Parameter."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Confidence, Hit, Place, hit
from torchlint.model import ModuleClass
from torchlint.model.modules.lost import lost_parameters
from torchlint.rules import class_rule


@class_rule("TL114", outranks=("TL101", "TL105", "TL106"))
def lost_parameter(module: ModuleClass) -> Iterator[Hit]:
    """Yield the attributes that hold a conversion or another result of a Parameter that nothing holds."""
    for lost in lost_parameters(module):
        is_elsewhere = lost.made.line != lost.span.line
        yield hit(
            lost.span,
            lost.symbol,
            attribute=lost.attribute,
            step=lost.step,
            when="default" if lost.is_conversion else "computed",
            because=(Place(lost.made, "the Parameter is made here"),) if is_elsewhere else (),
            confidence=None if module.is_certain else Confidence.MEDIUM,
        )
