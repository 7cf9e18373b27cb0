"""The line hash by which code scanning recognises an alert when the lines above it change.

Any tool that implements `primaryLocationLineHash` gives the same values, so results uploaded by different ways match.
"""

from __future__ import annotations

from collections import Counter
from itertools import accumulate

WINDOW_UNITS = 100
BASE = 37

_MASK = (1 << 64) - 1
_BASE_OF_WINDOW = pow(BASE, WINDOW_UNITS, 1 << 64)
_END_OF_FILE = 0xFFFF
_LINE_FEED = ord("\n")


def line_hashes(data: bytes) -> list[str]:
    """The hash of each line of a file (index 0 is line 1), counting an empty line after a last line end.

    A line's hash covers the WINDOW_UNITS UTF-16 units from its start on that are neither space nor tab, so it runs over
    into the lines below; "2d5e:2" is the second line of the file with the value 2d5e (64 bits, hexadecimal).
    Bytes that are not UTF-8 count as U+FFFD, whatever encoding the file declares: this is how uploaders read it.
    """
    units = _units(data)
    starts = [0, *(index + 1 for index, unit in enumerate(units) if unit == _LINE_FEED)]
    values = _window_values([*units, _END_OF_FILE, *[0] * WINDOW_UNITS], starts)
    seen: Counter[int] = Counter()
    hashes = []
    for value in values:
        seen[value] += 1
        hashes.append(f"{value:x}:{seen[value]}")
    return hashes


def _units(data: bytes) -> list[int]:
    """The UTF-16 units of the text without spaces and tabs; every line end is one line feed."""
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    kept = text.translate({ord(" "): None, ord("\t"): None})
    # The codec writes in the order of this machine, after a byte order mark.
    return memoryview(kept.encode("utf-16")).cast("H").tolist()[1:]


def _window_values(units: list[int], starts: list[int]) -> list[int]:
    """For each start the polynomial of the WINDOW_UNITS units from there, modulo 2^64: a difference of two prefixes."""
    wanted = {*starts, *(start + WINDOW_UNITS for start in starts)}
    prefixes = accumulate(units, lambda value, unit: (value * BASE + unit) & _MASK, initial=0)
    prefix = {index: value for index, value in enumerate(prefixes) if index in wanted}
    return [(prefix[start + WINDOW_UNITS] - prefix[start] * _BASE_OF_WINDOW) & _MASK for start in starts]
