"""The scripts that call a training step twice: as it is, and with what the finding blames undone."""

from __future__ import annotations

from pathlib import Path

import pytest
from replays import Fault, exit_code, exit_codes, script_for

pytest.importorskip("torch")

PROGRAM = """\
import torch
import torch.nn.functional as F
from torch import nn


def halved(config, x: torch.Tensor):
    model = nn.Linear(x.shape[-1], 1)
    if config.precision == "fp16":
        model.half()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    with torch.autocast("cuda", dtype=torch.float16):
        loss = model(x).float().square().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()


def trained_in_half(x: torch.Tensor):
    model = nn.Linear(x.shape[-1], 1).bfloat16()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(x).float().square().mean()
    loss.backward()
    optimizer.step()


def rounded(model, optimizer, scaler, x: torch.Tensor):
    loss = model(x).square().mean()
    scaler.scale(loss.half()).backward()
    scaler.step(optimizer)
    scaler.update()


class Steps:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
        self.scaler = torch.cuda.amp.GradScaler()

    def back(self, x):
        self.optimizer.zero_grad()
        self.scaler.scale(self.model(x).square().mean()).backward()

    def clipped(self, x: torch.Tensor):
        self.back(x)
        nn.utils.clip_grad_norm_(self.model.parameters(), 0.1)
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def raw(self, x: torch.Tensor):
        self.back(x)
        self.optimizer.step()  # raw


def never_updated(net, batches, optimizer, scaler):
    for x, y in batches:
        optimizer.zero_grad()
        scaler.scale(F.mse_loss(net(x), y)).backward()
        scaler.step(optimizer)  # of a batch


class Routed(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.gate = nn.Linear(8, 8), nn.Linear(8, 8)

    def forward(self, x):
        with torch.autocast("cuda", enabled=False):
            gate = self.gate(x.float()).sigmoid()
        return self.body(x) * gate


class Fit:
    def __init__(self):
        self.net = Routed()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def step(self, x: torch.Tensor):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = self.net(x).square().mean()
            loss.backward()


class Recipe:
    def __init__(self, net):
        self.net = net.half()
        self.optimizer = torch.optim.Adam(self.net.parameters())
"""
FAULTS = {
    "the scaler refuses": Fault(
        "TL404",
        "halved",
        "the model is trained by mixed precision and its own weights are float16: the scaler refuses",
        "        model.half()",
        "        pass",
    ),
    "weights in half": Fault(
        "TL404",
        "trained_in_half",
        "the model is trained under autocast and its own weights are bfloat16: updates smaller than 1/256 are lost",
        "nn.Linear(x.shape[-1], 1).bfloat16()",
        "nn.Linear(x.shape[-1], 1)",
    ),
    "loss in half": Fault(
        "TL405",
        "rounded",
        ".half() makes the loss float16 before the scaler multiplies it",
        "scaler.scale(loss.half())",
        "scaler.scale(loss)",
    ),
    "clipped too early": Fault(
        "TL406",
        "Steps.clipped",
        "clip_grad_norm_() sees gradients that still carry the loss scale",
        "        nn.utils.clip",
        "        self.scaler.unscale_(self.optimizer)\n        nn.utils.clip",
    ),
    "raw step": Fault(
        "TL406",
        "Steps.raw",
        "the optimizer steps with gradients of a loss that was scaled",
        "        self.optimizer.step()  # raw",
        "        self.scaler.step(self.optimizer)",
    ),
    "second step": Fault(
        "TL406",
        "never_updated",
        "no update() of the scaler follows this step(): the second step() raises",
        "        scaler.step(optimizer)  # of a batch",
        "        scaler.step(optimizer)\n        scaler.update()",
    ),
    "backward of an island": Fault(
        "TL402",
        "Fit.step",
        "the backward pass runs inside the autocast region, which lowers the gradient of Linear, which an island keeps",
        "            loss.backward()",
        "        loss.backward()",
    ),
    "eps of an optimizer": Fault(
        "TL302",
        "Recipe.__init__",
        "Adam adds eps=1e-08 to float16 numbers, where it is zero: a gradient of zero gives nan in the parameter",
        "torch.optim.Adam(self.net.parameters())",
        "torch.optim.Adam(self.net.parameters(), eps=1e-4)",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_script_sees_the_fault_again_and_none_in_the_mended_program(name: str, tmp_path: Path) -> None:
    assert exit_codes(FAULTS[name], PROGRAM, tmp_path) == (0, 1)


# What the script sees in the first of two calls it sees in the second too: the line is not to blame.
OTHER_CAUSES = {
    "the scaler refuses": ("        model.half()", "        model.half()\n        model.half()"),
    "loss in half": ("scaler.scale(loss.half())", 'scaler.scale(loss.half() * float("inf"))'),
    "second step": (
        "        scaler.step(optimizer)  # of a batch",
        '        raise RuntimeError("step() has already been called since the last update().")',
    ),
}


@pytest.mark.parametrize("name", OTHER_CAUSES)
def test_script_says_no_where_the_line_is_not_to_blame(name: str, tmp_path: Path) -> None:
    script = script_for(FAULTS[name], PROGRAM, tmp_path)
    before, after = OTHER_CAUSES[name]
    (tmp_path / "broken.py").write_text(PROGRAM.replace(before, after), encoding="utf-8")
    assert exit_code(script) == 1


def test_script_says_what_it_compares(tmp_path: Path) -> None:
    script = script_for(FAULTS["clipped too early"], PROGRAM, tmp_path).read_text(encoding="utf-8")
    assert "Whether the parameters move a hundred times less with the scaler than without it." in script
