"""Findings of which the usual way to build and call a class shows nothing: other methods, arguments, shorter inputs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from torchlint.confirm import Limits, Orders, confirm, replay
from torchlint.confirm.plan import again, jobs_for
from torchlint.findings import Confidence, Finding, Severity, Verdict
from torchlint.source import Span

pytest.importorskip("torch")

PROGRAM = '''\
import torch
from torch import nn


class Codebook(nn.Module):
    """No forward(): others call encode() and decode(), which ask for a table."""

    def __init__(self, size=6, width=4):
        super().__init__()
        self.register_buffer("sums", torch.randn(size, width))
        self._table = None

    @property
    def table(self):
        if self._table is None:
            self._table = self.sums / 2  # cache
        return self._table

    def encode(self, x):
        return torch.cdist(x, self.table).argmin(-1)


class FreshCodebook(Codebook):
    @property
    def table(self):
        self._table = self.sums / 2  # no cache
        return self._table


class Projected(nn.Module):
    def __init__(self, width, config):
        super().__init__()
        self.parts = []  # parts
        if width != config.hidden_size or config.enforce:
            self.parts.append(nn.Linear(width, config.hidden_size))

    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return x


class SmallConfig:
    def __init__(self, hidden_size=8, enforce=False):
        self.hidden_size, self.enforce = hidden_size, enforce


class Weighted(nn.Module):
    """The loss reads what forward does not."""

    def __init__(self, classes=3):
        super().__init__()
        self.layer = nn.Linear(4, classes)
        self.weights = torch.ones(classes)  # weights
        self.seen = torch.zeros(classes)  # seen

    def forward(self, x):
        return self.layer(x)

    def observe(self, x):
        self.seen = x.mean(0)

    def loss(self, x):
        return (self(x) * self.weights).sum()

    def report(self, x):
        return self(x) * self.seen


class Moments(nn.Module):
    """Filled by an owner in training, read by another method."""

    def __init__(self):
        super().__init__()
        self.count = 0.0  # count

    def see(self, x):
        self.count = self.count + x.shape[0]

    def scale(self, x):
        return x / (1 + self.count)


class Metric(Moments):
    """Its owner lets it start anew for every epoch."""

    def __init__(self):
        super().__init__()
        self.count = 0.0  # metric

    def reset(self):
        self.count = 0.0


class Grown(nn.Module):
    """A longer input replaces the table before it is read."""

    def __init__(self, length: int = 8):
        super().__init__()
        self.table = torch.ones(length)  # table

    def forward(self, x):
        if x.shape[1] > self.table.shape[0]:
            self.table = torch.ones(x.shape[1], device=x.device, dtype=x.dtype)
        return x * self.table[: x.shape[1]]


class Hidden(nn.Module):
    def __init__(self, kind="plain"):
        super().__init__()
        self.table = None
        if kind == "learned":
            self.table = torch.ones(4)  # learned

    def forward(self, x):
        return x if self.table is None else x * self.table
'''
KEPT = "self._table is kept by its presence alone: the old value outlives .to(), .half() and load_state_dict()"
READ = "it is a plain tensor that a method reads: .to() and .half() leave it behind"
# By the mark of the line: the rule, the symbol, the message, the verdict, and what the evidence says.
FINDINGS = {
    "cache": ("TL104", "Codebook._table", KEPT, Verdict.CONFIRMED, "encode() with x=2x16x4"),
    "no cache": ("TL104", "FreshCodebook._table", KEPT, Verdict.INCONCLUSIVE, "no forward"),
    "parts": ("TL105", "Projected.parts", "", Verdict.CONFIRMED, "enforce=True)"),
    "weights": ("TL101", "Weighted.weights", READ, Verdict.CONFIRMED, "loss() with x="),
    "seen": ("TL101", "Weighted.seen", READ, Verdict.INCONCLUSIVE, "does not read it"),
    "count": ("TL122", "Moments.count", "", Verdict.CONFIRMED, "(after see(x="),
    "metric": ("TL122", "Metric.count", "", Verdict.INCONCLUSIVE, "no training steps could be run"),
    "table": ("TL101", "Grown.table", READ, Verdict.CONFIRMED, "since self.table stayed behind"),
    "learned": ("TL101", "Hidden.table", READ, Verdict.CONFIRMED, "kind='learned'"),
}


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Finding]:
    """A finding for each mark."""
    path = tmp_path_factory.mktemp("other") / "ways.py"
    path.write_text(PROGRAM, encoding="utf-8")
    found = {}
    for mark, (code, symbol, text, *_) in FINDINGS.items():
        line = next(at for at, one in enumerate(PROGRAM.splitlines(), start=1) if one.endswith(f"  # {mark}"))
        span = Span(str(path), line, 1, line, 2)
        found[mark] = Finding(code, "", Severity.WARNING, Confidence.HIGH, text, span, f"{code}:{mark}", symbol)
    return found


def orders() -> Orders:
    return Orders(Path(sys.executable), device="sim", limits=Limits(seconds=120.0))


@pytest.fixture(scope="module")
def judged(findings: dict[str, Finding]) -> dict[str, Finding]:
    outcome = confirm(list(findings.values()), orders(), lambda done, total: None)
    return {one.key.partition(":")[2]: one for one in outcome.findings}


@pytest.mark.parametrize("mark", FINDINGS)
def test_another_way_is_tried(mark: str, judged: dict[str, Finding]) -> None:
    *_, verdict, said = FINDINGS[mark]
    assert (judged[mark].verdict, said in (judged[mark].evidence or "")) == (verdict, True), judged[mark].evidence


def test_progress_counts_the_further_tries(findings: dict[str, Finding]) -> None:
    steps: list[tuple[int, int]] = []
    outcome = confirm([findings["weights"]], orders(), lambda done, total: steps.append((done, total)))
    assert steps == [(1, 1), (2, 2)]
    assert len(outcome.costs) == 1, "one class, whatever was tried"


def test_script_calls_the_method_that_showed_it(findings: dict[str, Finding], tmp_path: Path) -> None:
    script = replay([findings["cache"]], findings["cache"].key, orders())
    assert "return module.encode(" in script
    (tmp_path / "again.py").write_text(script, encoding="utf-8")
    command = [sys.executable, str(tmp_path / "again.py")]
    path = Path(findings["cache"].span.path)
    try:
        assert subprocess.run(command, check=False, timeout=120).returncode == 0
        path.write_text(PROGRAM.replace("if self._table is None:", "if True:"), encoding="utf-8")
        assert subprocess.run(command, check=False, timeout=120).returncode == 1
    finally:
        path.write_text(PROGRAM, encoding="utf-8")


def test_nothing_else_is_tried_of_what_was_not_built_or_is_settled(findings: dict[str, Finding]) -> None:
    (job,) = jobs_for([findings["weights"]])
    key = findings["weights"].key
    assert again(job, {key}, ("constructed", "ran")) is not None
    assert again(job, {key}, ("import",)) is None
    assert again(job, (), ("constructed", "ran")) is None
    (protocol,) = jobs_for([*(_of_train(findings["weights"]),)])
    assert again(protocol, {key}, ("constructed", "ran")) is None


def _of_train(finding: Finding) -> Finding:
    return Finding("TL108", "", Severity.NOTE, Confidence.HIGH, "", finding.span, finding.key, "Weighted.train")
