"""The case files: all rules find what the cases expect, no more, and torch confirms each case."""

from __future__ import annotations

import runpy
import warnings
from collections.abc import Iterator

import pytest
from case_files import CASES, EXPECTED_AS_NOTE, LATER_CASES, Case, cases_in
from samples import PAGES, Sample, findings

ALL_CASES = cases_in(CASES)

# What we report otherwise than the case expects, by case, line and rule; docs/accuracy.md says why.
DISPUTED = {("state/45_tensor_captured_by_callable.py", 51, "TL101"): "note"}


def _sample(case: Case) -> Sample:
    return Sample(case.name, {case.path.name: case.program})


@pytest.mark.parametrize("case", ALL_CASES, ids=lambda case: case.name)
def test_rules_find_what_the_case_expects(case: Case) -> None:
    found = {
        (one.line, one.code)
        for one in findings(_sample(case))
        if one.code in case.codes and (one.word == "expect" or one.code in EXPECTED_AS_NOTE)
    }
    disputed = {(line, code) for name, line, code in DISPUTED if name == case.name}
    expected = {(line, code) for line, code in case.expected - disputed if code in PAGES}
    assert (found - expected - case.surfaces, expected - found) == (set(), set()), "(not expected, not found)"


@pytest.mark.parametrize(("place", "word"), DISPUTED.items(), ids=lambda value: str(value[0]))
def test_disputed_line_is_reported_as_the_document_says(place: tuple[str, int, str], word: str) -> None:
    name, line, code = place
    (case,) = (case for case in ALL_CASES if case.name == name)
    found = findings(_sample(case))
    assert [one.word for one in found if (one.line, one.code) == (line, code)] == [word]


@pytest.fixture
def _quiet_torch() -> Iterator[None]:
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    with warnings.catch_warnings():
        # The hazards warn, as they should: complex values that become real, autocast without a GPU.
        warnings.simplefilter("ignore")
        yield


@pytest.mark.usefixtures("_quiet_torch")
@pytest.mark.parametrize("case", cases_in(CASES, LATER_CASES), ids=lambda case: case.name)
def test_torch_confirms_the_case(case: Case) -> None:
    runpy.run_path(str(case.path))["demonstrate"]()
