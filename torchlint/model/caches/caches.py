"""Caches of train() and eval(): values that a mode change leaves on a module, and the events that do not renew them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from torchlint.model.caches.cache_stores import Store, store_of
from torchlint.model.caches.memos import is_alias
from torchlint.model.events import Evaluated, ItemWrite, Write
from torchlint.model.facts import Function
from torchlint.model.flow.regions import grad_is_off
from torchlint.model.frames import Moment, is_decorated, self_use
from torchlint.model.modes.words import storing_for_mode
from torchlint.model.modules.refresh import (
    Refresh,
    answers_conversion,
    deciding_attributes,
    forward_hooks,
    has_version_key,
    load_moments,
    runs_in_mode,
    touched_by,
)
from torchlint.model.modules.state import Registration
from torchlint.model.terms import Argument, Attribute, Operation, Term
from torchlint.model.values import Kind, TensorValue
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass


@dataclass(frozen=True, slots=True)
class StaleCache:
    """A cache and what it misses.

    span: the store where train() or eval() itself stores, else the `def` of the mode method that fails to drop the
    cache.
    store: where the value is put. read: where another method uses it.
    missed: the events that leave the old value; handled: those that renew it.
    is_learned: it derives from parameters or buffers. is_merge: the value is added into a parameter.
    keeps_graph: the store runs where autograd records, so that the cache holds a graph.
    """

    attribute: str
    symbol: str
    span: Span
    store: Span
    read: Span | None
    missed: tuple[Refresh, ...]
    handled: tuple[Refresh, ...]
    is_learned: bool
    is_merge: bool
    keeps_graph: bool


def stale_caches(module: ModuleClass) -> Iterator[StaleCache]:
    """The caches of the class's train() and eval() overrides that some event leaves stale, one for each attribute."""
    overrides = [method for name in ("train", "eval") if (method := module.method(name)) is not None]
    if not overrides:
        return
    switching = module.walk("train", "eval")
    found: dict[tuple[str, Span], StaleCache] = {}
    for store in _stores_in(module, switching):
        cache = _judged(module, store, by_mode_change=True)
        if cache is not None:
            found.setdefault((store.attribute, store.span), cache)
    stored = {attribute for attribute, _ in found}
    known = {id(moment.frame.function) for moment in switching}
    for store in _lazy_stores(module, known):
        if store.attribute not in stored and belongs_to_mode(module, store.attribute, store.moment):
            cache = _judged(module, store, by_mode_change=False)
            if cache is not None:
                stored.add(store.attribute)
                found.setdefault((store.attribute, store.span), _at_override(module, cache, store, overrides[0]))
    # One override that forgets several caches is one finding.
    forgetting: set[Span] = set()
    for cache in found.values():
        if cache.span == cache.store or cache.span not in forgetting:
            forgetting.add(cache.span)
            yield cache


def _at_override(module: ModuleClass, cache: StaleCache, store: Store, override: Function) -> StaleCache:
    """The finding at the override that forgets the cache; at the store, where a base wrote the override."""
    if module.depth_of(override) > module.depth_of(store.moment.frame.method):
        return cache
    span = module.frame(override).span(override.place)
    return replace(cache, symbol=f"{override.owner or module.facts.qualname}.{cache.attribute}", span=span)


def _stores_in(module: ModuleClass, moments: tuple[Moment, ...]) -> Iterator[Store]:
    """The tensors that a mode change puts on the object, except what it only does when training starts."""
    for moment in moments:
        if runs_in_mode(moment) is True:
            continue
        store = store_of(module, moment)
        if store is not None:
            yield store


def _lazy_stores(module: ModuleClass, switching: set[int]) -> Iterator[Store]:
    """What other methods store: not construction, a mode change, a conversion or a load. Also what cached_property
    keeps, and what a decorator of the project does."""
    answering = {id(m.frame.function) for m in module.walk("_apply", "_load_from_state_dict")}
    others = [f for f in module.methods if id(f) not in switching | answering | module.construction_functions]
    for wrapper in module.wrappers:
        found = (store_of(module, moment) for moment in module.walk_frame(wrapper.frame))
        yield from (store for store in found if store is not None)
    for hook in forward_hooks(module):
        found = (store_of(module, moment) for moment in module.walk_frame(hook) if hook.function not in others)
        yield from (store for store in found if store is not None)
    yield from _handed_stores(module, others)
    for function in others:
        frame = module.frame(function)
        if is_decorated(function, "cached_property"):
            value = module.project.evaluator.returned(frame)
            yield Store(function.name, Moment(Evaluated(None, _NO_TERM), frame), frame.span(function.place), value)
            continue
        for event in self_use(function).steps:
            store = store_of(module, Moment(event, frame))
            if store is not None:
                yield store


def _handed_stores(module: ModuleClass, others: list[Function]) -> Iterator[Store]:
    """What a method stores that other methods hand it, self._keep("mask", value), and that may belong to the mode."""
    switching = module.walk("train", "eval")
    found = storing_for_mode(module, [one for one in others if _keeps_arguments(one)], others, switching)
    keeping = {id(function) for function in found}
    if not keeping:
        return
    leading = module.entering.leading_to(others, lambda one: id(one) in keeping)
    for function in others:
        for moment in module.walk_frame(module.frame(function)) if id(function) in leading else ():
            store = store_of(module, moment) if id(moment.frame.function) in keeping and moment.caller else None
            if store is not None:
                yield store


def _keeps_arguments(function: Function) -> bool:
    """True for a function that puts its arguments on the object as they are."""
    writes = (event for event in self_use(function).steps if isinstance(event, (Write, ItemWrite)))
    return any(isinstance(event.value, Argument) for event in writes)


def belongs_to_mode(module: ModuleClass, attribute: str, stored: Moment) -> bool:
    """True for a store that only evaluation makes, or one that the mode change knows of: then dropping it is the
    business of train() and eval()."""
    if module.method("train") is None and module.method("eval") is None:
        return False
    switching = module.walk("train", "eval")
    is_memo = is_decorated(stored.frame.function, "cached_property")
    return (
        runs_in_mode(stored) is False
        or touched_by(switching, attribute, module)
        or (is_memo and _empties_memos(module, switching))
    )


def _empties_memos(module: ModuleClass, switching: tuple[Moment, ...]) -> bool:
    """True where the mode change drops some cached_property of the class."""
    memos = [method.name for method in module.methods if is_decorated(method, "cached_property")]
    return any(touched_by(switching, name, module) for name in memos)


class _Answer(Enum):
    """What an event does to a cache: leaves it stale, renews it, or need not (it moves along, or nobody reads it)."""

    MISSES = "misses"
    RENEWS = "renews"
    NEED_NOT = "need not"


def _judged(module: ModuleClass, store: Store, *, by_mode_change: bool) -> StaleCache | None:
    """What the store misses; None where it is no tensor or no event leaves it stale."""
    value = store.kept
    if value.kind not in (Kind.TENSOR, Kind.BUFFER) and not (value.kind is Kind.CONTAINER and _holds_tensors(value)):
        return None
    is_learned = _derives_from_state(module, store)
    if not is_learned and not _is_own(module, store, by_mode_change=by_mode_change):
        return None
    answers = _answers(module, store, by_mode_change=by_mode_change)
    if not is_learned:
        answers[Refresh.LOAD] = answers[Refresh.TRAIN] = _Answer.NEED_NOT
    missed = tuple(event for event, answer in answers.items() if answer is _Answer.MISSES)
    if not missed:
        return None
    return StaleCache(
        attribute=store.attribute,
        symbol=f"{store.moment.frame.method.owner or module.facts.qualname}.{store.attribute}",
        span=store.span,
        store=store.span,
        read=_use_of(module, store),
        missed=missed,
        handled=tuple(event for event, answer in answers.items() if answer is _Answer.RENEWS),
        is_learned=is_learned,
        is_merge=store.is_merge,
        keeps_graph=is_learned and _keeps_graph(module, store),
    )


def _is_own(module: ModuleClass, store: Store, *, by_mode_change: bool) -> bool:
    """True for a constant that a mode change itself makes: not one that construction makes in the same way, nor the
    tensor of another attribute that is set aside."""
    event = store.moment.event
    if isinstance(event, Write) and is_alias(event.value, store.moment.frame):
        return False
    built_before = id(store.moment.frame.function) in module.construction_functions
    return (
        by_mode_change and not built_before and module.state.registration(store.attribute) is not Registration.PARAMETER
    )


def _answers(module: ModuleClass, store: Store, *, by_mode_change: bool) -> dict[Refresh, _Answer]:
    """What each event does to the value that was stored."""
    attribute, state = store.attribute, module.state
    # A lazy store happens again where its test is made to fail: by dropping the value, or by raising a flag.
    decides = frozenset() if by_mode_change else deciding_attributes(store.moment)
    names = (attribute, *sorted(decides - _state_names(module, decides)))
    notices_writes = not by_mode_change and has_version_key(store.moment)
    moves_along = store.is_merge or (
        state.registration(attribute) is not None and not isinstance(store.moment.event, ItemWrite)
    )
    is_made_for_eval = by_mode_change or _is_made_anew(module, attribute)
    waits = is_made_for_eval and not store.is_merge and not _is_read_in_training(module, store)
    is_dropped = _renews(module, _in_training(module), names, store)
    is_loaded = _renews(module, load_moments(module), names, store) or (
        not store.is_merge and state.is_saved(attribute)
    )
    is_converted = any(answers_conversion(module, name) for name in names)
    return {
        Refresh.CONVERT: _answer(renews=is_converted and not moves_along, need_not=moves_along),
        Refresh.LOAD: _answer(renews=is_loaded or notices_writes, need_not=False),
        Refresh.TRAIN: _answer(renews=is_dropped or notices_writes, need_not=waits),
    }


def _renews(module: ModuleClass, moments: tuple[Moment, ...], names: tuple[str, ...], store: Store) -> bool:
    """True where the walk writes or empties one of the names; a merge is undone by a write into the same parameter."""
    if any(touched_by(moments, name, module) for name in names):
        return True
    stores = (store_of(module, moment) for moment in moments) if store.is_merge else ()
    return any(one is not None and one.attribute == store.attribute and one.span != store.span for one in stores)


def _answer(*, renews: bool, need_not: bool) -> _Answer:
    return _Answer.RENEWS if renews else _Answer.NEED_NOT if need_not else _Answer.MISSES


def _keeps_graph(module: ModuleClass, store: Store) -> bool:
    """True where the store runs while autograd records, and so keeps the graph of its call."""
    attached = not store.kept.detached and not store.is_merge
    return attached and not grad_is_off(store.moment, module.project.evaluator)


def _is_read_in_training(module: ModuleClass, store: Store) -> bool:
    """True where a method other than train() and eval() reads the value in training too."""
    reads = (
        moment for moment in module.state.reads(store.attribute) if moment.frame.method.name not in ("train", "eval")
    )
    return any(runs_in_mode(moment) is not False for moment in reads)


def _is_made_anew(module: ModuleClass, attribute: str) -> bool:
    """True where train(False) stores the value again, whatever happened before."""
    stores = (
        store_of(module, moment)
        for moment in module.walk("train")
        if runs_in_mode(moment) is not True and all(_asks_mode_alone(region.subject) for region, _ in moment.guards())
    )
    return any(store is not None and store.attribute == attribute for store in stores)


def _asks_mode_alone(test: Term) -> bool:
    while isinstance(test, Operation) and test.operator == "not":
        test = test.parts[0]
    return isinstance(test, Argument) or (isinstance(test, Attribute) and test.name == "training")


def _in_training(module: ModuleClass) -> tuple[Moment, ...]:
    """What happens to the object in train(True)."""
    return tuple(moment for moment in module.walk("train") if runs_in_mode(moment) is not False)


def _use_of(module: ModuleClass, store: Store) -> Span | None:
    """The first read of the cache outside the function that stores it."""
    for moment in module.state.reads(store.attribute):
        event = moment.event
        is_elsewhere = moment.frame.function is not store.moment.frame.function
        if is_elsewhere and isinstance(event, Evaluated) and moment.frame.method.name not in ("train", "eval"):
            return moment.frame.span(event.term.place)
    return None


def _state_names(module: ModuleClass, names: frozenset[str]) -> frozenset[str]:
    """Those of `names` that are parameters, buffers or children: they change with every event, and decide nothing."""
    return frozenset(name for name in names if module.state.registration(name) is not None)


def _holds_tensors(value: TensorValue) -> bool:
    return value.element is not None and value.element.kind is Kind.TENSOR


def _derives_from_state(module: ModuleClass, store: Store) -> bool:
    """True where the value was computed from parameters, buffers or layers of the object, other than from itself, or
    from those of a layer that a method is given."""
    sources = store.kept.sources
    if any(
        source.owner == id(module) and source.kind == "state" and source.name != store.attribute.partition(".")[0]
        for source in sources
    ):
        return True
    given = [(source.owner, source.name) for source in sources if source.kind == "argument"]
    owners = {id(function): function for function in module.methods} if given else {}
    return any(owner in owners and _is_layer(name, owners[owner]) for owner, name in given)


def _is_layer(name: str, function: Function) -> bool:
    """True for a parameter whose own parameters a function asks for: it is given a layer."""
    return any(
        isinstance(event, Evaluated)
        and isinstance(event.term, Attribute)
        and event.term.name in ("weight", "bias", "parameters")
        and isinstance(event.term.base, Argument)
        and event.term.base.name == name
        for event in function.events
    )


_NO_TERM = Term((1, 1, 1, 1))
