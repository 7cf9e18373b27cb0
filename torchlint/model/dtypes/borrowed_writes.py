"""In-place writes to what a conversion returned: where nothing was converted, they change memory of someone else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.knowledge.conversions import CONVERSIONS, SHARING_FUNCTIONS
from torchlint.model.dtypes.borrowed import Borrowed, Lenders, conversion_name, test_of_need
from torchlint.model.dtypes.let_go import is_let_go
from torchlint.model.events import Evaluated, Event, Write
from torchlint.model.facts import Function
from torchlint.model.flow.memory_writes import MemoryWrite, memory_writes
from torchlint.model.frames import Frame, called_names, last_name
from torchlint.model.terms import Call, Global, Place
from torchlint.source import Span

# Functions that are there to write into what they get, or get integers that floats are made of, and hooks whose batch
# nobody needs afterwards.
_MEANT = re.compile(
    r".*[^_]_|(?!__init__$)_*(init|reset|fill|copy|load|update|step|zero)(_.*)?|.*_(inplace|in_place)"
    r"|(?:.*_)?de_?quant\w*"
)
_HOOKS = re.compile(r"(training|validation|test|predict|train|eval|forward)_(step|batch)|.*collate.*")
_OUTPUTS = frozenset("out dest dst destination grad_input grad_out buffer".split())
# Integers by their name: a conversion to floats copies them.
_INTEGERS = re.compile(r"(?:.*_)?(?:quant\w*|q?u?int\d+|xq|[xw]_?q|q[xw]|qweight)(?:_.*)?", re.IGNORECASE)
_TO_FLOATS = frozenset("float half bfloat16 double".split())
# Nobody keeps a mask in one of these: a conversion to it copies.
_NO_MASKS = frozenset("int short char".split())
_SHARING = frozenset(name.rpartition(".")[2] for name in SHARING_FUNCTIONS)


@dataclass(frozen=True, slots=True)
class BorrowedWrite:
    """A write that may reach an argument ("argument"), a "parameter" or a "buffer" through a conversion. root: its
    name. conversion: its name, at `converted`. operation: what writes."""

    span: Span
    kind: str
    root: str
    conversion: str
    converted: Span
    operation: str


def borrowed_writes(frame: Frame) -> Iterator[BorrowedWrite]:
    """The writes of a function to the results of conversions, one for each line."""
    if not (_converts(frame.function) or _has_helpers(frame.function)) or _MEANT.fullmatch(frame.function.name):
        return
    lenders, found = Lenders(), list[tuple[MemoryWrite, Borrowed]]()
    for written in memory_writes(frame):
        lent = lenders.of(written.target, frame) if not written.is_of_bytes else None
        if lent is not None and not _is_in_meant_helper(written, frame):
            found.append((written, lent))
    open_roots = {lent.root for _, lent in found if lent.conversion is None}
    lines: set[int] = set()
    for written, lent in found:
        if lent.conversion is None or lent.root in open_roots or _is_meant(lent, frame) or written.place[0] in lines:
            continue
        if _is_where_needed(written, lent.conversion, frame):
            continue
        lines.add(written.place[0])
        name, place = conversion_name(lent.conversion), frame.span(lent.conversion.place)
        yield BorrowedWrite(frame.span(written.place), lent.kind, lent.root, name, place, written.operation)


def _is_in_meant_helper(written: MemoryWrite, frame: Frame) -> bool:
    """True for a write in a helper that is written out here, where the function calls one that is there to write."""
    definition = frame.function.definition
    if definition is frame.function or not any(map(_MEANT.fullmatch, called_names(definition))):
        return False
    own = memory_writes(frame.evaluator.frame(definition, frame.view))
    return all(one.place != written.place for one in own)


def _is_where_needed(written: MemoryWrite, conversion: Call, frame: Frame) -> bool:
    """True for a write under the same test as the conversion, one that finds it needed: it has copied there."""
    test = test_of_need(conversion, frame)
    return test is not None and any(
        _place(event) == written.place and any(one is test for one in event.guards()) for event in frame.function.events
    )


def _place(event: Event) -> Place | None:
    return event.term.place if isinstance(event, Evaluated) else getattr(event, "place", None)


def _is_meant(lent: Borrowed, frame: Frame) -> bool:
    if lent.kind != "argument":
        return _is_stored_back(lent, frame.function)
    converted = last_name(lent.conversion) if lent.conversion is not None else ""
    if "mask" in lent.root.lower() and converted in _NO_MASKS:
        return True
    if converted in _TO_FLOATS and _INTEGERS.fullmatch(lent.root):
        return True
    if lent.root.lower() in _OUTPUTS or (lent.is_part and _HOOKS.fullmatch(frame.function.name) is not None):
        return True
    return is_let_go(lent.root.partition(".")[0], frame)


def _is_stored_back(lent: Borrowed, function: Function) -> bool:
    """True for self.cache = self.cache.to(x.dtype): the converted one is the state from then on."""
    name = lent.root.rpartition(".")[2]
    writes = (event for event in function.events if isinstance(event, Write) and event.value is lent.conversion)
    return any(event.attribute == name for event in writes)


def _has_helpers(function: Function) -> bool:
    """True where a function calls another one of its file, which may convert for it."""
    known: bool | None = function.derived.get("has helpers")
    if known is None:
        called = (event.term for event in function.events if isinstance(event, Evaluated))
        known = any(isinstance(term, Call) and isinstance(term.callee, Global) for term in called)
        function.derived["has helpers"] = known
    return known


def _converts(function: Function) -> bool:
    """True where a function calls a conversion by name: a cheap question, asked first."""
    known: bool | None = function.derived.get("converts")
    if known is None:
        calls = (event.term for event in function.events if isinstance(event, Evaluated))
        known = any(isinstance(call, Call) and last_name(call) in CONVERSIONS | _SHARING for call in calls)
        function.derived["converts"] = known
    return known
