"""TL112 cached-method: functools remembers the tensor that a method returned, whatever happens to the module since."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Confidence, Hit, Place, hit
from torchlint.model import ModuleClass
from torchlint.model.caches.memoised import Memoised, bound_memos, memoised_methods
from torchlint.rules import class_rule


@class_rule("TL112", outranks=("TL103", "TL104"))
def cached_method(module: ModuleClass) -> Iterator[Hit]:
    """Yield the methods that functools caches although they return tensors."""
    for method in (*memoised_methods(module), *bound_memos(module)):
        missed = [event.value for event in method.missed]
        yield hit(
            method.span,
            method.symbol,
            decorator=method.decorator,
            method=method.method,
            missed=" and ".join([", ".join(missed[:-1]), missed[-1]] if len(missed) > 1 else missed),
            when=_variant(method),
            because=(Place(method.born, "the tensor that is kept"),) if method.born else (),
            confidence=None if module.is_certain else Confidence.MEDIUM,
        )


def _variant(method: Memoised) -> str:
    if not method.missed:
        return "keeps alive"
    return "shared" if method.is_shared else "default"
