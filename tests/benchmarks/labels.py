"""Labelled sites of real code, one reader's: bug, weak (true but harmless, or by design) or no (silence is right)."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.scoring import Expectations, Site

SLACK_LINES = 2

_CODE = re.compile(r"TL\d{3}")
_STAND_INS = re.compile(r"\[alt:([^]]*)\]")


@dataclass(frozen=True)
class Label:
    """One row. verdict: "bug", "weak" or "no". stand_ins: rules that may fairly report the same hazard."""

    site: Site
    verdict: str
    stand_ins: frozenset[str]


@dataclass(frozen=True)
class Labels:
    """The rows whose files are in the corpus, and the files that are not."""

    rows: tuple[Label, ...]
    absent: tuple[Path, ...]

    @property
    def files(self) -> list[Path]:
        """The labelled files, by path."""
        return sorted({Path(row.site.path) for row in self.rows})

    def expectations(self, *, whole_files: bool) -> Expectations:
        """whole_files: all that is not labelled is `no`, too."""
        weak = {row.site for row in self.rows if row.verdict == "weak"}
        # A stand-in that reports the site beside its own rule is no second finding.
        weak |= {row.site._replace(code=code) for row in self.rows if row.verdict != "no" for code in row.stand_ins}
        return Expectations(
            expected=frozenset(row.site for row in self.rows if row.verdict == "bug"),
            neutral=frozenset(weak),
            wrong=None if whole_files else frozenset(row.site for row in self.rows if row.verdict == "no"),
            stand_ins={row.site: row.stand_ins for row in self.rows},
            slack_lines=SLACK_LINES,
        )


def read_labels(table: Path, corpus: Path) -> Labels:
    """Read a table of labels whose files lie below `corpus`, in a folder for each package, repository, or
    "repository@commit" (its
    first eight digits)."""
    rows: list[Label] = []
    absent: list[Path] = []
    with table.open(newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            file = (_folder_of(row, corpus) / row["path"]).resolve()
            if not file.exists():
                absent.append(file)
                continue
            stand_ins = frozenset(_CODE.findall(" ".join(_STAND_INS.findall(row["reason"]))))
            rows.append(Label(Site(str(file), int(row["line"]), row["rule"]), row["label"], stand_ins))
    return Labels(tuple(rows), tuple(absent))


def _folder_of(row: dict[str, str], corpus: Path) -> Path:
    """Where a package lies, or a repository: that of the row's own commit where several commits are there."""
    if row.get("package"):
        return corpus / row["package"]
    pinned = corpus / f"{row['repo']}@{row['commit'][:8]}"
    return pinned if pinned.exists() else corpus / row["repo"]


def read_files(listing: Path, corpus: Path) -> list[Path]:
    """The files of a list of files that are labelled whole, a path below `corpus` each line."""
    return [(corpus / line).resolve() for line in listing.read_text(encoding="utf-8").splitlines() if line]
