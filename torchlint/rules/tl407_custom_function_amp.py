"""TL407 custom-function-amp: an autograd.Function that does not say how it runs under autocast."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.autocast.custom_functions import custom_function
from torchlint.rules import function_rule


@function_rule("TL407")
def custom_function_amp(function: Frame) -> Iterator[Hit]:
    """Yield the Functions whose forward this is, where their backward pass meets two dtypes."""
    found = custom_function(function)
    if found is not None:
        yield hit(
            found.span,
            found.name,
            when=found.kind,
            function=found.name,
            operation=found.operation,
            missing=found.missing,
            because=(Place(found.at, f"{found.operation} meets two dtypes"),),
        )
