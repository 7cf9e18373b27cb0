"""TL306 numpy-on-device: numpy gets a tensor that autograd records, that is on an accelerator, or that is bfloat16."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.dtypes.to_numpy import refused_by_numpy
from torchlint.rules import function_rule


@function_rule("TL306")
def numpy_on_device(function: Frame) -> Iterator[Hit]:
    """Yield the calls that hand numpy a tensor that it refuses."""
    for found in refused_by_numpy(function):
        places = (Place(found.network, "the value comes from this call"),) if found.network is not None else ()
        yield hit(
            found.span,
            function.symbol,
            when=found.kind,
            value=found.value,
            operation=found.by,
            because=tuple(place for place in places if place.span != found.span),
        )
