"""The scripts for what is seen on a device, of numbers that half cannot hold, of states and averages; and of files."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from replays import Fault, exit_code, exit_codes
from torch import nn

from torchlint.confirm import Limits, Orders, replay
from torchlint.confirm.case import Judgement
from torchlint.confirm.inside import standins
from torchlint.confirm.plan import Claim, Job
from torchlint.confirm.replay_lines import script_for_line
from torchlint.confirm.scripts.head import SMALL_MODEL
from torchlint.confirm.supervisor import Answer
from torchlint.findings import Confidence, Finding, Severity, Verdict
from torchlint.source import Span

PROGRAM = """\
import copy

import torch
from torch import nn


class Ramps(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(4, 4)

    def forward(self, x):
        x = self.mix(x) + torch.ones(4)
        if x.sum() > 1e6:
            return x
        steps = torch.arange(x.shape[-1])
        return x * steps


def total(terms: list[torch.FloatTensor]):
    result = torch.tensor(0.0)
    for one in terms:
        result += one.sum()
    return result


class Norm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(dim))

    def length(self, x):
        return x.pow(2).sum(-1, keepdim=True).sqrt() + 1e-10

    def forward(self, x):
        return x / self.length(x) * self.gain


def barred(scores: torch.FloatTensor):
    scores = scores.half()
    scores[:, 0] = -1e9
    return scores


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(4, 4)
        self.register_buffer("seen", torch.zeros(1))

    def forward(self, x):
        self.seen += 1
        return self.mix(x)


def convert(source, target):
    state = torch.load(source)
    torch.save({name: value.half() for name, value in state.items()}, target)


TABLE = {}


def windows(x: torch.Tensor, size: int):
    if size not in TABLE:
        TABLE[size] = torch.hann_window(size, device=x.device)
    return x.sum() * TABLE[size]


def ramp(x: torch.Tensor, rate: float):
    if not hasattr(ramp, "table"):
        ramp.table = torch.arange(4) * rate
    return x.sum() * ramp.table


class Stopper:
    def __init__(self, model):
        self.model = model
        self.best = None

    def keep(self):
        self.best = self.model.state_dict()


def undo(model):
    kept = model.state_dict()
    with torch.no_grad():
        for one in model.parameters():
            one.add_(1)
    model.load_state_dict(kept)


class Average:
    def __init__(self, model):
        self.shadow = copy.deepcopy(model)

    @torch.no_grad()
    def update(self, model):
        for one, other in zip(self.shadow.parameters(), model.parameters()):
            one.lerp_(other, 0.1)
"""
FAULTS = {
    "made on the CPU, where other lines do so too": Fault(
        "TL204",
        "Ramps.forward",
        "torch.arange() makes a tensor on the CPU",
        "torch.arange(x.shape[-1])",
        "torch.arange(x.shape[-1], device=x.device)",
    ),
    "number on the CPU that is added to in place": Fault(
        "TL204",
        "total",
        "torch.tensor() makes a tensor on the CPU",
        "result += one.sum()",
        "result = result + one.sum()",
        at="result = torch.tensor(0.0)",
    ),
    "eps that is zero": Fault(
        "TL302",
        "Norm.length",
        "1e-10 is zero in float16: + keeps nothing away from zero (the module is converted to half)",
        ".sqrt() + 1e-10",
        ".sqrt() + 1e-6",
    ),
    "infinity in a tensor that is half itself": Fault(
        "TL302",
        "barred",
        "-1e+09 becomes an infinity in float16, by [] = (the tensor is float16)",
        "scores[:, 0] = -1e9",
        'scores[:, 0] = float("-inf")',
    ),
    "counter in half": Fault(
        "TL302",
        "Counter.forward",
        "self.seen counts in float16 and stops at 2048 (the module is converted to half)",
        "self.seen += 1",
        "self.seen = (self.seen.float() + 1).half()",
    ),
    "state from a file": Fault(
        "TL301",
        "convert",
        "every value of a state becomes float16, integers and masks too",
        "name: value.half()",
        "name: value.half() if value.is_floating_point() else value",
    ),
    "table that says nothing of the device": Fault(
        "TL104",
        "windows.TABLE",
        "TABLE is kept by size alone, but depends on more: the old value outlives .to()",
        """    if size not in TABLE:
        TABLE[size] = torch.hann_window(size, device=x.device)
    return x.sum() * TABLE[size]
""",
        """    if (size, x.device) not in TABLE:
        TABLE[size, x.device] = torch.hann_window(size, device=x.device)
    return x.sum() * TABLE[size, x.device]
""",
        at="TABLE[size] = torch",
    ),
    "attribute of a function that says nothing of an argument": Fault(
        "TL104",
        "ramp.table",
        "ramp.table is kept by nothing, but depends on more: the old value outlives another rate",
        'if not hasattr(ramp, "table"):',
        "if True:",
        at="ramp.table = torch",
    ),
    "state that an attribute keeps": Fault(
        "TL116",
        "Stopper.keep",
        "self.best keeps the module's own tensors, which every later step changes",
        "self.best = self.model.state_dict()",
        "self.best = copy.deepcopy(self.model.state_dict())",
    ),
    "state that is loaded later": Fault(
        "TL116",
        "undo",
        "kept holds the module's own tensors, which every later step changes",
        "kept = model.state_dict()",
        "kept = copy.deepcopy(model.state_dict())",
    ),
    "average without buffers": Fault(
        "TL117",
        "Average.update",
        "self.shadow is averaged over parameters() only: buffers stay at their first values",
        "            one.lerp_(other, 0.1)",
        "            one.lerp_(other, 0.1)\n        for one, other in zip(self.shadow.buffers(), model.buffers()):\n"
        "            one.copy_(other)",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_script_sees_the_fault_again_and_none_in_the_mended_program(name: str, tmp_path: Path) -> None:
    assert exit_codes(FAULTS[name], PROGRAM, tmp_path) == (0, 1)


def test_small_model_of_a_script_is_the_stand_in_of_the_verdict() -> None:
    names: dict[str, Any] = {"torch": torch, "nn": nn, "re": re}
    exec(SMALL_MODEL, names)
    torch.manual_seed(0)
    written, used = names["SmallModel"](), standins.StandIn()
    assert [(name, one.shape) for name, one in written.state_dict().items()] == [
        (name, one.shape) for name, one in used.state_dict().items()
    ]
    assert names["PARTS"] == standins._PARTS
    assert isinstance(written.head, nn.Linear)
    assert not hasattr(written, "module")


def test_call_that_cannot_be_written_down_has_no_script() -> None:
    claim = Claim("key", "TL405", "step", 1)
    job = Job("a.py", (), "a", "step", (claim,), (), is_of_lines=True)
    code = {"build": "checked.step", "member": "", "call": None}
    told = {"stage": "facts", "name": "key", "facts": {"harm": [{"skipped": True}], "code": code, "seed": 0}}
    judgement = Judgement(Verdict.CONFIRMED, "it happens")
    assert script_for_line(Answer(job, (told,), "", 0.0), judgement, "key") is None
    told["facts"]["code"]["call"] = "x=torch.ones(2)"
    assert "x=torch.ones(2)" in (script_for_line(Answer(job, (told,), "", 0.0), judgement, "key") or "")


RECORD = """\
import torch
from torch import nn


class Shift(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(4, 4)
        self.offset = torch.ones(4)

    def forward(self, batch):
        return self.mix(batch["x"]) + self.offset + batch.x.mean()
"""


def test_entries_of_a_batch_are_attributes_in_the_script_of_a_class_too(tmp_path: Path) -> None:
    (tmp_path / "shift.py").write_text(RECORD, encoding="utf-8")
    span = Span(str(tmp_path / "shift.py"), 9, 1, 9, 2)
    found = Finding("TL101", "", Severity.NOTE, Confidence.LOW, "offset stays behind", span, "key", "Shift.offset")
    script = replay([found], "key", Orders(Path(sys.executable), device="cpu", limits=Limits(seconds=120.0)))
    assert "run(module, torch.bfloat16)" in script
    assert "Record({'x': torch.randn(" in script
    (tmp_path / "again.py").write_text(script, encoding="utf-8")
    assert exit_code(tmp_path / "again.py") == 0
    (tmp_path / "shift.py").write_text(RECORD.replace("torch.ones(4)", "nn.Buffer(torch.ones(4))"), encoding="utf-8")
    assert exit_code(tmp_path / "again.py") == 1
