"""Memos of functions: tensors that a dict of the file, a global name, or an attribute of the function itself keeps
between calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.model.caches.keys import IncompleteKey, in_order, left_out
from torchlint.model.caches.vain_tests import is_vain
from torchlint.model.events import Evaluated, Event, ItemWrite, Rebind, Region, Return, Write
from torchlint.model.facts import Function
from torchlint.model.flow.holders import Holder, holds_tensor
from torchlint.model.flow.uses import Use
from torchlint.model.frames import Frame, last_name
from torchlint.model.modules.dependences import DEVICE, DTYPE, NOTHING, Dependences, Dependencies, Facet, Scope
from torchlint.model.names.names import Value
from torchlint.model.terms import Argument, Attribute, Call, Constant, Display, Global, Subscript, Term, children

_PLACEMENT: Dependences = frozenset({DEVICE, DTYPE})
_EMPTYING = frozenset("clear pop popitem".split())
_DICTS = frozenset("dict OrderedDict defaultdict WeakValueDictionary".split())
_DEPTH = 10


@dataclass(frozen=True, slots=True)
class _Kept:
    """A store that the next call finds again. key: by which it is found in a dict; None on a function or a name."""

    event: Write | ItemWrite | Rebind
    holder: Holder
    key: Term | None


def incomplete_function_keys(frame: Frame) -> Iterator[IncompleteKey]:
    """The memos of a function whose tests leave out an argument, or the device or dtype, that the tensor depends on."""
    if frame.view is not None or frame.outer is not None:
        return
    for event in frame.function.events:
        kept = _kept(event, frame)
        tests = _tests(event, kept) if kept else []
        if kept and tests and holds_tensor(frame.value(kept.event.value)) and not _is_emptied(kept.holder, frame):
            yield from _judged(frame, kept, tests[0])


def _tests(event: Event, kept: _Kept) -> list[Region]:
    """The conditions around a store that ask for what is kept."""
    keys = (kept.key,) if kept.key is not None else ()
    asking = (region for region in event.guards() if _speaks_of(region.subject, kept.holder))
    return [region for region in asking if not is_vain(region.subject, keys)]


def _kept(event: Event, frame: Frame) -> _Kept | None:
    if isinstance(event, Rebind):
        return _kept_by_name(event, frame)
    if not isinstance(event, (Write, ItemWrite)) or event.operator != "=" or not isinstance(event.base, Global):
        return None
    bound = frame.evaluator.project.names.of_term(event.base, frame.path)
    if isinstance(event, ItemWrite):
        return _Kept(event, _holder(event.base.name), event.index) if _is_dict(bound) else None
    if isinstance(bound, Function) and isinstance(event.attribute, str):
        return _Kept(event, _holder(f"{event.base.name}.{event.attribute}"), None)
    return None


def _kept_by_name(event: Rebind, frame: Frame) -> _Kept | None:
    """A store under a global name that is None until then; not what only reworks the value that lies there."""
    holder = _holder(event.name)
    bound = frame.evaluator.project.names.of_term(Global(event.place, event.name), frame.path)
    is_open = isinstance(bound, Value) and isinstance(bound.term, Constant) and bound.term.value is None
    return _Kept(event, holder, None) if is_open and event.operator == "=" and not _reworks(event, holder) else None


def _reworks(event: Rebind, holder: Holder) -> bool:
    return _speaks_of(event.value, holder)


def _holder(shown: str) -> Holder:
    return Holder(shown.rpartition(".")[2], shown, is_shared=True, is_global=True)


def _is_dict(bound: object) -> bool:
    """True for a name that the top level of a file binds to a dict."""
    made = bound.term if isinstance(bound, Value) else None
    if isinstance(made, Call):
        return last_name(made) in _DICTS
    return isinstance(made, Display) and made.kind == "dict"


def _speaks_of(term: Term, holder: Holder, depth: int = _DEPTH) -> bool:
    """True where a condition asks the holder: `key not in TABLES`, `hasattr(table, "mapping")`."""
    if isinstance(term, (Global, Attribute)) and term.name == holder.name:
        return True
    if isinstance(term, Constant) and term.value == holder.name:
        return True
    return depth > 0 and any(_speaks_of(part, holder, depth - 1) for part in children(term))


def _is_emptied(holder: Holder, frame: Frame) -> bool:
    """True where other code of the file decides how long the values live."""
    top = frame.evaluator.project.top_of(frame.function)
    return any(
        _empties(event, holder)
        for one in (*frame.evaluator.project.functions_in(frame.path), frame.evaluator.frame(top, None))
        for event in one.function.events
    )


def _empties(event: Event, holder: Holder) -> bool:
    if isinstance(event, Rebind):
        return event.name == holder.name and isinstance(event.value, (Argument, Constant))
    return (
        isinstance(event, Evaluated)
        and isinstance(event.term, Call)
        and last_name(event.term) in _EMPTYING
        and isinstance(event.term.callee, Attribute)
        and getattr(event.term.callee.base, "name", "") == holder.name
    )


def _judged(frame: Frame, kept: _Kept, test: Region) -> Iterator[IncompleteKey]:
    dependencies, scope = Dependencies(None), Scope(frame, {})
    reworks = _reworked(kept, frame)
    needed = NOTHING.union(*(dependencies.of(one.value, scope) for one in (kept.event, *reworks)))
    asked = NOTHING.union(*(dependencies.of(term, scope) for term in (test.subject, kept.key) if term is not None))
    reads = _reads(kept, test, frame)
    if not reads or any(one.facet is Facet.DATA and one not in asked for one in needed):
        return
    if frame.value(kept.event.value).is_integral:
        needed -= {DTYPE}
    missing = left_out(needed - asked, asked)
    is_moved_later = any(all(region is not test for region in one.regions) for one in reworks)
    if is_moved_later or all(Use.COMPUTES not in uses for _, uses in reads):
        missing -= _PLACEMENT
    if missing:
        yield IncompleteKey(
            shown=kept.holder.shown,
            symbol=f"{frame.symbol}.{kept.holder.name}",
            span=frame.span(kept.event.place),
            test=frame.span(test.place),
            read=frame.span(reads[0][0].place),
            asked=in_order(asked),
            deciding=(),
            missing=in_order(missing),
            is_shared=True,
        )


def _reworked(kept: _Kept, frame: Frame) -> list[Rebind]:
    """What is made of a global name's value afterwards: table = table.to(x.device)."""
    events = frame.function.events if isinstance(kept.event, Rebind) else ()
    rebound = [event for event in events if isinstance(event, Rebind) and event.name == kept.holder.name]
    return [event for event in rebound if _reworks(event, kept.holder)]


def _reads(kept: _Kept, test: Region, frame: Frame) -> list[tuple[Term, set[Use]]]:
    """Where the function takes the value out again, and what becomes of it; of a name not where it is being made."""
    uses = frame.evaluator.project.uses
    is_name = isinstance(kept.event, Rebind)
    events = [one for one in frame.function.events if not is_name or all(test is not each for each in one.regions)]
    taken = [term for event in events for term in _taken(event, kept.holder)]
    found = [(term, uses.of(term, frame.function)) for term in taken]
    return [(term, some) for term, some in found if some - {Use.LOOKED_AT}]


def _taken(event: Event, holder: Holder) -> Iterator[Term]:
    if isinstance(event, Return):
        yield from (part for part in (event.value,) if _is_global(part, holder))
    if isinstance(event, Evaluated):
        yield from (part for part in children(event.term) if _is_global(part, holder))
        if _takes(event.term, holder):
            yield event.term


def _is_global(term: Term, holder: Holder) -> bool:
    return isinstance(term, Global) and holder.shown == term.name


def _takes(term: Term, holder: Holder) -> bool:
    if isinstance(term, Attribute):
        return term.name == holder.name and isinstance(term.base, Global)
    return isinstance(term, Subscript) and getattr(term.base, "name", "") == holder.name
