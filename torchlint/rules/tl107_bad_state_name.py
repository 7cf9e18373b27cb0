"""TL107 bad-state-name: state is registered under a name that torch refuses."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Confidence, Hit, Place, hit
from torchlint.model import Frame, ModuleClass
from torchlint.model.modules.state_keys import bad_keys_in, bad_keys_of
from torchlint.model.modules.state_names import BadName, Fault, bad_names
from torchlint.rules import definition_rule


@definition_rule("TL107", outranks=("TL101", "TL105", "TL106", "TL114", "TL115"))
def bad_state_name(subject: ModuleClass | Frame) -> Iterator[Hit]:
    """Yield the registrations that raise, or will, because of their name."""
    for found in _found(subject):
        known = found.name or found.fault in (Fault.EMPTY, Fault.NOT_TEXT, Fault.NESTED)
        yield hit(
            found.span,
            found.symbol,
            name=found.name,
            call=found.call,
            when=found.fault.value if known else "pattern",
            because=(Place(found.taken, "the name is taken here"),) if found.taken is not None else (),
            confidence=None if isinstance(subject, Frame) or subject.is_certain else Confidence.MEDIUM,
        )


def _found(subject: ModuleClass | Frame) -> Iterator[BadName]:
    if isinstance(subject, Frame):
        yield from bad_keys_in(subject)
    else:
        yield from bad_names(subject)
        yield from bad_keys_of(subject)
