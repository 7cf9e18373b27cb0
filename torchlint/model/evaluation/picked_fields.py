"""Fields of what a list keeps: step.value of `for step in self.steps`, and a column of zip(*self.steps)."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.evaluation.record_fields import fields_given
from torchlint.model.flow.puts import put_into, puts_of, puts_under
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import (
    Attribute,
    Call,
    Comprehension,
    Constant,
    Display,
    Element,
    Item,
    Starred,
    Subscript,
    Term,
)

_SAME_ELEMENTS = frozenset("list tuple iter reversed sorted sample choices".split())
_MAX_ROWS = 8

Row = tuple[Term, Frame]


def picked(term: Term, frame: Frame) -> list[Row] | None:
    """What a field of a record, or a part of a tuple, was given by everyone who puts one into the list that it comes
    from; None where that is not all in sight."""
    key = _key(term)
    if key is None:
        return None
    rows = list(_rows(term, frame))
    found = [_part(row, key, where) for row, where in rows]
    if not rows or len(rows) > _MAX_ROWS or any(part is None for part in found):
        return None
    return [(part, where) for part, (_, where) in zip(found, rows, strict=True) if part is not None]


def part_of_each(term: Item) -> Term | None:
    """What is in the same place of each tuple that the function lists: y for `_, y in [(model(x), y) for x, y in ..]`;
    None for any other part."""
    listed = term.base.iterable if isinstance(term.base, Element) else None
    row = listed.parts[-1] if isinstance(listed, Comprehension) and listed.kind != "dict" else None
    is_plain = isinstance(row, Display) and row.kind in ("tuple", "list") and len(row.parts) == term.length
    return row.parts[term.index] if isinstance(row, Display) and is_plain else None


def _key(term: Term) -> str | int | None:
    if isinstance(term, Attribute):
        return term.name
    if isinstance(term, Item):
        return term.index
    index = term.index if isinstance(term, Subscript) else None
    value = index.value if isinstance(index, Constant) else None
    return value if isinstance(value, (str, int)) and not isinstance(value, bool) else None


def _rows(term: Term, frame: Frame) -> Iterator[Row]:
    """The records and tuples that a field is taken from: one alone, those of a list, or the columns of all of them."""
    base = term.base if isinstance(term, (Attribute, Item, Subscript)) else term
    if isinstance(base, (Element, Subscript)):
        listed = base.iterable if isinstance(base, Element) else base.base
        yield from _elements(listed, frame)
        return
    zipped = _zipped(base)
    if zipped is not None:
        yield from _elements(zipped, frame)
    elif isinstance(base, Call) and isinstance(term, Attribute) and fields_given(base, frame):
        yield base, frame


def _zipped(base: Term) -> Term | None:
    """The list of zip(*list), and of Record(*zip(*list))."""
    if not isinstance(base, Call) or len(base.arguments) != 1 or not isinstance(base.arguments[0], Starred):
        return None
    inner = base.arguments[0].value
    return inner if last_name(base) == "zip" else _zipped(inner) if isinstance(inner, Call) else None


def _elements(listed: Term, frame: Frame) -> Iterator[Row]:
    while isinstance(listed, Call) and last_name(listed) in _SAME_ELEMENTS and listed.arguments:
        listed = listed.arguments[0]
    if isinstance(listed, Comprehension) and listed.kind != "dict":
        yield listed.parts[-1], frame
    elif isinstance(listed, Display) and listed.kind == "list":
        yield from ((part, frame) for part in (*listed.parts, *put_into(listed, frame.function)))
    elif isinstance(listed, Attribute) and frame.is_self(listed.base) and frame.view is not None:
        for method in frame.view.methods:
            if puts_under(method, listed.name):
                yield from ((value, frame.view.frame(method)) for value in puts_of(method)[listed.name])


def _part(row: Term, key: str | int, frame: Frame) -> Term | None:
    if isinstance(row, Call):
        given = fields_given(row, frame)
        return given.get(key) if isinstance(key, str) else next(iter(list(given.values())[key:][:1]), None)
    if isinstance(row, Display) and row.kind == "dict":
        keys = [one.value if isinstance(one, Constant) else None for one in row.keys]
        return row.parts[keys.index(key)] if key in keys else None
    if not isinstance(row, Display) or isinstance(key, str) or not -len(row.parts) <= key < len(row.parts):
        return None
    return row.parts[key]
