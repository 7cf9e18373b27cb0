"""TL103 stale-train-cache: a value that train() or eval() caches outlives what it was computed from."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Confidence, Hit, Place, hit
from torchlint.model import ModuleClass
from torchlint.model.caches.caches import StaleCache, stale_caches
from torchlint.model.caches.caches_on_children import stale_caches_on_children
from torchlint.rules import class_rule


@class_rule("TL103")
def stale_train_cache(module: ModuleClass) -> Iterator[Hit]:
    """Yield the caches of mode changes that load_state_dict(), a conversion or train(True) leaves stale."""
    for cache in (*stale_caches(module), *stale_caches_on_children(module)):
        yield hit(
            cache.span,
            cache.symbol,
            attribute=cache.attribute,
            missed=_listed(event.value for event in cache.missed),
            handled=_handled(cache),
            graph="; it also keeps the autograd graph of the call that stored it" if cache.keeps_graph else "",
            when=_variant(cache),
            because=_places(cache),
            confidence=None if module.is_certain else Confidence.MEDIUM,
        )


def _places(cache: StaleCache) -> tuple[Place, ...]:
    stored = Place(cache.store, "the value is stored here") if cache.store != cache.span else None
    used = Place(cache.read, "and used here, whatever happened since") if cache.read is not None else None
    return tuple(place for place in (stored, used) if place is not None)


def _handled(cache: StaleCache) -> str:
    if not cache.is_learned or not cache.handled:
        return ""
    return f"; {_listed(event.value for event in cache.handled)} {'renews' if len(cache.handled) == 1 else 'renew'} it"


def _variant(cache: StaleCache) -> str:
    if cache.is_merge:
        return "merge"
    return "default" if cache.is_learned else "constant"


def _listed(words: Iterator[str]) -> str:
    found = list(words)
    return " and ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found)
