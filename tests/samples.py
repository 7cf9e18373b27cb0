"""The samples: small programs whose lines say what the rules must find in them.

Marks stand at the end of a line; two codes are written `TL101, TL102`, and two spaces part a code from the reason:

    # expect: TL101                a warning or an error
    # note: TL101                  a note
    # ok: TL101  reason            a near miss: silence
    # todo: TL101  reason          a finding that is right and that the rule misses
    # todo: note TL101  reason     the same, and it should be a note
    # todo: ok TL101  reason       a finding that is wrong
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from torchlint import rules
from torchlint.findings import Hit, Severity
from torchlint.model import Project
from torchlint.model.facts import FileFacts
from torchlint.pages import load_pages
from torchlint.reading.reader import read
from torchlint.source import SourceFile

TESTS = Path(__file__).parent
RULES = tuple(rule for rule in rules.load().values() if rule.subject != "suppression")
PAGES = load_pages()

_MARK = re.compile(r"# (expect|note|ok|todo): (?:(expect|note|ok) )?(TL\d{3}(?:, TL\d{3})*)(?:  ([^#]+))?")


class Found(NamedTuple):
    """A finding as the marks speak of it. line: 1-based. word: "note" for a note, "expect" for anything graver."""

    file: str
    line: int
    code: str
    word: str


@dataclass(frozen=True)
class Mark:
    """One code of one mark. word: the outcome that is right, "expect", "note" or "ok". is_todo: it is not so yet."""

    file: str
    line: int
    code: str
    word: str
    reason: str
    is_todo: bool

    @property
    def place(self) -> tuple[str, int, str]:
        """Where it holds, and for which rule."""
        return self.file, self.line, self.code


@dataclass(frozen=True, eq=False)
class Sample:
    """A program in one or several files, by path inside the sample."""

    name: str
    files: Mapping[str, str]

    @property
    def marks(self) -> tuple[Mark, ...]:
        """All marks of all files, in order."""
        return tuple(mark for file, text in self.files.items() for mark in _marks(file, text))


def fixtures() -> list[Sample]:
    """The files of tests/rules, each a program of its own."""
    paths = sorted((TESTS / "rules").glob("TL*/*.py"))
    return [Sample(f"{path.parent.name}/{path.name}", {path.name: path.read_text("utf-8")}) for path in paths]


def projects() -> list[Sample]:
    """The folders of tests/projects."""
    folders = sorted(path for path in (TESTS / "projects").iterdir() if path.is_dir())
    return [Sample(folder.name, _python_files(folder)) for folder in folders]


def page_blocks() -> list[Sample]:
    """The python blocks of all pages, each a program of its own."""
    return [
        Sample(f"{page.code} {heading} {number}", {"example.py": block})
        for page in PAGES.values()
        for heading, blocks in (("bad", page.bad), ("good", page.good))
        for number, block in enumerate(blocks, 1)
    ]


def findings(sample: Sample) -> frozenset[Found]:
    """What the rules say of a sample."""
    return frozenset(
        Found(file, hit.span.line, code, _word(PAGES[code].severity_of(hit))) for file, code, hit in judged(sample)
    )


@cache
def judged(sample: Sample) -> tuple[tuple[str, str, Hit], ...]:
    """The hits in a sample, each behind its file and its code. Their spans lie in a folder that is gone."""
    with TemporaryDirectory() as folder:
        paths = {str(_written(Path(folder).resolve() / file, text)): file for file, text in sample.files.items()}
        project = Project({path: _facts(path) for path in paths})
        hits = [found for path in paths for found in rules.judge(RULES, project, [path])]
        return tuple((paths[hit.span.path], code, hit) for code, hit in hits)


def wanted(marks: tuple[Mark, ...]) -> set[Found]:
    """The findings that the marks ask for today: those of todo marks are left out."""
    return {Found(*mark.place, mark.word) for mark in marks if mark.word != "ok" and not mark.is_todo}


def _word(severity: Severity) -> str:
    return "note" if severity is Severity.NOTE else "expect"


def _marks(file: str, text: str) -> Iterator[Mark]:
    for line, content in enumerate(text.splitlines(), 1):
        for word, wish, codes, reason in _MARK.findall(content):
            is_todo = word == "todo"
            outcome = (wish or "expect") if is_todo else word
            yield from (Mark(file, line, code, outcome, reason.strip(), is_todo) for code in codes.split(", "))


def _python_files(folder: Path) -> dict[str, str]:
    paths = sorted(folder.rglob("*.py"))
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in paths}


def _written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _facts(path: str) -> FileFacts:
    source = SourceFile.load(Path(path))
    return read(source, ast.parse(source.data))
