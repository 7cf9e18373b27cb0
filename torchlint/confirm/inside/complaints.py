"""What the error of a forward says of sizes and numbers of dimensions: by its message, or by the condition not met."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from .clues import wishes
from .trial import Failure

MAX_SIZE = 4096


@dataclass(frozen=True)
class Sized:
    """A size that should be another one."""

    old: int
    new: int


@dataclass(frozen=True)
class Sided:
    """An image whose sides should be others, so that its area is not `old` but `new`."""

    old: int
    new: int


@dataclass(frozen=True)
class Ranked:
    """The number of dimensions that something has, and the one that it should have. old: None where it is not said."""

    old: int | None
    new: int


_PAIRS = tuple(
    (re.compile(pattern), is_both)
    for pattern, is_both in (
        (r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)", True),
        (r"cannot be multiplied \(\d+x(\d+) and (\d+)x\d+\)", True),
        (r"to have \d+ channels.*? got (?P<old>\d+)", False),
        (r"Expected size (?P<new>\d+) but got size (?P<old>\d+)", True),
        (r"expanded size of the tensor \((?P<new>\d+)\) must match the existing size \((?P<old>\d+)\)", True),
        (r"has size (\d+) for operand \d+ which does not broadcast with previously seen size (\d+)", True),
        (r"running_mean should contain (\d+) elements not (\d+)", False),
        (r"batch2 tensor to be: \[\d+, (?P<new>\d+)\] but got: \[\d+, (?P<old>\d+)\]", True),
        (r"sizes \[\d+\] and \[\d+\].*?(\d+) .*?(\d+)", True),
        (r"multiply up to the size of dim \S+ \((?P<old>\d+)\)", False),
        (r"inconsistent tensor size, expected tensor \[(\d+)\] and src \[(\d+)\]", True),
        (r"size mismatch, got input \((?P<old>\d+)\).*?\((?P<new>\d+)\)", True),
        (r"axis of length (?P<old>\d+) in chunks of (?P<step>\d+)", False),
        (r"Shape mismatch, (?:can't divide axis.*|)(\d+) != (\d+)", True),
        (r"(?i)expect\w*\D{0,60}(?P<new>\d+)\D{1,60}(?:got|found|but)\D{0,40}(?P<old>\d+)", False),
        (r"(?i)(?:got|found)\D{0,40}(?P<old>\d+)\D{1,60}expect\w*\D{0,40}(?P<new>\d+)", False),
    )
)


def sizes_in(failure: Failure) -> Iterator[Sized]:
    """The sizes that should be others, the likeliest first."""
    message = str(failure.error)
    if "to unpack" in message:
        return
    yield from _of_known_messages(message)
    for wish in wishes(failure.error):
        if not _is_of_rank(wish.expression):
            yield from _between(wish.found, wish.wanted)
    yield from _too_short(message, failure)
    yield from _unfit(message, failure)
    shapes = re.findall(r"[\[(]((?:\d+, ?)+\d+)[\])]", message)
    if len(shapes) == 2:
        one, other = ([int(size) for size in shape.split(",")] for shape in shapes)
        yield from (*_between(one, other), *_between(other, one))
    numbers = list(dict.fromkeys(int(one) for one in re.findall(r"\d+", message)))
    if len(numbers) == 2 and not isinstance(failure.error, (TypeError, AttributeError)):
        yield from (Sized(*numbers), Sized(*numbers[::-1]))


def _of_known_messages(message: str) -> Iterator[Sized]:
    channels = re.search(r"to have (\d+) channels, but got (\d+)", message)
    if channels:
        yield Sized(int(channels[2]), int(channels[1]))
        return
    normalized = re.search(r"normalized_shape=\[(?:\d+, )*(\d+)\].*size\s*\[(?:\d+, )*(\d+)\]", message)
    if normalized:
        yield Sized(int(normalized[2]), int(normalized[1]))
        return
    groups = re.search(r"divisible by num_groups, but got input of shape \[\d+, (\d+).*num_groups=(\d+)", message)
    vector = re.search(r"weight of shape \[(\d+)\] and input of shape \[\d+, (\d+)", message)
    if groups or vector:
        yield Sized(int(groups[1]), int(groups[2]) * 4) if groups else Sized(int(vector[2]), int(vector[1]))  # type: ignore[index]
        return
    for pattern, is_both in _PAIRS:
        found = pattern.search(message)
        if not found or (len(found.groups()) < 2 and "new" not in found.groupdict()):
            continue
        named = found.groupdict()
        if "step" in named:
            yield Sized(int(named["old"]), int(named["step"]) * max(1, int(named["old"]) // int(named["step"])))
            yield Sized(int(named["old"]), int(named["step"]))
            return
        old, new = (named["old"], named["new"]) if named else found.groups()[:2]
        yield Sized(int(old), int(new))
        if is_both:
            yield Sized(int(new), int(old))
        return


def _between(found: object, wanted: object) -> Iterator[Sized]:
    """The sizes that differ between two values that should be equal: numbers, or shapes."""
    if type(found) is int and type(wanted) is int:
        yield Sized(found, wanted)
    elif isinstance(found, (tuple, list)) and isinstance(wanted, (tuple, list)) and len(found) == len(wanted):
        for one, other in zip(found, wanted, strict=True):
            if one != other:
                yield from _between(one, other)


def _too_short(message: str, failure: Failure) -> Iterator[Sized]:
    """Where a window is longer than what it slides over: several times the window."""
    is_short = re.search(
        r"Padding size should be less|Kernel size can't be greater|0 < n_fft <|Output size is too small"
        r"|maximum size for|n_fft|smaller than|too (small|short)|must be (greater|larger)|non-empty|should be at least",
        message,
    )
    if not is_short or not failure.operands or not failure.operands[0].shape:
        return
    largest = max([0, *(int(one) for one in re.findall(r"\d+", message))])
    for old in dict.fromkeys(failure.operands[0].shape[:0:-1]):
        yield from (Sized(old, new) for new in (2 * largest, 4 * largest) if old < new <= MAX_SIZE)


def _unfit(message: str, failure: Failure) -> Iterator[Sized]:
    """Where a shape has another number of elements: a size of it, or of what has it, is another by that factor."""
    found = re.search(r"shape '\[([-\d, ]+)\]' is invalid for input of size (\d+)", message)
    if not found:
        return
    shape = [int(one) for one in found[1].split(",")]
    wanted, total = 1, int(found[2])
    for one in shape:
        wanted *= abs(one)
    # Which size of the input it is cannot be said: a negative one stands for a number of elements.
    if wanted and total and -1 not in shape:
        yield Sized(-total, wanted)
    areas = {math.prod(one.shape[-2:]) for one in failure.operands if len(one.shape) >= 3}
    yield from (Sized(area, one) for area in areas for one in shape if _is_square(one))
    if wanted and total and -1 in shape:
        yield Sized(-total, wanted)


def sides_in(failure: Failure) -> Iterator[Sided]:
    """The images that should have other sides, where a shape that they do not fit says how many elements or which."""
    found = re.search(r"shape '\[([-\d, ]+)\]' is invalid for input of size", str(failure.error))
    areas = [math.prod(one.shape[-2:]) for one in failure.operands if len(one.shape) >= 4]
    if not found or not areas:
        return
    shape = [int(one) for one in found[1].split(",")]
    sides = [shape[-1] ** 2] if len(shape) > 2 and shape[-1] == shape[-2] else []
    for wanted in dict.fromkeys((*sides, *filter(_is_square, reversed(shape)))):
        if wanted > 1 and wanted != areas[0]:
            yield Sided(areas[0], wanted)


def _is_square(number: int) -> bool:
    return number > 1 and math.isqrt(number) ** 2 == number


def ranks_in(failure: Failure) -> Iterator[Ranked]:
    """The numbers of dimensions that should be others, the likeliest first."""
    message = str(failure.error)
    for pattern, old, new, add in _RANKS:
        found = re.search(pattern, message)
        if found:
            yield Ranked(int(found[old]) if old else None, int(found[new]) + add)
            return
    for wish in wishes(failure.error):
        if _is_of_rank(wish.expression) and type(wish.found) is int and type(wish.wanted) is int:
            yield Ranked(wish.found, wish.wanted)
    if "tuple index out of range" in message or "Dimension out of range" in message or "too many indices" in message:
        rank = max((len(one.shape) for one in failure.operands), default=None)
        yield from (Ranked(None, wanted) for wanted in (3, 4, 2, 5) if wanted != rank)


# Patterns, the groups of the number that is and of the number that should be, and what is to be added to that.
_RANKS: tuple[tuple[str, int, int, int], ...] = (
    (r"not enough values to unpack \(expected (\d+), got (\d+)\)", 2, 1, 0),
    (r"too many values to unpack \(expected (\d+), got (\d+)\)", 2, 1, 0),
    (r"too many values to unpack \(expected (\d+)\)", 0, 1, 0),
    (r"[Ee]xpected (?:\dD or )?(\d)D (?:\(\w+\) )?input \(got (\d)D", 2, 1, 0),
    (r"Expected \dD \(unbatched\) or (\d)D \(batched\)", 0, 1, 0),
    (r"[Ee]xpected .*?(\d)-?D.* got (\d)-?D", 2, 1, 0),
    (r"number of subscripts in the equation \((\d+)\) does not match the number of dimensions \((\d+)\)", 2, 1, 0),
    (r"input\.dim\(\) = (\d+) is not equal to len\(dims\) = (\d+)", 1, 2, 0),
    (r"Wrong shape: expected (\d+) dims\. Received (\d+)-dim", 2, 1, 0),
    (r"Wrong shape: expected >=(\d+) dims\. Received (\d+)-dim", 2, 1, 0),
    (r"must be a (\d)D tensor", 0, 1, 0),
    (r"expects a tensor with <= (\d) dimensions, but self is (\d)D", 2, 1, 0),
    (r"at least (\d)-?D", 0, 1, 0),
    (r"too many indices for tensor of dimension (\d+)", 1, 1, 1),
    (r"expected to be in range of \[-\d+, (\d+)\], but got (\d+)\)", 0, 2, 1),
    (r"expected to be in range of \[-\d+, (\d+)\], but got -(\d+)\)", 0, 2, 0),
    (r"must have same number of dimensions: got (\d) and (\d)", 1, 2, 0),
    (r"(\d)D tensor", 0, 1, 0),
)


def _is_of_rank(expression: str) -> bool:
    return re.search(r"\.ndim$|\.dim\(\)$|ndimension|^len\(", expression) is not None
