"""TL106 stale-derived-state: construction computes a value from a Parameter, and nothing computes it again."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Confidence, Hit, Place, hit
from torchlint.model import ModuleClass
from torchlint.model.caches.derived import Derived, derived_values
from torchlint.model.caches.derived_forms import Form
from torchlint.rules import class_rule

_WHEN = {Form.COMPUTED: "default", Form.VIEW: "view", Form.COPY: "copy"}


@class_rule("TL106", outranks=("TL103", "TL104", "TL102", "TL105", "TL101"))
def stale_derived_state(module: ModuleClass) -> Iterator[Hit]:
    """Yield the attributes and buffers that stay as construction computed them while their parameters change."""
    for derived in derived_values(module):
        yield hit(
            derived.span,
            derived.symbol,
            attribute=derived.attribute,
            source=derived.source,
            reader=derived.reader,
            missed=_listed([change.value for change in derived.missed]),
            graph="; it also keeps an autograd graph, so that deepcopy() of the module raises"
            if _holds(derived)
            else "",
            when=_WHEN[derived.form],
            because=(Place(derived.read, f"{derived.reader}() reads what construction left"),),
            confidence=None if module.is_certain else Confidence.MEDIUM,
        )


def _holds(derived: Derived) -> bool:
    return derived.keeps_graph


def _listed(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
