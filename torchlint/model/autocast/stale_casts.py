"""Stale casts: autocast keeps the lowered copies of weights until its outermost region ends, whatever is written into
the weights meanwhile."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.model.autocast.openers import autocast_of
from torchlint.model.autocast.regions import Autocast, autocast_in_force, autocasts_around, may_open_autocast
from torchlint.model.events import Evaluated, Event, Region, RegionKind, Write
from torchlint.model.facts import Function
from torchlint.model.flow.branches import Facts, exclude
from torchlint.model.flow.forwards import frozen_in, in_inference_mode, run_by
from torchlint.model.flow.levels import Level
from torchlint.model.flow.makers import makers
from torchlint.model.flow.regions import grad_is_off
from torchlint.model.flow.same_object import Key, bases_of
from torchlint.model.flow.tested_classes import method_of_tested
from torchlint.model.frames import Frame, Moment, called_names, last_name
from torchlint.model.terms import Attribute, Call, Captured, Constant, Global, Operation, Place, Term
from torchlint.model.weights.aliases import function_called
from torchlint.model.weights.weight_writes import WeightWrite, direct_writes, weight_writes
from torchlint.source import Span

_DEPTH = 3
# What may write, by name, asked of a function before anything is evaluated.
_MAY_WRITE = re.compile(
    r".*(step|load_state_dict|shadow|restore|swap|copy_to|average|ema|train|fit|epoch|updat|optimi|learn|backward).*"
    r"|(copy|lerp|mul|add|sub|div|fill|zero|clamp)_|_foreach_\w+|vector_to_parameters|reset_parameters|init_weights?"
)


@dataclass(frozen=True, slots=True)
class StaleCast:
    """A write into weights whose casts a region keeps. name: the write; forward: the pass that uses the old ones."""

    span: Span
    symbol: str
    name: str
    region: Span
    forward: Span


@dataclass(frozen=True, slots=True, eq=False)
class _Item:
    """What matters inside a region. kind: "forward", "write", "backward", or "clear" for emptying the cache."""

    kind: str
    moment: Moment
    place: Place
    keys: frozenset[Key]
    facts: Facts
    loops: frozenset[int]
    write: WeightWrite | None = None


def stale_casts(frame: Frame) -> Iterator[StaleCast]:
    """The writes inside the autocast regions of a function after which a pass uses the casts of the old weights."""
    if not may_open_autocast(frame.function) or not _may_write(frame):
        return
    for region, items in _regions(frame):
        writes = [item for item in items if item.kind == "write"]
        if not writes or not any(item.kind == "forward" for item in items):
            continue
        frozen = frozen_in(frame)
        for write in writes:
            found = _stale_after(write, items, frozen)
            if found is not None and region.span is not None:
                passes = [item for item in items if item.kind == "forward" and item.keys & found[0].keys]
                yield _described(write, *found, region.span, passes)


def _may_write(frame: Frame) -> bool:
    if _is_said_to_write(frame.function) or called_names(frame.function) & _writing_names(frame):
        return True
    return any(map(_is_said_to_write, _entered_in_regions(frame)))


def _writing_names(frame: Frame) -> frozenset[str]:
    """The names of the functions of the same file that may write, themselves or through one another."""
    project = frame.evaluator.project
    top = project.top_of(frame.method)
    known: frozenset[str] | None = top.derived.get("writing names")
    if known is None:
        functions = [one.function for one in project.functions_in(frame.path)]
        found = {one.name for one in functions if _is_said_to_write(one)}
        while fresh := {one.name for one in functions if one.name not in found and called_names(one) & found}:
            found |= fresh
        known = top.derived["writing names"] = frozenset(found - {"forward", "__init__", "<module>"})
    return known


def _is_said_to_write(function: Function) -> bool:
    known: bool | None = function.derived.get("may write weights")
    if known is None:
        known = function.derived["may write weights"] = any(
            (isinstance(event, Write) and event.attribute == "data")
            or (isinstance(event, Evaluated) and _is_like_a_write(event.term))
            for event in function.events
        )
    return known


def _entered_in_regions(frame: Frame) -> Iterator[Function]:
    """The functions and methods of the project that the regions of a function call: those may write, whatever they are
    called."""
    opened = {id(region) for region in _with_items(frame) if autocast_of(region.subject, frame) is not None}
    for event in frame.function.events if opened else ():
        call = event.term if isinstance(event, Evaluated) else None
        if not isinstance(call, Call) or not isinstance(call.callee, (Attribute, Global, Captured)):
            continue
        target = function_called(call, frame) if any(id(region) in opened for region in event.regions) else None
        if target is not None:
            yield target.function


def _with_items(frame: Frame) -> list[Region]:
    regions = (region for event in frame.function.events for region in event.regions)
    return list({id(region): region for region in regions if region.kind is RegionKind.WITH}.values())


def _is_like_a_write(term: Term) -> bool:
    if isinstance(term, Operation):
        return term.operator in ("+=", "-=", "*=")
    return isinstance(term, Call) and bool(_MAY_WRITE.fullmatch(last_name(term)))


def _described(write: _Item, forward: _Item, loops: frozenset[int], region: Span, passes: list[_Item]) -> StaleCast:
    """Told where the loop, or the function with both, sees the write: the call of a helper that does no more, unless it
    is a method of the same object that is given nothing or runs the pass as well."""
    way, other = _way_to(write.moment), _way_to(forward.moment)
    if loops:
        depth = max(at for at, one in enumerate(way) if any(id(around) in loops for around in one.event.regions))
    else:
        depth = 0
        while depth < min(len(way), len(other)) - 1 and way[depth].event is other[depth].event:
            depth += 1
    while depth < len(way) - 1 and _holds_the_fault(way[depth], passes):
        depth += 1
    seen = way[depth]
    place, name = write.place, write.write.name if write.write is not None else ""
    if depth < len(way) - 1 and isinstance(seen.event, Evaluated):
        place, name = seen.event.term.place, f"{last_name(seen.event.term)}()"
    used = forward.moment.frame.span(forward.place)
    return StaleCast(seen.frame.span(place), seen.frame.symbol, name, region, used)


def _holds_the_fault(moment: Moment, passes: list[_Item]) -> bool:
    """True for a call of a method of the same object that is given nothing, or that runs the pass as well. A context
    manager that swaps weights is not at fault: it is entered in the wrong place."""
    call = moment.event.term if isinstance(moment.event, Evaluated) else None
    base = call.callee.base if isinstance(call, Call) and isinstance(call.callee, Attribute) else None
    is_own = base is not None and moment.frame.is_self(base)
    runs_it = any(one.event is moment.event for item in passes for one in _way_to(item.moment))
    is_entered = any(region.subject is call for region in _with_items(moment.frame))
    return is_own and not is_entered and (runs_it or (isinstance(call, Call) and not call.inputs))


def _way_to(moment: Moment) -> list[Moment]:
    """The calls that led to an event, outermost first, and the event."""
    way = [moment]
    while way[0].caller is not None:
        way.insert(0, way[0].caller)
    return way


# What happens in a region


def _regions(frame: Frame) -> Iterator[tuple[Autocast, list[_Item]]]:
    """The outermost regions of a function, each with what happens inside, in order."""
    found: dict[object, tuple[Autocast, list[_Item]]] = {}
    level = Level(frame)
    direct = direct_writes(level)
    for event in frame.function.events:
        if not event.regions and not frame.function.decorators and not isinstance(event, Evaluated):
            continue
        if not (id(event) in direct or (isinstance(event, Evaluated) and isinstance(event.term, Call))):
            continue
        around = autocasts_around(Moment(event, frame))
        if not around or not all(one.keeps_cache for one in around):
            continue
        outermost = around[-1]
        key: object = id(outermost.region) if outermost.region is not None else outermost.place
        _, items = found.setdefault(key, (outermost, []))
        items.extend(_items(event, level, outermost.region, direct, _DEPTH))
    return iter(found.values())


def _items(
    event: Event, level: Level, region: Region | None, direct: dict[int, WeightWrite], depth: int
) -> Iterator[_Item]:
    moment = Moment(event, level.frame, level.caller)
    write = direct.get(id(event))
    if write is not None:
        yield _item("write", moment, write.place, level, region, write)
    if not isinstance(event, Evaluated) or not isinstance(event.term, Call):
        return
    call = event.term
    if last_name(call) == "clear_autocast_cache":
        yield _item("clear", moment, call.place, level, region)
        return
    if "backward" in last_name(call):
        yield _item("backward", moment, call.place, level, region)
    writes = list(weight_writes(event, level))
    again = list(_evaluations(call, moment, level, region, depth)) if any(one.is_step for one in writes) else []
    yield from again
    for write in writes:
        yield _item("write", moment, call.place, level, region, write)
    if writes:
        yield from again if again and _evaluates_often(call, level.frame) else ()
        return
    keys = run_by(call, level)
    if keys:
        if _is_kept(moment):
            yield _item("forward", moment, call.place, level, region, keys=keys)
        return
    target = (function_called(call, level.frame) or method_of_tested(call, moment)) if depth else None
    inner = level.entered(target, call, moment) if target is not None else None
    if inner is not None:
        inside = direct_writes(inner)
        for one in inner.frame.function.events:
            yield from _items(one, inner, region, inside, depth - 1)


def _evaluations(call: Call, moment: Moment, level: Level, region: Region | None, depth: int) -> Iterator[_Item]:
    """What the closure does that an optimizer's step(closure) runs before it writes."""
    closure = call.argument(0, "closure")
    if closure is None or not depth or isinstance(closure, Constant):
        return
    run = Call(call.place, closure, (), ())
    target = function_called(run, level.frame)
    inner = level.entered(target, run, moment) if target is not None else None
    if inner is not None:
        inside = direct_writes(inner)
        for one in inner.frame.function.events:
            yield from _items(one, inner, region, inside, depth - 1)


def _evaluates_often(call: Call, frame: Frame) -> bool:
    """True for the step of an optimizer that runs its closure again after it has written: LBFGS, with its search along
    a line."""
    base = call.callee.base if isinstance(call.callee, Attribute) else None
    return base is not None and any("lbfgs" in last_name(made).lower() for made, _ in makers(base, frame))


def _item(
    kind: str,
    moment: Moment,
    place: Place,
    level: Level,
    region: Region | None,
    write: WeightWrite | None = None,
    keys: frozenset[Key] = frozenset(),
) -> _Item:
    loops = []
    for one, _ in level.regions(moment):
        if one is region:
            break
        if one.kind is RegionKind.LOOP:
            loops.append(id(one))
    return _Item(kind, moment, place, keys, level.facts(moment), frozenset(loops), write)


def _is_kept(moment: Moment) -> bool:
    """True for a pass whose casts autocast keeps: it is on there, and inference_mode is off."""
    found = autocast_in_force(moment)
    return found is not None and not found.is_island and not in_inference_mode(moment)


# A pass before and one after


def _stale_after(write: _Item, items: list[_Item], frozen: frozenset[Key]) -> tuple[_Item, frozenset[int]] | None:
    """The pass that comes after a write and uses what a pass before it left in the cache, and the loops that lead to
    it (none where it stands behind the write)."""
    place = items.index(write)
    forwards = [
        (position, item)
        for position, item in enumerate(items)
        if item.kind == "forward" and _concerns(write, item, items, frozen) and not exclude(item.facts, write.facts)
    ]
    for position, item in forwards:
        if position > place and not _is_cleared(items[place:position]):
            before = (other for at, other in forwards if at < place and other.keys & item.keys)
            if any(True for _ in before):
                return item, frozenset()
    for _, item in forwards:
        shared = item.loops & write.loops
        if shared and not any(one.kind == "clear" and one.loops & shared for one in items):
            return item, shared
    return None


def _is_cleared(items: list[_Item]) -> bool:
    return any(item.kind == "clear" for item in items)


def _concerns(write: _Item, forward: _Item, items: list[_Item], frozen: frozenset[Key]) -> bool:
    """True where the write changes weights that the pass uses."""
    what = write.write
    assert what is not None
    if what.modules is None:
        if what.is_step:
            is_off = grad_is_off(forward.moment, forward.moment.frame.evaluator)
            return not is_off and any(item.kind == "backward" for item in items)
        return not forward.keys & frozen
    if not what.is_step and (forward.keys | what.modules) & frozen:
        return False
    return _overlap(what.modules, forward.keys)


def _overlap(one: frozenset[Key], other: frozenset[Key]) -> bool:
    """True where two are the same module, or one is part of the other."""
    parts = {base for key in one for base in bases_of(key)}
    wholes = {base for key in other for base in bases_of(key)}
    return bool(one & other or parts & other or wholes & one)
