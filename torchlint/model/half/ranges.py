"""Numbers that half cannot hold: literals that overflow or vanish in the dtype of the tensor that they meet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.knowledge.ranges import GUARDED, LARGEST, LOST_IN_HALF
from torchlint.model.frames import Frame
from torchlint.model.half.evidence import asks_dtype, exact_half, follows_caller, follows_dtype, half_of, runs_in_half
from torchlint.model.half.meetings import Meeting, meetings
from torchlint.model.terms import Term
from torchlint.source import Span

_ARITHMETIC = frozenset("+ - * **".split())


@dataclass(frozen=True, slots=True)
class OutOfRange:
    """A number that meets a tensor of float16 or bfloat16. kind: "raises", "silent", "eps" or "zeros" (the eps of a
    function that needs it for a vector of zeros alone). number: as written. reason: why the tensor may be of that
    dtype."""

    span: Span
    kind: str
    number: str
    operation: str
    dtype: str
    reason: str


def numbers_out_of_range(frame: Frame) -> Iterator[OutOfRange]:
    """The numbers of a function that its tensors cannot hold, one for each place."""
    seen: set[Span] = set()
    for meeting in meetings(frame):
        if asks_dtype(meeting.event):
            continue
        found = _dtype_of(meeting, frame)
        span = frame.span(meeting.place)
        if found is None or not _is_out_of(meeting, found[0]) or span in seen:
            continue
        seen.add(span)
        yield OutOfRange(span, _kind_of(meeting), _written(meeting), meeting.operation, *found)


def _kind_of(meeting: Meeting) -> str:
    is_of_lengths = meeting.how == "eps" and meeting.operation.removesuffix("()") in GUARDED
    return "zeros" if is_of_lengths else meeting.how


def _is_out_of(meeting: Meeting, dtype: str) -> bool:
    if meeting.how == "eps":
        return dtype == "float16" and meeting.number <= LOST_IN_HALF
    return abs(meeting.number) > LARGEST[dtype]


def _dtype_of(meeting: Meeting, frame: Frame) -> tuple[str, str] | None:
    """The lower dtype that the tensor has, or may have, and the reason; None where it has another, or nothing speaks
    for it."""
    exact = exact_half(meeting.operand, frame)
    if exact is not None:
        return exact, f"the tensor is {exact}"
    if not follows_caller(meeting.operand, frame):
        return None
    if meeting.how == "eps":
        return runs_in_half(frame)
    if meeting.operation in _ARITHMETIC and not _is_tensor(meeting.operand, frame):
        return None
    if isinstance(meeting.number, int) and meeting.number > 0 and not frame.value(meeting.operand).is_floating:
        # A whole number may fill a tensor of whole numbers, such as the ids of tokens. A mask is negative.
        return None
    return half_of(frame, meeting.operand, meeting.event)


def _is_tensor(operand: Term, frame: Frame) -> bool:
    """True for what is no Python number: converted to an open dtype, or a tensor in a network that is half."""
    if follows_dtype(operand, frame):
        return True
    value = frame.value(operand)
    return value.is_tensor and value.is_floating and runs_in_half(frame) is not None


def _written(meeting: Meeting) -> str:
    if meeting.limit:
        return f"a limit of {meeting.limit}"
    return f"{meeting.number:g}"
