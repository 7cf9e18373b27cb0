"""TL110 shallow-state-iteration: recurse=False where the whole model is meant, or parameters paired with buffers."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.weights.shallow import shallow_enumerations
from torchlint.rules import function_rule


@function_rule("TL110")
def shallow_state_iteration(function: Frame) -> Iterator[Hit]:
    """Yield the enumerations that leave out submodules, and the zips of unlike state."""
    for shallow in shallow_enumerations(function):
        yield hit(
            shallow.span,
            function.symbol,
            when=shallow.kind,
            what=shallow.what,
            use=shallow.use,
            because=(Place(shallow.used, "used here"),) if shallow.used != shallow.span else (),
        )
