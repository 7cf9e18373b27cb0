"""What happens in a function, in source order: terms being evaluated, writes, returns, each with the regions around
it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from torchlint.model.terms import Place, Term


class RegionKind(Enum):
    """What encloses an event."""

    WITH = "with"
    GUARD = "guard"
    LOOP = "loop"


@dataclass(slots=True, eq=False)
class Region:
    """One enclosing `with` item, condition or loop, linked to the one around it.

    subject: the context manager, the condition or the iterable. holds: for a GUARD, whether the condition is true
    inside. around: what chain() found.
    """

    kind: RegionKind
    subject: Term
    holds: bool
    place: Place
    outer: Region | None
    around: tuple[Region, ...] | None = None

    def chain(self) -> tuple[Region, ...]:
        """This region and those around it, innermost first."""
        if self.around is None:
            self.around = (self, *(self.outer.chain() if self.outer is not None else ()))
        return self.around


@dataclass(slots=True, eq=False)
class Event:
    """Something that happens at a place, inside `region` (None at a function's own level)."""

    region: Region | None

    @property
    def regions(self) -> tuple[Region, ...]:
        """The regions around, innermost first."""
        return self.region.chain() if self.region else ()

    def guards(self) -> tuple[Region, ...]:
        """The conditions that hold here, innermost first."""
        return tuple(region for region in self.regions if region.kind is RegionKind.GUARD)


@dataclass(slots=True, eq=False)
class Evaluated(Event):
    """A call, attribute, subscript or operation is evaluated."""

    term: Term


@dataclass(slots=True, eq=False)
class Write(Event):
    """`base.attribute = value`, setattr, or an augmented assignment (`operator` "+=": value is the new value).

    attribute: the name, or a term for setattr(base, term, value). place: the statement, or only its target where it
    spans lines. unseen: it goes through the object's __dict__, so that nn.Module is not asked.
    """

    base: Term
    attribute: str | Term
    value: Term
    place: Place
    operator: str = "="
    unseen: bool = False


@dataclass(slots=True, eq=False)
class ItemWrite(Event):
    """`base[index] = value`, or augmented."""

    base: Term
    index: Term
    value: Term
    place: Place
    operator: str = "="


@dataclass(slots=True, eq=False)
class Rebind(Event):
    """`name = value` below `global name`, or augmented."""

    name: str
    value: Term
    place: Place
    operator: str = "="


@dataclass(slots=True, eq=False)
class Delete(Event):
    """`del base.attribute` or delattr(base, "attribute")."""

    base: Term
    attribute: str | Term
    place: Place


@dataclass(slots=True, eq=False)
class Return(Event):
    """`return value`, or `yield value` in a generator."""

    value: Term
    place: Place
    is_yield: bool = False
