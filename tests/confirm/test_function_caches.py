"""Small programs with a function that keeps values: what a second call proves, and what it does not."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from torchlint.confirm import Limits, Orders, confirm
from torchlint.findings import Confidence, Finding, Severity, Verdict
from torchlint.source import Span

pytest.importorskip("torch")

CONFIRMED, INCONCLUSIVE = Verdict.CONFIRMED, Verdict.INCONCLUSIVE
HEAD = "import torch\nfrom torch import nn\n\nTABLE = {}\n\n\n"


@dataclass(frozen=True)
class Program:
    """A function `windows` whose cache is said to outlive something. said: what the evidence must say."""

    idea: str
    outlives: str
    source: str
    verdict: Verdict
    said: str = ""
    name: str = "TABLE"


PROGRAMS = (
    Program(
        "the key says nothing of the device",
        ".to()",
        """
def windows(x: torch.Tensor, size: int):
    if size not in TABLE:
        TABLE[size] = torch.hann_window(size, device=x.device)
    return x.sum() * TABLE[size]
""",
        CONFIRMED,
        "on the device [simulated device], it raises",
    ),
    Program(
        "the key tells the device",
        ".to()",
        """
def windows(x: torch.Tensor, size: int):
    if (size, x.device) not in TABLE:
        TABLE[size, x.device] = torch.hann_window(size, device=x.device)
    return x.sum() * TABLE[size, x.device]
""",
        INCONCLUSIVE,
    ),
    Program(
        "the read converts",
        ".to() and .half()",
        """
def windows(x: torch.Tensor, size: int):
    if size not in TABLE:
        TABLE[size] = torch.hann_window(size, device=x.device, dtype=x.dtype)
    return x.sum() * TABLE[size].to(x)
""",
        INCONCLUSIVE,
    ),
    Program(
        "the key says nothing of the dtype",
        ".half()",
        """
def windows(x: torch.Tensor, size: int):
    if size not in TABLE:
        TABLE[size] = torch.hann_window(size).to(x)
    return x.mean() + TABLE[size]
""",
        CONFIRMED,
        "in bfloat16, it gives torch.float32 on cpu instead of torch.bfloat16 on cpu",
    ),
    Program(
        "kept on the function itself",
        "another shape",
        """
def windows(x: torch.Tensor):
    if not hasattr(windows, "table"):
        windows.table = torch.arange(float(x.shape[1]))
    return windows.table[: x.shape[1]] + x.mean()
""",
        CONFIRMED,
        "where windows.table is emptied before, it does not",
        name="windows.table",
    ),
    Program(
        "an argument that the key leaves out",
        "another rate",
        """
def windows(x: torch.Tensor, rate: float, size: int):
    if size not in TABLE:
        TABLE[size] = torch.hann_window(size) / rate
    return x.sum() * TABLE[size]
""",
        CONFIRMED,
        "it gives something else",
    ),
    Program(
        "what is kept is drawn at random",
        "another rate",
        """
def windows(x: torch.Tensor, rate: float, size: int):
    import random

    if size not in TABLE:
        TABLE[size] = torch.full((size,), random.random()) / rate
    return x.sum() * TABLE[size]
""",
        INCONCLUSIVE,
    ),
    Program(
        "raises on the device in any case",
        ".to()",
        """
def windows(x: torch.Tensor, size: int):
    if size not in TABLE:
        TABLE[size] = torch.hann_window(size)
    return x * torch.ones(x.shape) + TABLE[size].sum()
""",
        INCONCLUSIVE,
    ),
)


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Finding]:
    """One run of all programs; the finding of each, by its place among them."""
    folder = tmp_path_factory.mktemp("functions")
    claims = [_claim(place, program, folder) for place, program in enumerate(PROGRAMS)]
    orders = Orders(Path(sys.executable), device="sim", limits=Limits(seconds=120.0))
    outcome = confirm(claims, orders, lambda done, total: None)
    return {int(finding.key): finding for finding in outcome.findings}


def _claim(place: int, program: Program, folder: Path) -> Finding:
    path = folder / f"keeps_{place}.py"
    path.write_text(HEAD + program.source.lstrip(), encoding="utf-8")
    lines = path.read_text(encoding="utf-8").splitlines()
    line = next(number for number, text in enumerate(lines, 1) if text.lstrip().startswith(("TABLE[", "windows.table")))
    text = f"{program.name} is kept by size alone, but depends on more: the old value outlives {program.outlives}"
    symbol = f"windows.{program.name.rpartition('.')[2]}"
    span = Span(str(path), line, 1, line, 2)
    return Finding("TL104", "", Severity.WARNING, Confidence.HIGH, text, span, str(place), symbol)


@pytest.mark.parametrize("place", range(len(PROGRAMS)), ids=[one.idea.replace(" ", "-") for one in PROGRAMS])
def test_second_call_proves_what_it_should(findings: dict[int, Finding], place: int) -> None:
    program, finding = PROGRAMS[place], findings[place]
    assert finding.verdict is program.verdict, finding.evidence
    assert program.said in (finding.evidence or "")
