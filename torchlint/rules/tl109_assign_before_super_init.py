"""TL109 assign-before-super-init: state that an object gets before nn.Module's constructor has made it a Module."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import ModuleClass
from torchlint.model.modules.initialisation import early_state
from torchlint.rules import class_rule


@class_rule("TL109", outranks=("TL101", "TL105", "TL106", "TL114", "TL115"))
def assign_before_super_init(module: ModuleClass) -> Iterator[Hit]:
    """Yield the Parameters, Modules and buffers that come before super().__init__()."""
    for early in early_state(module):
        yield hit(
            early.span,
            early.symbol,
            attribute=early.attribute,
            method=early.call,
            when=early.kind.value,
            because=(Place(early.initialised, "nn.Module is initialised only here"),) if early.initialised else (),
        )
