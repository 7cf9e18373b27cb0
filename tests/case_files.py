"""The case files: kinds of fault from public reports, rebuilt, each with torch's own verdict in `demonstrate()`.

Marks stand at the end of a line, codes are written `TL101, TL102`:

    # expect: TL101   a finding belongs here
    # ok: TL101       a near miss: silence
    # use: TL101      where the fault surfaces; a finding here is neither right nor wrong

A case is graded for the rules that it speaks of, in its marks or in the `rules:` line of its docstring.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

CASES = Path(__file__).parent / "cases"
# Written after the rules had been mended for all of CASES, by somebody who knew neither rules nor fixtures.
LATER_CASES = Path(__file__).parent / "benchmarks" / "cases"

# For these rules the pattern itself is a note where it does no harm yet, so a note answers an expectation.
EXPECTED_AS_NOTE = frozenset(
    {"TL102", "TL108", "TL110", "TL117", "TL119", "TL120", "TL122", "TL402", "TL407", "TL409", "TL307"}
)

_CODE = re.compile(r"TL\d{3}")
_MARK = re.compile(r"#\s*(expect|ok|use):\s*((?:TL\d{3}[,\s]*)+)")
_REMARK = re.compile(r"\s*#\s*(expect|ok|use|origin|todo)\b.*$")
_SELF_CHECK = re.compile(r"def demonstrate|# ---- demonstration")


@dataclass(frozen=True)
class Case:
    """One file. program: its text, lines in their places, without marks, `rules:`, `source:` and the self-check.

    expected, surfaces, near_misses: (line, code) of the `expect`, `use` and `ok` marks, lines 1-based.
    codes: the rules it speaks of.
    """

    path: Path
    program: str
    expected: frozenset[tuple[int, str]]
    surfaces: frozenset[tuple[int, str]]
    near_misses: frozenset[tuple[int, str]]
    codes: frozenset[str]

    @property
    def name(self) -> str:
        """The path inside its collection: "state/07_batch_size_guard.py"."""
        return f"{self.path.parent.name}/{self.path.name}"


def cases_in(*folders: Path) -> list[Case]:
    """The cases of the folders and of the folders below them, by path."""
    return [read_case(path) for folder in folders for path in sorted(folder.rglob("*.py"))]


def read_case(path: Path) -> Case:
    """Read one case file."""
    graded = _graded_lines(path.read_text(encoding="utf-8"))
    marks = {
        (line, mark[1], code)
        for line, text in enumerate(graded, 1)
        if (mark := _MARK.search(text))
        for code in _CODE.findall(mark[2])
    }
    announced = {code for text in graded if text.startswith("rules:") for code in _CODE.findall(text)}
    return Case(
        path=path,
        program="\n".join(_without_marks(text) for text in graded) + "\n",
        expected=frozenset((line, code) for line, word, code in marks if word == "expect"),
        surfaces=frozenset((line, code) for line, word, code in marks if word == "use"),
        near_misses=frozenset((line, code) for line, word, code in marks if word == "ok"),
        codes=frozenset(announced | {code for _, _, code in marks}),
    )


def _graded_lines(text: str) -> list[str]:
    lines = text.splitlines()
    ends = (number for number, line in enumerate(lines) if _SELF_CHECK.match(line))
    return lines[: next(ends, len(lines))]


def _without_marks(text: str) -> str:
    return "" if text.startswith(("rules:", "source:")) else _REMARK.sub("", text)
