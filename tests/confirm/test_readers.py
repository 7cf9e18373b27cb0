"""Which class of a file is built for a finding about what stands at its top."""

from __future__ import annotations

from pathlib import Path

import pytest

from torchlint.confirm.plan import jobs_for
from torchlint.confirm.readers import reader_of
from torchlint.findings import Confidence, Finding, Severity
from torchlint.source import Span

FILE = """
TABLE = make()
ALIAS = TABLE
FAR = make()
BUILT = make()
UNREAD = make()


def scaled(x):
    return inner(x)


def inner(x):
    return x * FAR


class Constants:
    shift = make()


class Builder(Module):
    def __init__(self):
        self.copy = TABLE + BUILT


class Reader(Module):
    mean = make()

    def forward(self, x):
        return scaled(x) + ALIAS + Constants.shift
"""


@pytest.mark.parametrize(
    ("symbol", "reader"),
    [
        ("TABLE", "Reader"),  # by another name, outside of a constructor
        ("FAR", "Reader"),  # in a function that a function calls
        ("BUILT", "Builder"),
        ("UNREAD", ""),
        ("Constants.shift", "Reader"),  # a class without bases holds values for others
        ("Reader.mean", "Reader"),
    ],
)
def test_reader(symbol: str, reader: str, tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(FILE, encoding="utf-8")
    assert reader_of(tmp_path / "m.py", symbol) == reader


def test_file_that_cannot_be_read_has_no_reader(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("def", encoding="utf-8")
    assert reader_of(tmp_path / "m.py", "TABLE") == ""
    assert reader_of(tmp_path / "none.py", "TABLE") == ""


def finding(code: str, symbol: str, message: str, path: Path) -> Finding:
    span = Span(str(path), 2, 1, 2, 2)
    return Finding(code, "", Severity.WARNING, Confidence.HIGH, message, span, f"{code}:{symbol}", symbol)


def test_finding_about_the_top_of_a_file_joins_those_of_the_class_that_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "m.py"
    path.write_text(FILE, encoding="utf-8")
    found = finding("TL113", "TABLE", "", path), finding("TL101", "Reader.x", "", path)
    (job,) = jobs_for(found)
    assert (job.qualname, [claim.member for claim in job.claims]) == ("Reader", ["TABLE", "x"])


def test_name_with_a_dot_is_one_name(tmp_path: Path) -> None:
    message = "register_buffer() raises KeyError: the name 'run.mean' has a dot"
    (job,) = jobs_for([finding("TL107", "Dotted.run.mean", message, tmp_path / "m.py")])
    assert (job.qualname, job.claims[0].member) == ("Dotted", "run.mean")
