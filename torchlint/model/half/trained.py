"""Models that are trained in mixed precision although their own weights were converted to half."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.model.events import RegionKind
from torchlint.model.flow.branches import exclude, implies
from torchlint.model.flow.same_object import Key
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.terms import Attribute, Captured, Term
from torchlint.model.training.setup import Setting, holds_conversion, settings_of
from torchlint.source import Span

_TRAINED = frozenset(("optimizer", "prepare", "train"))
_SCALES = frozenset(("scaler", "accelerate"))


@dataclass(frozen=True, slots=True)
class HalfTrained:
    """A conversion of weights that are trained. kind: "default" (a scaler unscales their gradients), "plain" (float16,
    with autocast alone) or "bfloat16". trained: what says that they are trained."""

    kind: str
    span: Span
    symbol: str
    model: str
    dtype: str
    trained: Span


def half_trained(frame: Frame) -> Iterator[HalfTrained]:
    """The conversions of a function, and of the helpers that it calls, of models that it trains in mixed precision."""
    if not _speaks_of_mixed_precision(frame) or not _may_convert(frame):
        return
    own = settings_of(frame)
    conversions = [one for one in own if one.kind == "half"]
    if not conversions:
        return
    settings = own + _elsewhere(frame)
    if any(one.kind == "own" for one in settings):
        return
    for conversion in conversions:
        found = _judged(conversion, own, settings)
        if found is not None:
            yield found


def _speaks_of_mixed_precision(frame: Frame) -> bool:
    """True where some function of the file makes a scaler, an autocast region or an accelerator."""
    project = frame.evaluator.project
    top = project.top_of(frame.method)
    known: bool | None = top.derived.get("speaks of mixed precision")
    if known is None:
        functions = [one.function for one in project.functions_in(frame.path)] or [frame.method]
        known = top.derived["speaks of mixed precision"] = any(
            _mixed(last_name(event.term)) for one in functions for event in one.events if hasattr(event, "term")
        )
    return known


def _mixed(name: str) -> bool:
    return name in ("GradScaler", "ShardedGradScaler", "Accelerator", "unscale_", "scale") or "autocast" in name


def _may_convert(frame: Frame) -> bool:
    """False for a function that neither converts nor trains anything, and names no dtype to what does."""
    if any(call.keyword("dtype") is not None for call in frame.function.calls):
        return True
    return holds_conversion(frame.function.events) or any(
        "optim" in last_name(event.term).lower() or last_name(event.term) in ("Adam", "AdamW", "SGD", "prepare")
        for event in frame.function.events
        if hasattr(event, "term")
    )


def _elsewhere(frame: Frame) -> list[Setting]:
    """What the other methods of the object set up, or the calls around a function that is given its model."""
    if frame.view is None or frame.outer is not None:
        return []
    methods = (method for method in frame.view.methods if method is not frame.function)
    return [one for method in methods for one in settings_of(frame.view.frame(method), 1)]


def _judged(conversion: Setting, own: list[Setting], settings: list[Setting]) -> HalfTrained | None:
    if any(_undoes(one, conversion, own) for one in settings) or _comes_last(conversion, own):
        return None
    met = [one for one in settings if not exclude(one.facts, conversion.facts)]
    trained = next((one for one in met if _trains(one, conversion)), None)
    if trained is None or _stays_frozen(met, conversion):
        return None
    kinds = {one.kind for one in met}
    if not kinds & {*_SCALES, "autocast"}:
        return None
    if "float16" not in conversion.halves:
        kind, dtype = "bfloat16", "bfloat16"
    else:
        kind, dtype = "default" if kinds & _SCALES else "plain", "float16"
    where = conversion.moment.frame
    place, other = conversion.call.place, trained.moment.frame.span(trained.call.place)
    return HalfTrained(kind, where.span(place), where.symbol, _written(conversion) or "the model", dtype, other)


def _written(conversion: Setting) -> str:
    callee = conversion.call.callee
    return _path(callee.base) if isinstance(callee, Attribute) and last_name(callee) != "from_pretrained" else ""


def _path(term: Term) -> str:
    if isinstance(term, Attribute):
        base = _path(term.base)
        return f"{base}.{term.name}" if base else ""
    if isinstance(term, Captured):
        return _path(term.value)
    name = getattr(term, "name", "")
    return name if isinstance(name, str) and "." not in name else ""


def _trains(one: Setting, conversion: Setting) -> bool:
    if one.kind not in _TRAINED or not conversion.keys:
        return False
    if one.condition is not None and exclude(one.condition, conversion.facts):
        return False
    converted, trained = conversion.keys, one.keys
    if implies(conversion.facts, one.facts):
        converted, trained = _with_all(converted), _with_all(trained)
    if converted & trained:
        return True
    # What is loaded in half as a whole, such as a pipeline, has parts that others convert or leave alone.
    if wholes(trained) & converted and last_name(conversion.call) != "from_pretrained":
        return True
    # A part of what is trained, where nothing picks out some of the parameters.
    return bool(wholes(converted) & trained) and not one.filtered


def _with_all(keys: frozenset[Key]) -> frozenset[Key]:
    """What is done to each element is done to all that a list or a dict holds."""
    return keys | {key[1] for key in keys if key[0] == "element" and isinstance(key[1], tuple)}


def _stays_frozen(met: list[Setting], conversion: Setting) -> bool:
    """True where the module is frozen, and nothing says later that just this, or a part that stays half, is to be
    trained."""
    frozen = [one for one in met if _is_frozen(one, conversion)]
    if not frozen:
        return False
    thawed = [one for one in met if one.kind == "train" and one.condition == {} and _thaws(one, conversion)]
    wide = [key for one in met if one.kind == "wide" for key in one.keys]
    return not any(
        all(_comes_after(one, other, met) for other in frozen) and one.keys.isdisjoint(wide) for one in thawed
    )


def _is_frozen(one: Setting, conversion: Setting) -> bool:
    """True for the same module, frozen; for one with a test, where the test does not hold beside the conversion."""
    if one.kind == "train" and one.condition is not None and exclude(one.condition, conversion.facts):
        return bool(one.keys & conversion.keys)
    return one.kind == "frozen" and bool(one.keys & (conversion.keys | wholes(conversion.keys)))


def _thaws(one: Setting, conversion: Setting) -> bool:
    return bool((one.keys | wholes(one.keys)) & conversion.keys)


def _comes_after(one: Setting, other: Setting, order: list[Setting]) -> bool:
    """True for a later statement of the same function, and for one of another method of the object."""
    apart = one.moment.functions()[-1].function is not other.moment.functions()[-1].function
    return apart or order.index(one) > order.index(other)


def _undoes(one: Setting, conversion: Setting, own: list[Setting]) -> bool:
    """True for a conversion back to float32 that comes later, or that nobody knows the time of."""
    if one.kind != "wide" or not one.keys & (conversion.keys | wholes(conversion.keys)):
        return False
    return one not in own or own.index(one) > own.index(conversion)


def _comes_last(conversion: Setting, own: list[Setting]) -> bool:
    """True where all training of the function lies before: the model is converted to be saved or shown."""
    passes = [one for one in own if one.kind == "backward"]
    around = _loops(conversion.moment)
    return bool(passes) and all(
        own.index(one) < own.index(conversion) and not around & _loops(one.moment) for one in passes
    )


def _loops(moment: Moment | None) -> frozenset[int]:
    """The loops around an event and around the calls that led to it."""
    found: set[int] = set()
    while moment is not None:
        found |= {id(region) for region in moment.event.regions if region.kind is RegionKind.LOOP}
        moment = moment.caller
    return frozenset(found)


def wholes(keys: frozenset[Key]) -> frozenset[Key]:
    """The objects that these are parts of."""
    found: set[Key] = set()
    waiting = list(keys)
    while waiting:
        key = waiting.pop()
        if key[0] in ("attribute", "item", "element") and isinstance(key[1], tuple):
            found.add(key[1])
            waiting.append(key[1])
    return frozenset(found)
