"""Properties that a class overrides, as its own method reads them: super().name."""

from __future__ import annotations

from torchlint.model.frames import Frame, is_decorated
from torchlint.model.terms import Attribute, Super
from torchlint.model.values import TensorValue


def property_above(term: Attribute, frame: Frame) -> TensorValue | None:
    """What super().name computes; None for any other attribute."""
    if not isinstance(term.base, Super) or frame.view is None:
        return None
    method = frame.view.method_after(frame.method, term.name, term.base)
    if method is None or not (is_decorated(method, "property") or is_decorated(method, "cached_property")):
        return None
    return frame.evaluator.returned(frame.view.frame(method))
