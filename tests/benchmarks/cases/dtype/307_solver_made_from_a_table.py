"""A tuner converts the whole network to half and takes AdamW with keyword arguments from a table that never names eps.

source: afiaka87/glide-finetune#5, CambioML/pykoi#69 kind (pure half tuning with Adam's default eps); parameter groups in a base class
rules: [TL302]
"""
import torch
import torch.nn.functional as F
from torch import nn

RECIPES = {
    "tiny": {"lr": 1e-3, "betas": (0.9, 0.98)},
    "safe": {"lr": 1e-3, "betas": (0.9, 0.98), "eps": 1e-4},
}


class Tuner:
    recipe = "tiny"

    def __init__(self, net: nn.Module):
        self.net = self.prepare(net)
        self.solver = self.make_solver()

    def prepare(self, net):
        return net

    def groups(self):
        flat = [p for p in self.net.parameters() if p.ndim < 2]
        deep = [p for p in self.net.parameters() if p.ndim >= 2]
        return [{"params": deep, "weight_decay": 0.01}, {"params": flat, "weight_decay": 0.0}]

    def make_solver(self):
        return torch.optim.AdamW(self.groups(), lr=1e-3, betas=(0.9, 0.98))  # ok: TL302

    def step(self, x, y):
        self.solver.zero_grad()
        F.mse_loss(self.net(x).float(), y).backward()
        self.solver.step()


class HalfTuner(Tuner):
    def prepare(self, net):
        return net.half()

    def make_solver(self):
        return torch.optim.AdamW(self.groups(), lr=1e-3, betas=(0.9, 0.98))  # expect: TL302


class HalfTunerSafe(HalfTuner):
    def make_solver(self):
        return torch.optim.AdamW(self.groups(), lr=1e-3, betas=(0.9, 0.98), eps=1e-4)  # ok: TL302


class HalfTunerTable(HalfTuner):
    recipe = "safe"

    def make_solver(self):
        return torch.optim.AdamW(self.groups(), **RECIPES[self.recipe])  # ok: TL302


class BrainTuner(Tuner):
    def prepare(self, net):
        return net.bfloat16()

    def make_solver(self):
        return torch.optim.AdamW(self.groups(), lr=1e-3)  # ok: TL302


class HalfTunerMomentum(HalfTuner):
    def make_solver(self):
        return torch.optim.SGD(self.groups(), lr=1e-3, momentum=0.9)  # ok: TL302


def demonstrate():
    def weights_after(kind):
        torch.manual_seed(0)
        tuner = kind(nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1)))
        x = torch.randn(6, 3).to(tuner.net[0].weight.dtype)
        x[:, 2] = 0  # a dead input column: zero gradient
        tuner.step(x, torch.randn(6, 1))
        return tuner.net[0].weight

    assert weights_after(HalfTuner).isnan().any()
    for kind in (Tuner, HalfTunerSafe, HalfTunerTable, BrainTuner, HalfTunerMomentum):
        assert weights_after(kind).isfinite().all(), kind
