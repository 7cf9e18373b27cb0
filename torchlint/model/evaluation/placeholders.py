"""Lists that are made as long as they will be and filled item by item: what stands in them before is a placeholder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.model.devices.placements import released
from torchlint.model.evaluation.dict_items import item_writes
from torchlint.model.events import Evaluated, Event
from torchlint.model.facts import Function
from torchlint.model.terms import Comprehension, Display, Operation, Subscript, Term
from torchlint.model.values import Kind, TensorValue

if TYPE_CHECKING:
    from torchlint.model.frames import Frame


def filled(made: Term, value: TensorValue, frame: Frame) -> TensorValue:
    """What [torch.zeros(2)] * n, or a comprehension, is to its readers: where its items are assigned, they lie
    where those do."""
    is_filled = value.kind is Kind.CONTAINER and id(made) in item_writes(frame.function)
    return released(value) if is_filled else value


def placeholder(term: Subscript, frame: Frame) -> TensorValue | None:
    """What stands in such a list, for a read before any item is assigned: the first round of a loop finds it there.
    None for any other read."""
    made = _made(term.base) if not _is_slice(term.index) else None
    writes = item_writes(frame.function).get(id(term.base)) if made is not None else None
    if made is None or not writes:
        return None
    order = _order(frame.function)
    return frame.value(made) if order.get(id(term), len(order)) < order[id(writes[0])] else None


def _made(base: Term) -> Term | None:
    """The element of a list that repeats one."""
    if isinstance(base, Comprehension) and base.kind == "list":
        return base.parts[-1]
    if not isinstance(base, Operation) or base.operator != "*":
        return None
    lists = [part for part in base.parts if isinstance(part, Display) and len(part.parts) == 1]
    return lists[0].parts[0] if len(lists) == 1 else None


def _is_slice(index: Term) -> bool:
    return isinstance(index, Operation) and index.operator == "slice"


def _order(function: Function) -> dict[int, int]:
    """The places of terms and of other events in the order of the function, by identity; worked out once."""
    known: dict[int, int] | None = function.derived.get("order of events")
    if known is None:
        known = function.derived["order of events"] = {}
        for place, event in enumerate(function.events):
            known.setdefault(id(_told(event)), place)
    return known


def _told(event: Event) -> object:
    return event.term if isinstance(event, Evaluated) else event
