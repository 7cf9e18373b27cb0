"""What was said of the functions of a file, so that what is seen through helpers is said once, and at its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from torchlint.model.events import Evaluated

if TYPE_CHECKING:
    from torchlint.findings import Hit
    from torchlint.model.facts import Function
    from torchlint.model.frames import Frame


class Said:
    """The hits of one file so far. A function with its helpers written out is heard where it says something new: in its
    own lines, or in those of a helper where the rule has said nothing of the function as it is written."""

    def __init__(self, frames: Sequence[Frame]) -> None:
        self._frames = frames
        self._places: set[tuple[str, object]] = set()
        self._functions: set[tuple[str, str]] = set()

    @staticmethod
    def is_written_out(subject: Any) -> bool:
        """True for a function with its helpers written out."""
        function: Function | None = getattr(subject, "function", None)
        return function is not None and function.written_from is not None

    def kept(self, hit: Hit, rule: Any, subject: Any) -> Hit | None:
        """The hit, by the name of the function that it lies in; None where it says nothing new."""
        function: Function | None = getattr(subject, "function", None)
        place, is_known = (rule.code, hit.span), (rule.code, hit.span) in self._places
        self._places.add(place)
        if function is None:
            return hit
        if function.written_from is None:
            self._functions.add((rule.code, function.qualname))
            return hit
        symbol = self._symbol_at(hit.span.line) if hit.span.path == subject.path else function.qualname
        if symbol == function.qualname:
            return None if is_known else hit
        is_told = is_known or rule.helpers == "own lines" or (rule.code, function.qualname) in self._functions
        return None if is_told else replace(hit, symbol=symbol)

    @cached_property
    def _extents(self) -> list[tuple[int, int, str]]:
        """The first and the last line of each function, and its name."""
        definitions = {id(one.function.definition): one.function.definition for one in self._frames}
        functions = [one for one in definitions.values() if one.name != "<module>"]
        return [(one.place[0], _last_line(one), one.qualname) for one in functions]

    def _symbol_at(self, line: int) -> str:
        around = [(first, symbol) for first, last, symbol in self._extents if first <= line <= last]
        return max(around, default=(0, ""))[1]


def _last_line(function: Function) -> int:
    places = (one.term.place if isinstance(one, Evaluated) else getattr(one, "place", None) for one in function.events)
    ends = (place[2] for place in places if place is not None)
    return max((function.place[2], *ends, *map(_last_line, function.nested)))
