"""A criterion returns a record; its total is cast to the compute type of the run, which is float16, and then scaled.

source: facebookresearch/pytext#581, NVIDIA/apex#798 kind (dtype fixes that hit the loss)
rules: [TL405]
"""
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Plan(NamedTuple):
    dtype: torch.dtype = torch.float16
    weight: float = 0.5


class Losses(NamedTuple):
    main: Tensor
    extra: Tensor

    def total(self, plan):
        return self.main + plan.weight * self.extra


class Runner:
    def __init__(self, net, plan=Plan()):
        self.net, self.plan = net, plan
        self.opt = torch.optim.SGD(net.parameters(), lr=0.01)
        self.scaler = torch.amp.GradScaler(KIND)

    def losses(self, x, y):
        with torch.autocast(KIND, dtype=self.plan.dtype):
            out = self.net(x)
            return Losses(F.mse_loss(out.float(), y), out.float().square().mean())

    def shrink(self, loss):
        return loss.to(torch.float16)  # expect: TL405

    def step(self, x, y):
        self.opt.zero_grad()
        loss = self.shrink(self.losses(x, y).total(self.plan))
        self.scaler.scale(loss).backward()
        self.scaler.step(self.opt)
        self.scaler.update()
        return loss.detach()


class WideRunner(Runner):
    def shrink(self, loss):
        return loss

    def log(self, x, y):
        parts = [part.detach().to(torch.float16) for part in self.losses(x, y)]  # ok: TL405
        return torch.stack(parts).tolist()


class PlainRunner(Runner):
    """Without a scaler nothing is multiplied, so the cast is only coarse."""

    def step(self, x, y):
        self.opt.zero_grad()
        self.losses(x, y).total(self.plan).half().backward()  # ok: TL405
        self.opt.step()


def demonstrate():
    def moved(cls):
        torch.manual_seed(0)
        net = nn.Linear(4, 1).to(KIND)
        start = net.weight.detach().clone()
        x = 0.3 * torch.randn(32, 4, device=KIND).repeat_interleave(2, 0)
        runner = cls(net)
        runner.step(x, torch.tensor([1.5, -1.5], device=KIND).repeat(32).unsqueeze(1))
        return not torch.equal(start, net.weight), runner

    stuck, runner = moved(Runner)
    assert not stuck and runner.scaler.get_scale() == 32768.0, "inf: the step was skipped"
    assert moved(PlainRunner)[0]
    ran, runner = moved(WideRunner)
    assert ran and len(runner.log(torch.randn(2, 4, device=KIND), torch.zeros(2, 1, device=KIND))) == 2
