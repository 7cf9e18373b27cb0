"""Methods whose result functools remembers although it is a tensor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.knowledge.caches import OWN, SHARED
from torchlint.model.caches.keys import is_constant_table
from torchlint.model.caches.memo_reads import converted_by_callers, converted_calls
from torchlint.model.events import Write
from torchlint.model.facts import Function
from torchlint.model.flow.holders import holds_tensor
from torchlint.model.frames import Moment, is_decorated
from torchlint.model.modules.dependences import (
    DEVICE,
    DTYPE,
    NOTHING,
    Dependence,
    Dependences,
    Dependencies,
    Facet,
    Scope,
)
from torchlint.model.modules.refresh import Refresh, answers_conversion, answers_load, runs_in_mode, touched_by
from torchlint.model.names.names import External, Value
from torchlint.model.terms import Attribute, Call, Term
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass


@dataclass(frozen=True, slots=True)
class Memoised:
    """A decorated method that returns a tensor.

    span: the decorator. born: where the tensor is made, as far as known. missed: the events after which the remembered
    tensor is wrong. is_shared: one table for all instances, which it keeps alive.
    """

    method: str
    symbol: str
    decorator: str
    span: Span
    born: Span | None
    missed: tuple[Refresh, ...]
    is_shared: bool


def memoised_methods(view: ModuleClass) -> Iterator[Memoised]:
    """The methods of a class, own and inherited, that remember a tensor which nothing renews, or keep objects alive."""
    for method in view.methods:
        found = _decorator(method, view)
        if found is None or is_decorated(method, "staticmethod") or is_decorated(method, "classmethod"):
            continue
        term, name = found
        is_shared = name in SHARED
        value = view.project.evaluator.returned(view.frame(method))
        missed = _missed(view, method, is_shared=is_shared) if holds_tensor(value) or value.is_tensor else None
        if missed or (missed is not None and is_shared):
            yield Memoised(
                method=method.name,
                symbol=f"{method.owner or view.facts.qualname}.{method.name}",
                decorator=name.rpartition(".")[2],
                span=view.frame(method).span(term.place),
                born=value.origin,
                missed=missed,
                is_shared=is_shared,
            )


def bound_memos(view: ModuleClass) -> Iterator[Memoised]:
    """The same for a cache that construction makes of a method: self.grid = lru_cache(maxsize=None)(self._grid)."""
    for name in view.state.names:
        for moment in view.state.writes(name):
            found = _bound(moment, view)
            if found is None:
                continue
            method, decorator = found
            value = view.project.evaluator.returned(view.frame(method))
            missed = _missed(view, method, is_shared=True, alias=name) if holds_tensor(value) else ()
            if missed and isinstance(moment.event, Write):
                yield Memoised(
                    method=method.name,
                    symbol=f"{moment.frame.method.owner or view.facts.qualname}.{name}",
                    decorator=decorator.rpartition(".")[2],
                    span=moment.frame.span(moment.event.place),
                    born=value.origin,
                    missed=missed,
                    is_shared=False,
                )


def _bound(moment: Moment, view: ModuleClass) -> tuple[Function, str] | None:
    """The method of the object that an assignment makes a cache of, and what makes it."""
    event, frame = moment.event, moment.frame
    call = event.value if isinstance(event, Write) and id(frame.function) in view.construction_functions else None
    given = call.arguments[0] if isinstance(call, Call) and len(call.arguments) == 1 else None
    if not isinstance(call, Call) or not isinstance(given, Attribute) or not frame.is_self(given.base):
        return None
    maker = call.callee.callee if isinstance(call.callee, Call) else call.callee
    found, method = view.project.names.of_term(maker, frame.path), view.method(given.name)
    if not isinstance(found, External) or found.name not in SHARED or method is None:
        return None
    return method, found.name


def _decorator(method: Function, view: ModuleClass) -> tuple[Term, str] | None:
    """The decorator of functools that remembers, and its dotted name."""
    for term in method.decorators:
        name = _name_of_maker(term, method.path, view)
        if name is not None:
            return term, name
    return None


def _name_of_maker(term: Term, path: str, view: ModuleClass, depth: int = 3) -> str | None:
    """The dotted name of what remembers: of lru_cache, lru_cache(maxsize=8), partial(lru_cache, maxsize=8) and of a
    name for one of them."""
    named = term.callee if isinstance(term, Call) else term
    found = view.project.names.of_term(named, path)
    if isinstance(found, Value) and depth:
        return _name_of_maker(found.term, found.path, view, depth - 1)
    if not isinstance(found, External):
        return None
    if found.name == "functools.partial" and isinstance(term, Call) and term.arguments and depth:
        return _name_of_maker(term.arguments[0], path, view, depth - 1)
    return found.name if found.name in SHARED | OWN else None


def _missed(view: ModuleClass, method: Function, *, is_shared: bool, alias: str = "") -> tuple[Refresh, ...]:
    """The events that leave the remembered tensor wrong. alias: the attribute that holds the cache, where it is none of
    the method's own."""
    dependencies = Dependencies(view)
    frame = view.frame(method)
    needed = dependencies.returned(Scope(frame, {}))
    keyed = _asked(method, dependencies, Scope(frame, {})) if is_shared else NOTHING
    learned = any(one.facet is Facet.STATE and not is_constant_table(view, one.name) for one in needed)
    name = alias or method.name
    events: list[Refresh] = []
    if learned and not _is_dropped_in_training(view, name):
        events.append(Refresh.TRAIN)
    if learned and not answers_load(view, name):
        events.append(Refresh.LOAD)
    converted = converted_calls(view, alias) if alias else converted_by_callers(method, view)
    if not _placed(needed - keyed, keyed, converted) and not answers_conversion(view, name):
        events.append(Refresh.CONVERT)
    return tuple(events)


def _asked(method: Function, dependencies: Dependencies, scope: Scope) -> Dependences:
    """What the arguments, which are the key, tell."""
    found = NOTHING
    for index, parameter in enumerate(method.parameters[1:], 1):
        found |= dependencies.of_parameter(index, parameter.name, scope)
    return found


def _placed(needed: Dependences, keyed: Dependences, converted: Dependences) -> bool:
    """True where the key names the device (and the dtype, where it matters), or the callers convert the result."""
    left: set[Dependence] = {DEVICE} - keyed | needed & {DTYPE}
    return not left - converted


def _is_dropped_in_training(view: ModuleClass, name: str) -> bool:
    return touched_by(tuple(m for m in view.walk("train") if runs_in_mode(m) is not False), name, view)
