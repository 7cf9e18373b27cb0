"""The case files of module state, run without a hint: what is confirmed, and that no near miss is."""

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

CODES = (
    *("TL101", "TL102", "TL103", "TL104", "TL105", "TL106", "TL107", "TL108", "TL109", "TL112", "TL113", "TL114"),
    *("TL115", "TL116", "TL117", "TL118", "TL120", "TL121", "TL122"),
)
LEAST = 0.8
STATE = cases_in(CASES / "state")
# Expected findings that running the class does not confirm, by why. These lists may only shrink.
_WHY: dict[str, tuple[tuple[str, str, tuple[int, ...]], ...]] = {
    "the cache is shared by instances of other settings": (("09_mel_cache_partial_key.py", "TL104", (41, 42)),),
    "other methods than forward() read or fill it": (
        ("03_reward_scale_of_the_learner.py", "TL122", (38,)),
        ("16_skeleton_rebound_in_init.py", "TL101", (38,)),
    ),
    "the usual construction takes the other branch": (
        ("25_buffer_name_taken.py", "TL107", (43,)),
        ("86_names_from_the_wrapped_model.py", "TL107", (38,)),
        ("90_fields_before_the_base.py", "TL109", (41,)),
    ),
    "no arguments are found": (
        ("18_same_start_for_every_fold.py", "TL116", (31, 81)),
        ("69_adjacency_moved_once.py", "TL101", (48, 55)),
        ("97_snapshots_of_the_generator.py", "TL116", (37, 47)),
        ("98_swap_in_the_average.py", "TL116", (39, 59)),
    ),
    "it happens among several classes, or at the top of the file": (
        ("14_perceptual_net_inside_task.py", "TL118", (22,)),
        ("32_parent_folds_its_children.py", "TL103", (45,)),
        ("49_freeze_stages_by_trainer.py", "TL118", (35,)),
        ("86_names_from_the_wrapped_model.py", "TL107", (81,)),
    ),
    "what the method does to others is not tried": (("89_wrapper_shadows_api.py", "TL108", (20,)),),
}
NOT_CONFIRMED = {(file, line, code) for places in _WHY.values() for file, code, lines in places for line in lines}
# What a claim about a near miss says: everything that a finding of its kind can say.
_SAYS = {
    "TL103": "it stays as it was after .to()/.half(), load_state_dict() and train(True)",
    "TL104": "the old value outlives .to(), .half(), load_state_dict() and an x of another shape",
    "TL112": "it stays as it was after train(True), load_state_dict() and .to()/.half()",
}

Place = tuple[str, int, str]


@dataclass(frozen=True)
class Run:
    """The verdicts by place. expected: of findings that the cases expect. near_misses: of claims that are not true."""

    expected: dict[Place, Finding]
    near_misses: dict[Place, Finding]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """One run of all classes."""
    folder = tmp_path_factory.mktemp("cases")
    for case in STATE:
        (folder / case.path.name).write_text(case.program, encoding="utf-8")
    claims = [claim for case in STATE for claim in near_misses(case, folder)]
    orders = Orders(Path(sys.executable), device="sim", limits=Limits(seconds=120.0))
    outcome = confirm([*found_in(folder), *claims], orders, lambda done, total: None)
    expected = {(case.path.name, *mark) for case in STATE for mark in case.expected}
    by_kind: tuple[dict[Place, Finding], dict[Place, Finding]] = {}, {}
    for finding in outcome.findings:
        place = (Path(finding.span.path).name, finding.span.line, finding.code)
        is_near_miss = finding.key.startswith("near miss")
        if finding.code in CODES and (is_near_miss or place in expected):
            by_kind[is_near_miss][place] = finding
    return Run(*by_kind)


def near_misses(case: Case, folder: Path) -> Iterator[Finding]:
    """A finding for each line that the case calls a near miss, as if it were none."""
    named = dict(members(case.program))
    for line, code in sorted(case.near_misses):
        if code in CODES and line in named:
            owner, member = named[line]
            span = Span(str(folder / case.path.name), line, 1, line, 2)
            key = f"near miss {case.path.name}:{line}:{code}"
            symbol = f"{owner}.{member}"
            yield Finding(code, "", Severity.NOTE, Confidence.LOW, _SAYS.get(code, ""), span, key, symbol)


def members(program: str) -> Iterator[tuple[int, tuple[str, str]]]:
    """The attributes and methods that the lines of the classes define: line, class, name."""
    for owner in ast.walk(ast.parse(program)):
        for node in ast.walk(owner) if isinstance(owner, ast.ClassDef) else ():
            if isinstance(node, ast.FunctionDef):
                yield node.lineno, (owner.name, node.name)
            for target in getattr(node, "targets", [getattr(node, "target", None)]):
                for one in ast.walk(target) if isinstance(target, ast.AST) else ():
                    if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name):
                        yield node.lineno, (owner.name, one.attr)


def test_most_expected_findings_are_confirmed(run: Run) -> None:
    assert len(run.expected) > 60
    confirmed = [place for place, finding in run.expected.items() if finding.verdict is Verdict.CONFIRMED]
    assert len(confirmed) / len(run.expected) >= LEAST


def test_what_is_not_confirmed_is_known(run: Run) -> None:
    others = {place: finding for place, finding in run.expected.items() if finding.verdict is not Verdict.CONFIRMED}
    assert {place: finding.evidence for place, finding in others.items() if place not in NOT_CONFIRMED} == {}
    assert set(others) >= NOT_CONFIRMED, "confirmed now: strike it from the list"


def test_no_expected_finding_is_refuted(run: Run) -> None:
    assert [place for place, finding in run.expected.items() if finding.verdict is Verdict.REFUTED] == []


def test_no_near_miss_is_confirmed(run: Run) -> None:
    assert len(run.near_misses) > 80
    confirmed = {place: one.evidence for place, one in run.near_misses.items() if one.verdict is Verdict.CONFIRMED}
    assert confirmed == {}
