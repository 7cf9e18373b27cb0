"""Lineage: whether autograd has a path from a value to the weights of a network, and whether it may be on an
accelerator. It follows what the values themselves cannot tell: outputs of networks that are known by name alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from torchlint.model.facts import Function
from torchlint.model.frames import Frame, Moment
from torchlint.model.terms import Term
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.events import Evaluated


@dataclass(frozen=True, slots=True)
class Lineage:
    """What is known of where a value comes from; None on a facet means "not known".

    recorded: autograd has a path from it to weights. away: it may be on an accelerator. dtype: "bfloat16" where
    autocast made it so. network: where the network runs that it comes from, `name` as it is written. is_python: no
    tensor. is_sure: a tensor for certain, not an object that holds some.
    """

    recorded: bool | None = None
    away: bool | None = None
    dtype: str | None = None
    network: Span | None = None
    name: str = ""
    is_python: bool = False
    is_sure: bool = False

    def but(self, **facets: object) -> Lineage:
        """The same with other facets."""
        return Lineage(*[facets.get(name, getattr(self, name)) for name in _FACETS])  # type: ignore[arg-type]


_FACETS = tuple(one.name for one in fields(Lineage))
UNKNOWN = Lineage()
PYTHON = Lineage(False, False, is_python=True)
CPU = Lineage(False, False, name="cpu", is_python=True)
"""The device of a tensor that is on the CPU."""
FRESH = Lineage(False, False, is_sure=True)
"""A new tensor on the CPU, or an array."""


@dataclass(eq=False, slots=True)
class Scene:
    """A function as it is entered: its frame, what its parameters are, and the call that led in. callers: how many
    calls up from the function that is asked about, for one that calls it."""

    frame: Frame
    arguments: Mapping[int, Lineage]
    caller: Moment | None = None
    depth: int = 0
    callers: int = 0

    def moment(self, event: Evaluated) -> Moment:
        """An event of the function, with the calls that led to it."""
        return Moment(event, self.frame, self.caller)


def computed(parts: Iterable[Lineage]) -> Lineage:
    """The lineage of what is computed from several values: one that is recorded is enough."""
    tensors = [part for part in parts if not part.is_python]
    if len(tensors) < 2:
        return tensors[0] if tensors else PYTHON
    found = next((one for one in tensors if one.recorded), next((one for one in tensors if one.away), tensors[0]))
    return found.but(
        recorded=_any(one.recorded for one in tensors),
        away=_any(one.away for one in tensors),
        dtype=tensors[0].dtype if all(one.dtype == tensors[0].dtype for one in tensors) else None,
        is_sure=any(one.is_sure for one in tensors),
    )


def met(parts: Iterable[Lineage]) -> Lineage:
    """The lineage where branches meet: what all tensors among them agree on."""
    tensors = [part for part in parts if not part.is_python]
    if len(tensors) < 2:
        return tensors[0] if tensors else PYTHON
    found = next((one for one in tensors if one.network), tensors[0])
    return found.but(
        recorded=_all(one.recorded for one in tensors),
        away=_all(one.away for one in tensors),
        dtype=tensors[0].dtype if all(one.dtype == tensors[0].dtype for one in tensors) else None,
        is_sure=all(one.is_sure for one in tensors),
    )


def unrecorded(found: Lineage) -> Lineage:
    """The same tensor with integers, a mask or new memory: without a graph."""
    return found.but(recorded=False, dtype=None, is_sure=True)


def held(parts: Iterable[Lineage]) -> Lineage:
    """The lineage of a container: a member that is recorded, or away, is enough."""
    return computed(parts)


def _any(facets: Iterable[bool | None]) -> bool | None:
    known = list(facets)
    return True if True in known else None if None in known else False


def _all(facets: Iterable[bool | None]) -> bool | None:
    known = set(facets)
    return known.pop() if len(known) == 1 else None


def event_of(term: Term, function: Function) -> Evaluated | None:
    """The event in which a term of the function is evaluated."""
    known: dict[int, Evaluated] | None = function.derived.get("event of")
    if known is None:
        from torchlint.model.events import Evaluated as Kind

        known = {id(event.term): event for event in function.events if isinstance(event, Kind)}
        function.derived["event of"] = known
    return known.get(id(term))
