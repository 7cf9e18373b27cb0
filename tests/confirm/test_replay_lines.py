"""The script that repeats the evidence of a finding about a line: seen again, and gone where the line is mended."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from torchlint.confirm import Limits, Orders, replay
from torchlint.findings import Confidence, Finding, Severity
from torchlint.source import Span

pytest.importorskip("torch")

# By what it is about: the symbol, the message, the line, and what mends it.
LINES = {
    "TL201": ("rows", "becomes an index", "table[picked]", "table[picked.long()]"),
    "TL205": ("Flat.forward", "view() merges", ".view(batch, length * width)", ".reshape(batch, length * width)"),
    "TL302 raises": (
        "Masked.forward",
        "masked_fill() with -1e+09 raises for float16 (the module is converted to half)",
        ".masked_fill(pad[:, None], -1e9)",
        ".masked_fill(pad[:, None], -1e4)",
    ),
    "TL302 infinity": (
        "Masked.barred",
        "-1e+09 becomes an infinity in float16, by [] = (the module is converted to half)",
        "scores[:, 0] = -1e9",
        "scores[:, 0] = -1e4",
    ),
    "TL401 lowered": (
        "energy",
        "cast to float32 feeds @, which autocast runs in its lower precision all the same",
        "scores.float() @ a",
        "scores @ a",
    ),
    "TL401 narrowed": (
        "narrowed",
        "cast to float16 inside autocast overrides the dtype that autocast chose",
        "a.exp().half() + 1",
        "a.exp() + 1",
    ),
    "TL204": (
        "Ramp.forward",
        "torch.arange() makes a tensor on the CPU",
        "steps = torch.arange(x.shape[-1])",
        "steps = torch.arange(x.shape[-1], device=x.device)",
    ),
    "TL301": (
        "export",
        "every value of Module.state_dict() becomes float16, integers and masks too",
        "name: value.half()",
        "name: value.half() if value.is_floating_point() else value",
    ),
    "TL402": ("Step.step", "the backward pass runs inside", "loss.backward()", "pass"),
}
PROGRAM = """\
import torch
from torch import nn


def rows(table: torch.Tensor):
    picked = torch.linspace(0, 1, 2)
    return table[picked]


class Flat(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(4, 4)

    def forward(self, x):
        batch, length, width = x.shape
        return self.mix(x).transpose(1, 2).view(batch, length * width)


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor, pad: torch.BoolTensor):
        return (self.mix(x) @ x.mT).masked_fill(pad[:, None], -1e9)

    def barred(self, scores: torch.FloatTensor):
        scores[:, 0] = -1e9
        return scores


def halved():
    return Masked().half()


def energy(a: torch.Tensor):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        scores = a @ a.mT
        return scores.float() @ a


def narrowed(a: torch.Tensor):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        return (a.exp().half() + 1).sum()


class Ramp(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(4, 4)

    def forward(self, x):
        steps = torch.arange(x.shape[-1])
        return self.mix(x) * steps


def export(model, path):
    state = {name: value.half() for name, value in model.state_dict().items()}
    torch.save(state, path)


class Step(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(4, 4)

    def step(self, x: torch.Tensor):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = self.mix(x).sum()
            loss.backward()
        return loss
"""


def claim(name: str, path: Path) -> Finding:
    """The finding about the line of `name`."""
    symbol, message, text, _ = LINES[name]
    line = next(number for number, one in enumerate(PROGRAM.splitlines(), 1) if text in one)
    # The index is made a line before it is used.
    span = Span(str(path), line - (name == "TL201"), 1, line - (name == "TL201"), 2)
    return Finding(name.partition(" ")[0], "", Severity.NOTE, Confidence.LOW, message, span, name, symbol)


def exit_code(script: Path) -> int:
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=240)
    assert "SyntaxError" not in done.stderr
    return done.returncode


def script_of(name: str, folder: Path) -> str:
    (folder / "broken.py").write_text(PROGRAM, encoding="utf-8")
    orders = Orders(Path(sys.executable), device="sim", limits=Limits(seconds=120.0))
    return replay([claim(name, folder / "broken.py")], name, orders)


@pytest.mark.parametrize("name", LINES)
def test_script_sees_the_harm_again_and_none_on_the_mended_line(name: str, tmp_path: Path) -> None:
    script = script_of(name, tmp_path)
    assert "torchlint" not in script.partition('"""\n')[2].partition('"""\n')[2]
    (tmp_path / "again.py").write_text(script, encoding="utf-8")
    assert exit_code(tmp_path / "again.py") == 0
    _, _, broken, mended = LINES[name]
    assert PROGRAM.count(broken) == 1
    (tmp_path / "broken.py").write_text(PROGRAM.replace(broken, mended), encoding="utf-8")
    assert exit_code(tmp_path / "again.py") == 1


TOGETHER = """\
import torch


def export(model, optimizer):
    optimizer.zero_grad()
    return {name: value.half() for name, value in model.state_dict().items()}
"""


def together(program: str, folder: Path) -> str:
    """The script for a finding about the last line of `export`."""
    path = folder / "export.py"
    path.write_text(program, encoding="utf-8")
    line = len(program.splitlines())
    span = Span(str(path), line, 1, line, 2)
    found = Finding("TL301", "", Severity.NOTE, Confidence.LOW, LINES["TL301"][1], span, "key", "export")
    return replay([found], "key", Orders(Path(sys.executable), device="sim", limits=Limits(seconds=120.0)))


def test_model_and_its_optimizer_are_one_call_again(tmp_path: Path) -> None:
    (tmp_path / "again.py").write_text(together(TOGETHER, tmp_path), encoding="utf-8")
    assert exit_code(tmp_path / "again.py") == 0
    mended = TOGETHER.replace("value.half()", "value.half() if value.is_floating_point() else value")
    (tmp_path / "export.py").write_text(mended, encoding="utf-8")
    assert exit_code(tmp_path / "again.py") == 1


# The optimizer that is made has the parameters of the second model.
SEVERAL = """\
def export(model, encoder, optimizer):
    mine = {id(one) for group in optimizer.param_groups for one in group["params"]}
    assert mine == {id(one) for one in encoder.parameters()}
    return {name: value.half() for name, value in model.state_dict().items()}
"""


def test_two_models_and_an_optimizer_are_one_call_again(tmp_path: Path) -> None:
    script = together(SEVERAL, tmp_path)
    assert "encoder=(encoder := SmallModel()), optimizer=torch.optim.SGD(encoder.parameters(), lr=0.1)" in script
    (tmp_path / "again.py").write_text(script, encoding="utf-8")
    assert exit_code(tmp_path / "again.py") == 0
    mended = SEVERAL.replace("value.half()", "value.half() if value.is_floating_point() else value")
    (tmp_path / "export.py").write_text(mended, encoding="utf-8")
    assert exit_code(tmp_path / "again.py") == 1
