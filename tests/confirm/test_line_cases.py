"""The case files of dtype and autocast, run without a hint: what is confirmed, and that no near miss is."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from case_files import CASES, Case, cases_in
from found import found_in

from torchlint.confirm import Limits, Orders, confirm
from torchlint.findings import Confidence, Finding, Severity, Verdict
from torchlint.source import Span

pytest.importorskip("torch")

DTYPE = cases_in(CASES / "dtype")
LEAST = 0.8
# Everything that a finding of the rule can say, as a claim about a near miss.
SAYS = {
    "TL201": ("this value is floating and becomes an index",),
    "TL204": ("this tensor is made on the CPU and meets inputs",),
    "TL205": ("view() merges dimensions that transpose put out of order",),
    "TL301": ("every value becomes float16", "in-place arithmetic meets every value"),
    "TL302": (
        "-1e+09 becomes an infinity in float16, by * and without a warning (the module is converted to half)",
        "1e-08 is zero in float16: + keeps nothing away from zero (the module is converted to half)",
    ),
    "TL401": (
        "cast to float32 feeds @, which autocast runs in its lower precision all the same",
        "cast to float16 inside autocast overrides the dtype that autocast chose",
        "cast to bfloat16 inside autocast overrides the dtype that autocast chose",
        "cast to float64 feeds layer, which raises",
    ),
    "TL402": ("the backward pass runs inside the autocast region",),
    "TL404": ("model is trained by mixed precision and its own weights are float16: the scaler refuses",),
    "TL405": (".half() makes the loss float16 before the scaler multiplies it",),
    "TL406": ("clip_grad_norm_() sees gradients that still carry the loss scale", "the second step() raises"),
}

Place = tuple[str, int, str]


@dataclass(frozen=True)
class Run:
    """The verdicts by place. expected: of findings that the cases expect. near_misses: of claims that are not true."""

    expected: dict[Place, Finding]
    near_misses: list[Finding]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """One run of all findings and claims."""
    folder = tmp_path_factory.mktemp("cases")
    for case in DTYPE:
        (folder / case.path.name).write_text(case.program, encoding="utf-8")
    claims = [claim for case in DTYPE for claim in near_misses(case, folder)]
    found = [one for one in found_in(folder) if one.code in SAYS]
    orders = Orders(Path(sys.executable), device="sim", limits=Limits(seconds=120.0))
    outcome = confirm([*found, *claims], orders, lambda done, total: None)
    places = {(case.path.name, *mark) for case in DTYPE for mark in case.expected}
    expected: dict[Place, Finding] = {}
    for one in outcome.findings:
        place = (Path(one.span.path).name, one.span.line, one.code)
        if place in places and not one.key.startswith("near miss"):
            expected[place] = one
    return Run(expected, [one for one in outcome.findings if one.key.startswith("near miss")])


def near_misses(case: Case, folder: Path) -> Iterator[Finding]:
    """Findings for each line that the case calls a near miss, as if it were none."""
    named = dict(functions(case.program))
    for line, code in sorted(case.near_misses):
        for turn, text in enumerate(SAYS.get(code, ()) if line in named else ()):
            span = Span(str(folder / case.path.name), line, 1, line, 2)
            key = f"near miss {case.path.name}:{line}:{code}:{turn}"
            yield Finding(code, "", Severity.NOTE, Confidence.LOW, text, span, key, named[line])


def functions(program: str) -> Iterator[tuple[int, str]]:
    """The lines of all functions and methods, each with the name of the innermost one around it."""

    def inside(node: ast.AST, name: str) -> Iterator[tuple[int, str]]:
        for child in ast.iter_child_nodes(node):
            own = f"{name}.{child.name}".strip(".") if isinstance(child, (ast.FunctionDef, ast.ClassDef)) else name
            if isinstance(child, ast.FunctionDef):
                yield from ((line, own) for line in range(child.lineno, (child.end_lineno or 0) + 1))
            yield from inside(child, own)

    yield from inside(ast.parse(program), "")


def test_most_expected_findings_are_confirmed(run: Run) -> None:
    assert len(run.expected) > 30
    others = {place: one.evidence for place, one in run.expected.items() if one.verdict is not Verdict.CONFIRMED}
    assert 1 - len(others) / len(run.expected) >= LEAST, others


def test_no_expected_finding_is_refuted(run: Run) -> None:
    assert [place for place, finding in run.expected.items() if finding.verdict is Verdict.REFUTED] == []


def test_no_near_miss_is_confirmed(run: Run) -> None:
    assert len({one.key.rpartition(":")[0] for one in run.near_misses}) > 60
    confirmed = {one.key: one.evidence for one in run.near_misses if one.verdict is Verdict.CONFIRMED}
    assert confirmed == {}
