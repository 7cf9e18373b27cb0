"""Comments that silence findings, and what is said about those that silence nothing."""

from __future__ import annotations

import json

import pytest
from conftest import CLEAN, HAZARD, Command, Project

from torchlint.findings import Confidence, Finding, Severity
from torchlint.source import SourceFile, Span
from torchlint.suppress import apply, find_suppressions

STATEMENT = "self.offset = torch.zeros(3)"


def finding(line: int, code: str = "TL101") -> Finding:
    span = Span("x.py", line, 1, line, 2)
    return Finding(code, "name", Severity.WARNING, Confidence.HIGH, "message", span, "key", "symbol")


def silenced_lines(text: str, code: str = "TL101") -> list[int]:
    """The lines on which a finding would be silenced."""
    source = SourceFile("x.py", text.encode())
    findings = [finding(line, code) for line in range(1, len(source.lines) + 1)]
    return [one.span.line for one in apply(findings, find_suppressions(source)).suppressed]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a\nb  # torchlint: ignore[TL101]\nc\n", [2]),
        ("a\nb  # torchlint: ignore[TL101, TL102] because\nc\n", [2]),
        ("a\nb  # torchlint:ignore[tl101]\n", [2]),
        ("a\nb  # type: ignore # torchlint: ignore[TL101] because # pragma\n", [2]),
        ("b(\n    1,  # torchlint: ignore[TL101]\n    2,\n)\nc\n", [1, 2, 3, 4]),
        ("b(\n    1,\n    # torchlint: ignore[TL101]\n)\nc\n", [1, 2, 3, 4]),
        ("b = '''\ntext\n'''  # torchlint: ignore[TL101]\n", [1, 2, 3]),
        ("@d  # torchlint: ignore[TL101]\n@e\ndef f():\n    pass\n", [1, 2, 3]),
        ("@d\ndef f(\n    a,\n):  # torchlint: ignore[TL101]\n    pass\n", [1, 2, 3, 4]),
        ("def f():  # torchlint: ignore[TL101]\n    pass\n", [1]),
        ("a\n# torchlint: ignore[TL101]\nb\n", [2]),
        ("# torchlint: ignore-next-line[TL101]\n\n# more\nb(\n1)\nc\n", [4, 5]),
        ("a\n# torchlint: ignore-file[TL101]\nb\n", [1, 2, 3]),
        ("b  # noqa: TL101\n", [1]),
        ("b  # noqa:E501,TL101 because\n", [1]),
        ("b  # NOQA: E501 TL101\n", [1]),
        ("b  # noqa\n", []),
        ("b  # torchlint: ignore\n", []),
        ("b  # torchlint: ignore[TL102]\n", []),
        ("b  # torchlint: noqa[TL101]\n", []),
        ("b = '# torchlint: ignore[TL101]'\n", []),
    ],
)
def test_reach(text: str, lines: list[int]) -> None:
    found = [line for line in silenced_lines(text) if line <= text.count("\n")]
    assert found == lines


def test_the_reason_is_kept_as_justification() -> None:
    source = SourceFile("x.py", b"b  # torchlint: ignore[TL101] moved by hand  # fmt: skip\n")
    (one,) = apply([finding(1)], find_suppressions(source)).suppressed
    assert one.suppression == "moved by hand"


def test_without_a_reason_the_comment_is_the_justification() -> None:
    source = SourceFile("x.py", b"b  # noqa: TL101\n")
    (one,) = apply([finding(1)], find_suppressions(source)).suppressed
    assert one.suppression == "noqa TL101"


def test_codes_named_in_vain_are_unused() -> None:
    source = SourceFile("x.py", b"b  # torchlint: ignore[TL101, TL102]\n")
    (unused,) = apply([finding(1)], find_suppressions(source)).unused
    assert unused.codes == ("TL102",)


def test_two_comments_for_one_finding_are_both_used() -> None:
    source = SourceFile("x.py", b"# torchlint: ignore-file[TL101]\nb  # torchlint: ignore[TL101]\n")
    assert apply([finding(2)], find_suppressions(source)).unused == ()


def test_columns_are_those_of_the_comment() -> None:
    source = SourceFile("x.py", "é = 1  # torchlint: ignore[TL101]  \n".encode())
    (suppression,) = find_suppressions(source)
    assert suppression.span == Span("x.py", 1, 8, 1, 34)


def test_a_suppressed_finding_is_counted_and_not_shown(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD.replace(STATEMENT, f"{STATEMENT}  # torchlint: ignore[TL101] moved by hand")})
    done = torchlint("check")
    assert (done.code, done.out) == (0, "Checked 1 file with 1 module: 0 findings, 1 suppressed.\n")


def test_sarif_has_suppressed_findings_on_demand(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD.replace(STATEMENT, f"{STATEMENT}  # torchlint: ignore[TL101] moved by hand")})
    without = json.loads(torchlint("check", "--output-format", "sarif").out)
    having = json.loads(torchlint("check", "--output-format", "sarif", "--sarif-include-suppressed").out)
    assert without["runs"][0]["results"] == []
    assert having["runs"][0]["results"][0]["suppressions"][0]["justification"] == "moved by hand"


def notes(torchlint: Command, *options: str) -> list[str]:
    findings = json.loads(torchlint("check", "--show-notes", "--output-format", "json", *options).out)["findings"]
    return [one["message"] for one in findings if one["code"] == "TL001"]


def test_an_unused_suppression_is_a_note(project: Project, torchlint: Command) -> None:
    project({"clean.py": CLEAN.replace("zeros(3))", "zeros(3))  # torchlint: ignore[TL101]")})
    (message,) = notes(torchlint)
    assert message.startswith("`ignore` silences TL101, which has no finding here")


def test_a_suppression_of_a_rule_that_is_off_is_left_alone(project: Project, torchlint: Command) -> None:
    project({"clean.py": CLEAN.replace("zeros(3))", "zeros(3))  # torchlint: ignore[TL101]")})
    assert notes(torchlint, "--ignore", "TL101") == []


def test_a_suppression_of_no_rule_is_a_note(project: Project, torchlint: Command) -> None:
    project({"clean.py": CLEAN.replace("zeros(3))", "zeros(3))  # torchlint: ignore[TL998]")})
    assert len(notes(torchlint)) == 1


def test_a_directive_that_we_do_not_know_is_a_note(project: Project, torchlint: Command) -> None:
    project({"clean.py": CLEAN.replace("zeros(3))", "zeros(3))  # torchlint: ignor[TL101]")})
    (message,) = notes(torchlint)
    assert message.startswith("`torchlint: ignor` silences nothing")


def test_an_unused_suppression_can_be_suppressed_in_its_settings_only(project: Project, torchlint: Command) -> None:
    project({"clean.py": CLEAN.replace("zeros(3))", "zeros(3))  # torchlint: ignore[TL101]")})
    assert notes(torchlint, "--ignore", "TL001") == []
