"""The SARIF log: what it says, and that three independent readers of the format accept it."""

import io
import json
import shutil
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from torchlint.findings import (
    Confidence,
    Edit,
    Finding,
    Fix,
    Notification,
    Place,
    Safety,
    Severity,
    Verdict,
)
from torchlint.pages import Page, parse_page
from torchlint.report.contents import Report
from torchlint.report.fingerprint import line_hashes
from torchlint.report.sarif import ACCEPTED_RESULTS, SHOWN_RESULTS, SarifTooLargeError, write_sarif
from torchlint.source import SourceFile, Span

MULTITOOL = "@microsoft/sarif-multitool-linux@5.7.0"
SCHEMA = Path(__file__).parent / "data" / "sarif-2.1.0.json"

PAGE = """\
# TL101 unregistered-tensor

```toml
confidence = "high"
fix = "review"
confirm = "The output changes after a move to another device."
since = "0.1.0"

[[message]]
when = "default"
severity = "warning"
text = "self.{attribute} is left behind"
```

**TL101 unregistered-tensor.** A tensor on a plain attribute. `.to()` leaves it where it was built.

## Why it matters
The next forward mixes devices.

## Bad
```python
self.offset = torch.zeros(1)  # expect: TL101
```

## Good
```python
self.register_buffer("offset", torch.zeros(1))
```

## Stays silent when
- only `__init__` reads it
"""

ROTARY = '''\
import torch
from torch import nn


class Rotary(nn.Module):
    """Größe: 😀."""

    def __init__(self, width):
        super().__init__()
        self.frequencies = 1.0 / 10000 ** (torch.arange(0, width, 2) / width)

    def forward(self, positions):
        return positions[:, None] * self.frequencies
'''
BIRTH_LINE, READ_LINE = 10, 13


def run_with(
    root: Path,
    findings: Sequence[Finding] = (),
    suppressed: Sequence[Finding] = (),
    notifications: Sequence[Notification] = (),
) -> Report:
    """A finished run in `root`; its counts are not part of a log."""
    return Report(tuple(findings), tuple(suppressed), tuple(notifications), 1, 1, 0, root, root)


@pytest.fixture
def pages() -> dict[str, Page]:
    return {"TL101": parse_page(Path("rules/TL101.md"), PAGE)}


@pytest.fixture
def rotary(tmp_path: Path) -> Path:
    path = tmp_path / "src" / "rotary.py"
    path.parent.mkdir()
    path.write_text(ROTARY, encoding="utf-8")
    return path


def finding_in(path: Path) -> Finding:
    birth = Span(str(path), BIRTH_LINE, 9, BIRTH_LINE, 78)
    read = Span(str(path), READ_LINE, 37, READ_LINE, 53)
    return Finding(
        code="TL101",
        name="unregistered-tensor",
        severity=Severity.WARNING,
        confidence=Confidence.HIGH,
        message="self.frequencies is a plain tensor that forward() reads: .to() leaves it behind",
        span=birth,
        key="TL101:src.rotary.Rotary.frequencies",
        symbol="Rotary.frequencies",
        related=(Place(read, "read here"),),
    )


def written(run: Report, pages: dict[str, Page], *, include_suppressed: bool = False) -> str:
    stream = io.StringIO()
    write_sarif(run, pages, stream, include_suppressed=include_suppressed)
    return stream.getvalue()


def run_of(log: str) -> dict[str, Any]:
    run: dict[str, Any] = json.loads(log)["runs"][0]
    return run


def result_of(finding: Finding, root: Path, pages: dict[str, Page]) -> dict[str, Any]:
    (result,) = run_of(written(run_with(root, [finding]), pages))["results"]
    assert isinstance(result, dict)
    return result


def full_run(rotary: Path) -> Report:
    """A run in which every part of the log occurs."""
    finding = finding_in(rotary)
    insertion = Span(str(rotary), BIRTH_LINE, 9, BIRTH_LINE, 9)
    fix = Fix("register it as a buffer", (Edit(insertion, "# "), Edit(finding.span, "pass")), Safety.REVIEW)
    return run_with(
        root=rotary.parent.parent,
        findings=[
            replace(finding, fix=fix, verdict=Verdict.CONFIRMED, evidence="RuntimeError: two devices"),
            replace(finding, severity=Severity.ERROR, message="shape[0](x) and {0} and x[ are code"),
            replace(finding, severity=Severity.NOTE, symbol="train", key="TL101:src.rotary.train", related=()),
        ],
        suppressed=[replace(finding, suppression="moved by hand"), replace(finding, suppression="")],
        notifications=[
            Notification(str(rotary), 3, "cannot analyse src/rotary.py: invalid syntax at line 3; skipped"),
            Notification(None, None, "two files were large", fatal=False),
        ],
    )


# ---- what the log says


def test_a_clean_run_has_an_empty_list_of_results(tmp_path, pages):
    run = run_of(written(run_with(tmp_path), pages))
    assert run["results"] == []
    assert run["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]


def test_a_rule_carries_its_page(tmp_path, pages):
    (rule,) = run_of(written(run_with(tmp_path), pages))["tool"]["driver"]["rules"]
    assert rule["shortDescription"] == {"text": "A tensor on a plain attribute."}
    assert rule["fullDescription"]["text"] == "A tensor on a plain attribute. .to() leaves it where it was built."
    assert rule["help"]["markdown"].startswith("# TL101 unregistered-tensor\n\n**TL101")
    assert rule["helpUri"].endswith("/TL101.md")
    assert rule["defaultConfiguration"] == {"level": "warning"}
    assert rule["properties"] == {
        "tags": ["pytorch", "correctness", "module-state"],
        "precision": "high",
        "problem.severity": "warning",
    }


def test_a_result_names_place_class_and_attribute(rotary, pages):
    (location,) = result_of(finding_in(rotary), rotary.parent.parent, pages)["locations"]
    place = location["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "src/rotary.py"}
    assert (place["region"]["startLine"], place["region"]["startColumn"]) == (BIRTH_LINE, 9)
    assert [name["fullyQualifiedName"] for name in location["logicalLocations"]] == [
        "src.rotary.Rotary.frequencies",
        "src.rotary.Rotary",
    ]


def test_a_result_quotes_its_code_and_the_lines_around(rotary, pages):
    (location,) = result_of(finding_in(rotary), rotary.parent.parent, pages)["locations"]
    place = location["physicalLocation"]
    assert place["region"]["snippet"]["text"].startswith("self.frequencies = 1.0")
    assert place["region"]["snippet"]["text"].endswith("/ width)")
    assert (place["contextRegion"]["startLine"], place["contextRegion"]["endLine"]) == (8, 12)
    assert place["contextRegion"]["snippet"]["text"].splitlines()[0] == "    def __init__(self, width):"


def test_the_message_links_each_related_place(rotary, pages):
    result = result_of(finding_in(rotary), rotary.parent.parent, pages)
    assert result["message"]["text"] == (
        "self.frequencies is a plain tensor that forward() reads: .to() leaves it behind. See: [read here](1)."
    )
    assert [(place["id"], place["message"]["text"]) for place in result["relatedLocations"]] == [(1, "read here")]


def test_code_in_a_message_is_no_link_and_no_placeholder(rotary, pages):
    finding = replace(finding_in(rotary), message="table[0](x) takes {0}", related=())
    assert result_of(finding, rotary.parent, pages)["message"]["text"] == r"table\[0\](x) takes {{0}}."


def test_brackets_that_make_no_link_are_left_alone(rotary, pages):
    finding = replace(finding_in(rotary), message="x[:, 0] is float", related=())
    assert result_of(finding, rotary.parent, pages)["message"]["text"] == "x[:, 0] is float."


def test_the_code_flow_goes_from_birth_to_read(rotary, pages):
    steps = flow_lines(finding_in(rotary), rotary.parent, pages)
    assert steps == [BIRTH_LINE, READ_LINE]


def test_the_code_flow_starts_with_what_stands_above_the_finding(rotary, pages):
    finding = finding_in(rotary)
    region, other = replace(finding.span, line=4), replace(finding.span, line=12, end_line=12)
    finding = replace(finding, related=(Place(region, "region starts"), Place(other, "leaves here")))
    assert flow_lines(finding, rotary.parent, pages) == [4, BIRTH_LINE, 12]


def test_the_code_flow_has_what_lies_inside_the_finding_before_it(rotary, pages):
    finding = finding_in(rotary)
    born = Place(replace(finding.span, column=28), "made here")
    finding = replace(finding, related=(born, *finding.related))
    (flow,) = result_of(finding, rotary.parent, pages)["codeFlows"]
    texts = [step["location"]["message"]["text"] for step in flow["threadFlows"][0]["locations"]]
    assert texts == ["made here", finding.message, "read here"]


def flow_lines(finding: Finding, root: Path, pages: dict[str, Page]) -> list[int]:
    (flow,) = result_of(finding, root, pages)["codeFlows"]
    (thread,) = flow["threadFlows"]
    return [step["location"]["physicalLocation"]["region"]["startLine"] for step in thread["locations"]]


def test_a_finding_without_other_places_has_no_flow(rotary, pages):
    result = result_of(replace(finding_in(rotary), related=()), rotary.parent, pages)
    assert "codeFlows" not in result
    assert "relatedLocations" not in result


def test_a_result_has_the_line_hash_and_our_key(rotary, pages):
    fingerprints = result_of(finding_in(rotary), rotary.parent, pages)["partialFingerprints"]
    assert fingerprints == {
        "primaryLocationLineHash": line_hashes(rotary.read_bytes())[BIRTH_LINE - 1],
        "torchlint/v1": "TL101:src.rotary.Rotary.frequencies",
    }


def test_the_level_is_written_even_when_it_is_the_default(rotary, pages):
    assert result_of(finding_in(rotary), rotary.parent, pages)["level"] == "warning"


def test_rank_goes_by_severity_then_confidence(rotary, pages):
    grades = [(severity, confidence) for severity in Severity for confidence in Confidence]
    ranks = [
        result_of(replace(finding_in(rotary), severity=severity, confidence=confidence), rotary.parent, pages)["rank"]
        for severity, confidence in grades
    ]
    assert ranks == sorted(ranks, reverse=True)
    assert ranks[0] == 100.0


def test_properties_say_confidence_class_and_verdict(rotary, pages):
    finding = replace(finding_in(rotary), verdict=Verdict.CONFIRMED, evidence="RuntimeError")
    assert result_of(finding, rotary.parent, pages)["properties"] == {
        "confidence": "high",
        "class": "Rotary",
        "verdict": "confirmed",
        "evidence": "RuntimeError",
    }


def test_a_fix_is_whole_replacements_and_says_when_to_review(rotary, pages):
    (fix,) = run_of(written(full_run(rotary), pages))["results"][0]["fixes"]
    assert fix["description"]["text"] == "register it as a buffer (review before you keep it)"
    (change,) = fix["artifactChanges"]
    assert [replacement["insertedContent"]["text"] for replacement in change["replacements"]] == ["# ", "pass"]


def test_an_unreadable_file_is_a_notification_and_a_failed_invocation(rotary, pages):
    (invocation,) = run_of(written(full_run(rotary), pages))["invocations"]
    assert invocation["executionSuccessful"] is False
    unreadable, large = invocation["toolExecutionNotifications"]
    assert unreadable["level"] == "error"
    assert unreadable["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "src/rotary.py"},
        "region": {"startLine": 3},
    }
    assert large == {"message": {"text": "two files were large"}, "level": "warning"}


def test_suppressed_findings_are_left_out_by_default(rotary, pages):
    results = run_of(written(full_run(rotary), pages))["results"]
    assert len(results) == 3
    assert not any("suppressions" in result for result in results)


def test_suppressed_findings_carry_their_reason_on_request(rotary, pages):
    results = run_of(written(full_run(rotary), pages, include_suppressed=True))["results"]
    suppressions = [result["suppressions"] for result in results if "suppressions" in result]
    assert suppressions == [[{"kind": "inSource", "justification": "moved by hand"}], [{"kind": "inSource"}]]


# ---- places


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("a b.py", "a%20b.py"),
        ("100%.py", "100%25.py"),
        ("größe.py", "gr%C3%B6%C3%9Fe.py"),
        ("a#b:c.py", "a%23b%3Ac.py"),
    ],
)
def test_uris_are_percent_encoded(tmp_path, pages, name, uri):
    assert uri_of(tmp_path / name, tmp_path, pages) == uri


def test_a_file_name_that_is_not_utf8_keeps_its_bytes(tmp_path, pages):
    assert uri_of(tmp_path / "\udcff.py", tmp_path, pages) == "%FF.py"


def test_symbolic_links_are_resolved(rotary, pages, tmp_path):
    link = tmp_path / "link.py"
    link.symlink_to(rotary)
    assert uri_of(link, tmp_path, pages) == "src/rotary.py"


def test_a_root_behind_a_symbolic_link_is_still_the_root(rotary, pages, tmp_path):
    root = tmp_path / "alias"
    root.symlink_to(rotary.parent)
    assert uri_of(rotary, root, pages) == "rotary.py"


def test_a_file_outside_the_root_has_an_absolute_uri(rotary, pages, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    assert uri_of(rotary, other, pages) == rotary.resolve().as_uri()


def uri_of(path: Path, root: Path, pages: dict[str, Page]) -> str:
    (location,) = result_of(finding_in(path), root, pages)["locations"]
    uri: str = location["physicalLocation"]["artifactLocation"]["uri"]
    return uri


def test_a_file_that_is_gone_costs_only_snippet_and_hash(tmp_path, pages):
    result = result_of(finding_in(tmp_path / "gone.py"), tmp_path, pages)
    assert list(result["partialFingerprints"]) == ["torchlint/v1"]
    assert "snippet" not in result["locations"][0]["physicalLocation"]["region"]


def test_a_file_that_became_shorter_costs_only_snippet_and_hash(rotary, pages):
    rotary.write_text("x = 1\n", encoding="utf-8")
    result = result_of(finding_in(rotary), rotary.parent, pages)
    assert list(result["partialFingerprints"]) == ["torchlint/v1"]


def test_a_file_from_standard_input_is_quoted_as_it_was_given(tmp_path, pages):
    path = tmp_path / "unsaved.py"
    source = SourceFile(str(path), ROTARY.encode())
    report = replace(run_with(tmp_path, [finding_in(path)]), given={str(path): source})
    (result,) = run_of(written(report, pages))["results"]
    assert "snippet" in result["locations"][0]["physicalLocation"]["region"]
    assert "primaryLocationLineHash" in result["partialFingerprints"]


def test_a_line_of_a_megabyte_is_not_quoted(tmp_path, pages):
    path = tmp_path / "generated.py"
    path.write_text("x = [" + "1, " * 300_000 + "]\n", encoding="utf-8")
    finding = replace(finding_in(path), span=Span(str(path), 1, 1, 1, 2), related=())
    assert len(written(run_with(tmp_path, [finding]), pages)) < 10_000


# ---- size and order


def test_the_log_is_the_same_whatever_the_order_of_the_findings(rotary, pages):
    findings = many_findings(rotary, 12)
    assert written(run_with(rotary.parent, findings), pages) == written(run_with(rotary.parent, findings[::-1]), pages)


def test_each_result_is_one_line_of_ascii(rotary, pages):
    log = written(full_run(rotary), pages)
    assert log.isascii()
    assert len(log.splitlines()) == 3 + 2


def many_findings(path: Path, count: int) -> list[Finding]:
    finding = finding_in(path)
    severities = [Severity.NOTE, Severity.WARNING, Severity.ERROR]
    return [
        replace(finding, severity=severities[index % 3], span=replace(finding.span, end_column=10 + index))
        for index in range(count)
    ]


def test_above_what_is_shown_the_gravest_come_first_and_the_log_says_so(rotary, pages):
    run = run_of(written(run_with(rotary.parent, many_findings(rotary, SHOWN_RESULTS + 1)), pages))
    levels = [result["level"] for result in run["results"]]
    assert levels == sorted(levels, key=["error", "warning", "note"].index)
    (notification,) = run["invocations"][0]["toolExecutionNotifications"]
    assert notification["message"]["text"] == (
        "Code scanning shows 5,000 of the 5,001 results; the gravest come first."
    )


def test_above_what_is_accepted_nothing_is_written(rotary, pages):
    stream = io.StringIO()
    run = run_with(rotary.parent, many_findings(rotary, ACCEPTED_RESULTS + 1))
    with pytest.raises(SarifTooLargeError, match=r"accepts 25,000 results in a run and there are 25,001; select fewer"):
        write_sarif(run, pages, stream, include_suppressed=False)
    assert stream.getvalue() == ""


class Discard(io.TextIOBase):
    """A stream that keeps only the count of characters."""

    def __init__(self) -> None:
        self.length_characters = 0

    def write(self, text: str) -> int:
        self.length_characters += len(text)
        return len(text)


def test_ten_thousand_findings_stream_in_bounded_memory(rotary, pages):
    run = run_with(rotary.parent, [replace(finding, related=()) for finding in many_findings(rotary, 10_000)])
    stream = Discard()
    written(run_with(rotary.parent), pages)
    tracemalloc.start()
    try:
        write_sarif(run, pages, stream, include_suppressed=False)
        peak_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert stream.length_characters > 8_000_000
    assert peak_bytes < 2_500_000


def test_importing_the_writer_imports_neither_attrs_nor_sarif_om():
    code = "import sys, torchlint.report.sarif; sys.exit(bool({'attr', 'sarif_om', 'libcst'} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# ---- other readers of the format


def test_the_log_satisfies_the_json_schema(rotary, pages):
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    validator = jsonschema_rs.validator_for(schema, validate_formats=True)
    log = json.loads(written(full_run(rotary), pages, include_suppressed=True))
    assert [f"{error.instance_path}: {error.message}" for error in validator.iter_errors(log)] == []


@pytest.fixture(scope="session")
def multitool() -> Path:
    """Microsoft's validator, installed once from npm into the temporary directory."""
    npm = shutil.which("npm")
    if npm is None or sys.platform != "linux":
        pytest.skip("the SARIF multitool needs npm on Linux")
    folder = Path(tempfile.gettempdir()) / f"torchlint-{MULTITOOL.rpartition('@')[2]}-multitool"
    program = folder / "node_modules" / MULTITOOL.rpartition("@")[0] / "Sarif.Multitool"
    if not program.exists():
        folder.mkdir(exist_ok=True)
        command = [npm, "install", "--no-fund", "--no-audit", "--prefix", str(folder), MULTITOOL]
        installed = subprocess.run(command, capture_output=True, text=True, check=False)
        if installed.returncode != 0:
            pytest.skip(f"npm cannot install {MULTITOOL}: {installed.stderr[-300:]}")
        program.chmod(0o755)
    return program


def call(program: Path, *arguments: str | Path) -> None:
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def complaints(multitool: Path, log: Path) -> list[str]:
    """Every error and warning of the multitool about `log`, by its rules for SARIF and for GitHub."""
    verdicts = log.with_suffix(".verdicts.sarif")
    options = ["--rule-kind", "Sarif;Ghas", "--level", "Error;Warning", "--log", "ForceOverwrite"]
    call(multitool, "validate", log, *options, "--output", verdicts)
    results = json.loads(verdicts.read_text(encoding="utf-8-sig"))["runs"][0].get("results", [])
    return [f"{result.get('level', 'warning')} {result['ruleId']}: {result['message']}" for result in results]


def test_the_multitool_finds_nothing_to_say(multitool, rotary, pages, tmp_path):
    log = tmp_path / "log.sarif"
    log.write_text(written(full_run(rotary), pages, include_suppressed=True), encoding="utf-8")
    assert complaints(multitool, log) == []


def test_the_multitool_does_complain_of_a_faulty_log(multitool, rotary, pages, tmp_path):
    log = tmp_path / "log.sarif"
    faulty = written(full_run(rotary), pages).replace('"ruleIndex":0', '"ruleIndex":7')
    log.write_text(faulty, encoding="utf-8")
    assert any(complaint.startswith("error") for complaint in complaints(multitool, log))


FILES = {
    "lf.py": b"import torch\n\nx = 1\nx = 1\n",
    "crlf.py": b"import torch\r\n\r\nx = 1\r\n  y = 2\r\n",
    "cr.py": b"a\rb\r\rc\r",
    "mixed.py": b"a\r\nb\rc\n\rd\n\n\r\r\ne",
    "tabs.py": b"\tx =\t1\n\t\ty\n \t \n",
    "emoji.py": 'x = "😀 é 漢"\ny = "😀"\n'.encode(),
    "no_end_of_line.py": b"x = 1\ny = 2",
    "empty.py": b"",
    "one_line_end.py": b"\n",
    "byte_order_mark.py": "\ufeffimport torch\nx = 1\n".encode(),
    "latin_1.py": '# -*- coding: latin-1 -*-\nx = "é à"\n'.encode("latin-1"),
    "not_utf8.py": b'x = "\xff\xfe\xe2\x82 \xf0\x9f\x98"\ny = 2\n',
    "form_feed.py": b"x\x0cy\x0b\x1c\xc2\x85z\xe2\x80\xa8w\nv\n",
    "long.py": b"x = " + b" + ".join(b"%d" % number for number in range(500)) + b"\n" + b"y\n" * 40,
}


def test_line_hashes_equal_those_of_the_multitool(multitool, tmp_path):
    expected = {name: line_hashes(data) for name, data in FILES.items()}
    places = [(name, line) for name, hashes in expected.items() for line in range(1, len(hashes) + 1)]
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    assert oracle_hashes(multitool, tmp_path, places) == [expected[name][line - 1] for name, line in places]


def oracle_hashes(multitool: Path, folder: Path, places: list[tuple[str, int]]) -> list[str]:
    results = [
        {
            "ruleId": "TL101",
            "message": {"text": "x"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": (folder / name).as_uri()},
                        "region": {"startLine": line},
                    }
                }
            ],
        }
        for name, line in places
    ]
    bare, hashed = folder / "bare.sarif", folder / "hashed.sarif"
    log = {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": results}]}
    bare.write_text(json.dumps(log), encoding="utf-8")
    insert = ["--insert", "RollingHashPartialFingerprints", "--log", "ForceOverwrite"]
    call(multitool, "rewrite", bare, "--output", hashed, *insert)
    rewritten = json.loads(hashed.read_text(encoding="utf-8-sig"))["runs"][0]["results"]
    return [result["partialFingerprints"]["primaryLocationLineHash"] for result in rewritten]
