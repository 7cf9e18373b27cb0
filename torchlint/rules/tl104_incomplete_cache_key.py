"""TL104 incomplete-cache-key: a value is kept by a test that leaves out something the value depends on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from torchlint.findings import Confidence, Hit, Place, hit
from torchlint.model import Frame, ModuleClass
from torchlint.model.caches.function_memos import incomplete_function_keys
from torchlint.model.caches.keys import IncompleteKey, incomplete_keys
from torchlint.model.modules.dependences import Dependence, Facet
from torchlint.rules import definition_rule

_EVENTS = {Facet.DEVICE: ".to()", Facet.DTYPE: ".half()", Facet.STATE: "load_state_dict()"}


@definition_rule("TL104", outranks=("TL102", "TL105", "TL101"))
def incomplete_cache_key(definition: ModuleClass | Frame) -> Iterator[Hit]:
    """Yield the stores of lazily built tensors whose test does not ask all that they depend on."""
    is_certain = isinstance(definition, Frame) or definition.is_certain
    for key in incomplete_function_keys(definition) if isinstance(definition, Frame) else incomplete_keys(definition):
        yield hit(
            key.span,
            key.symbol,
            cache=key.shown,
            kept=f"by {_kept_by(key)} alone",
            missing=_listed(map(_named, key.missing)),
            events=_listed(dict.fromkeys(_event(one, key) for one in key.missing)),
            when=key.lacking.value,
            because=_places(key),
            confidence=None if is_certain else Confidence.MEDIUM,
        )


def _kept_by(key: IncompleteKey) -> str:
    if key.asked:
        return _listed(map(_named, key.asked))
    return _listed(f"self.{name}" for name in key.deciding) if key.deciding else "its presence"


def _named(one: Dependence) -> str:
    if one.facet in (Facet.DEVICE, Facet.DTYPE):
        return f"the {one.facet.value}"
    if one.facet is Facet.SHAPE:
        return f"the shape of {one.name}"
    return f"self.{one.name}" if one.facet in (Facet.STATE, Facet.SETTING) else one.name


def _event(one: Dependence, key: IncompleteKey) -> str:
    if one.facet is Facet.SETTING:
        return "the next instance"
    return _EVENTS.get(
        one.facet, f"another {one.name}" if one.facet is Facet.ARGUMENT else f"an {one.name} of another shape"
    )


def _places(key: IncompleteKey) -> tuple[Place, ...]:
    read = (Place(key.read, "and used here, whatever changed since"),) if key.read else ()
    return (Place(key.test, "this test decides whether it is made again"), *read)


def _listed(words: Iterable[str]) -> str:
    found = list(words)
    return " and ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found)
