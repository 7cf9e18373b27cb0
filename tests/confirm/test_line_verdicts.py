"""From what was seen at a line to a verdict, and from findings to jobs. No torch is needed here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from torchlint.confirm.case import Judgement
from torchlint.confirm.lines import JUDGES, judge_lines, line_jobs
from torchlint.confirm.plan import Claim, Job
from torchlint.confirm.supervisor import Answer
from torchlint.findings import Confidence, Finding, Severity, Verdict
from torchlint.source import Span

Facts = Mapping[str, Any]
CONFIRMED, REFUTED, INCONCLUSIVE = Verdict.CONFIRMED, Verdict.REFUTED, Verdict.INCONCLUSIVE
LINE = 7
CALL = "step() with x=2x3"
IGNORED = "cast to float32 feeds @, which autocast runs in its lower precision all the same"


def seen(**more: Any) -> Facts:
    """The facts of a call that ran to its end."""
    return {"ran": True, "raised": "", "line": 0, "harm": [], "call": CALL, "seed": 0, **more}


def judged(
    code: str, facts: Facts | None, *, text: str = "", before: tuple[Facts, ...] = (), ended: str = ""
) -> Judgement:
    """The judgement of one claim, for which the child told `facts`."""
    claim = Claim("key", code, "step", LINE, LINE, text)
    job = Job("/p/m.py", ("/p",), "m", "step", (claim,), (), is_of_lines=True)
    told = ({"stage": "facts", "name": "key", "facts": facts},) if facts is not None else ()
    return judge_lines(Answer(job, tuple(dict(one) for one in (*before, *told)), ended, 0.1), "sim")["key"]


def finding(code: str, symbol: str) -> Finding:
    span = Span("/p/m.py", LINE, 1, LINE, 9)
    return Finding(code, "", Severity.NOTE, Confidence.LOW, "text", span, f"{code}:{symbol}", symbol)


HARMS: Mapping[str, tuple[Facts, str]] = {
    "TL201": (
        {"operation": "__getitem__", "line": 9, "dtype": "torch.float32", "error": "IndexError: no"},
        "a subscript at line 9 gets a torch.float32 from line 7 and raises: IndexError: no",
    ),
    "TL204": (
        {"operation": "cat", "line": 9, "error": "DeviceClashError: cat"},
        "[simulated device]: cat at line 9 gets what line 7 made on the CPU, and raises: DeviceClashError: cat",
    ),
    "TL205": (
        {"operation": "view", "line": 7, "shape": [2, 3], "strides": [1, 2], "error": "RuntimeError: view"},
        "view() at line 7 of a 2x3 with strides (1, 2) raises, and runs on a contiguous copy: RuntimeError: view",
    ),
    "TL301": (
        {"operation": "half", "from": "torch.int64", "to": "torch.float16", "shape": [4], "lost": True},
        "a 4 torch.int64 of the state becomes torch.float16: its values are not what they were",
    ),
    "TL302": (
        {"operation": "masked_fill", "line": 7, "does": "raises: RuntimeError: overflow"},
        "in torch.float16, masked_fill at line 7 raises: RuntimeError: overflow",
    ),
    "TL401": (
        {"line": 7, "from": "torch.float32", "to": "torch.float16", "region": "torch.bfloat16"},
        "in a region of torch.bfloat16 a torch.float32 becomes torch.float16 by the cast at line 7",
    ),
    "TL402": ({"differ": True}, "inside an open autocast region; run after the region, it gives other gradients"),
    "TL404": ({"does": "raises", "error": "ValueError: unscale"}, "raises: ValueError: unscale"),
    "TL405": ({"skipped": True}, "the gradients of the scaled loss are not finite"),
    "TL406": ({"error": "", "ratio": 1.5e-5}, "the parameters move 1.5e-05 times as far"),
}
MORE: Mapping[str, Facts] = {"TL302": {"converted": "torch.float16"}}


@pytest.mark.parametrize("code", HARMS)
def test_what_the_page_says_confirms(code: str) -> None:
    harm, outcome = HARMS[code]
    found = judged(code, seen(harm=[harm], **MORE.get(code, {})))
    assert found.verdict is CONFIRMED
    assert found.evidence.startswith(f"{CALL}: ")
    assert outcome in found.evidence
    assert found.evidence.endswith("(seed 0)")


def test_every_rule_of_the_dtype_family_is_here() -> None:
    assert {code for code in JUDGES if code > "TL2"} == set(HARMS)


@pytest.mark.parametrize("code", HARMS)
def test_a_line_that_ran_and_showed_nothing_is_inconclusive(code: str) -> None:
    found = judged(code, seen(converted="", doubts=[], straight=True))
    assert found.verdict is INCONCLUSIVE
    assert CALL in found.evidence


@pytest.mark.parametrize("code", HARMS)
def test_a_line_that_did_not_run_says_so(code: str) -> None:
    found = judged(code, seen(ran=False, raised="ValueError: x"))
    assert (found.verdict, found.evidence) == (
        INCONCLUSIVE,
        "the line did not run in any call that could be made: ValueError: x",
    )


# What refutes


def test_state_that_is_met_and_spared_refutes() -> None:
    found = judged("TL301", seen(spared=["torch.int64"]))
    assert (found.verdict, "meets torch.int64" in found.evidence) == (REFUTED, True)


@pytest.mark.parametrize("more", [{"spared": []}, {"spared": ["torch.int64"], "raised": "KeyError: 'x'"}])
def test_state_without_integers_or_an_error_refutes_nothing(more: Facts) -> None:
    assert judged("TL301", seen(**more)).verdict is INCONCLUSIVE


@pytest.mark.parametrize(
    ("facts", "verdict"),
    [
        ({"honoured": ["pow"], "lowered": [], "straight": True}, REFUTED),
        ({"honoured": ["pow"], "lowered": [], "straight": False}, INCONCLUSIVE),
        ({"honoured": ["pow"], "lowered": [], "straight": True, "raised": "ValueError: x"}, INCONCLUSIVE),
        ({"honoured": [], "lowered": [], "straight": True}, INCONCLUSIVE),
        (
            {"honoured": ["pow"], "lowered": [{"operation": "@", "line": 8, "dtype": "b"}], "straight": True},
            INCONCLUSIVE,
        ),
        ({"honoured": [], "lowered": [{"operation": "@", "line": 8, "dtype": "b"}], "straight": True}, CONFIRMED),
    ],
)
def test_cast_that_autocast_honours_or_lowers(facts: Facts, verdict: Verdict) -> None:
    assert judged("TL401", seen(**facts), text=IGNORED).verdict is verdict


def test_cast_that_narrows_is_not_refuted_by_what_honours_it() -> None:
    facts = seen(honoured=["pow"], lowered=[], straight=True)
    assert judged("TL401", facts, text="cast to float16 inside autocast overrides the dtype").verdict is INCONCLUSIVE


# Jobs, and what became of them


def test_methods_of_a_class_are_one_job_and_a_function_is_another() -> None:
    jobs = line_jobs([finding("TL201", "Net.forward"), finding("TL205", "Net.merge"), finding("TL401", "loss")])
    assert [(job.qualname, [claim.member for claim in job.claims]) for job in jobs] == [
        ("Net", ["forward", "merge"]),
        ("loss", ["loss"]),
    ]
    assert all(job.is_of_lines for job in jobs)


def test_findings_of_other_rules_and_of_no_function_are_no_jobs() -> None:
    assert line_jobs([finding("TL101", "Net.table"), finding("TL201", "")]) == ()


@pytest.mark.parametrize(
    ("before", "ended", "evidence"),
    [
        (({"stage": "import"},), "timeout", "stopped at import: timeout"),
        ((), "", "stopped at start: it ended without a word"),
        (
            ({"stage": "import"}, {"stage": "failed", "error": "ModuleNotFoundError: x", "line": 3}),
            "",
            "the file could not be imported: ModuleNotFoundError: x (line 3)",
        ),
        (
            ({"stage": "import"}, {"stage": "construct"}, {"stage": "failed", "error": "TypeError: x", "line": 0}),
            "",
            "no arguments were found that build the class: TypeError: x",
        ),
    ],
)
def test_what_was_not_seen_is_inconclusive_with_the_reason(
    before: tuple[Facts, ...], ended: str, evidence: str
) -> None:
    found = judged("TL201", None, before=before, ended=ended)
    assert (found.verdict, found.evidence) == (INCONCLUSIVE, evidence)
