"""Each layer's gradient is bounded by the norm of its weight, written by hand; under a scaler every layer is bounded, always.

source: victorchall/EveryDream2trainer#175 (clipping of scaled gradients), rwth-i6/returnn#1590; adaptive clipping by layer
rules: [TL406]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Bound:
    """Adaptive clipping: a gradient may be `share` of its weight."""

    def __init__(self, share=0.05, floor=1e-3):
        self.share, self.floor = share, floor

    def limit(self, p):
        return self.share * p.detach().norm().clamp(min=self.floor)


class Fit:
    def __init__(self, net, bound=None):
        self.net, self.bound = net.to(KIND), bound or Bound()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=1.0)
        self.scaler = torch.amp.GradScaler(KIND)

    def pull(self, x, y):
        self.opt.zero_grad()
        with torch.autocast(KIND, dtype=torch.bfloat16):
            loss = F.mse_loss(self.net(x), y)
        self.scaler.scale(loss).backward()


class RescalingFit(Fit):
    def step(self, x, y):
        self.pull(x, y)
        for p in self.net.parameters():
            factor = self.bound.limit(p) / p.grad.norm().clamp(min=1e-6)
            if factor < 1:
                p.grad.mul_(factor)  # expect: TL406
        self.scaler.step(self.opt)
        self.scaler.update()


class TorchFit(Fit):
    """One call per layer."""

    def step(self, x, y):
        self.pull(x, y)
        for layer in self.net.children():
            nn.utils.clip_grad_norm_(layer.parameters(), 0.1)  # expect: TL406
        self.scaler.step(self.opt)
        self.scaler.update()


class UnscaledFit(Fit):
    def step(self, x, y):
        self.pull(x, y)
        self.scaler.unscale_(self.opt)
        for p in self.net.parameters():
            factor = self.bound.limit(p) / p.grad.norm().clamp(min=1e-6)
            if factor < 1:
                p.grad.mul_(factor)  # ok: TL406
        self.scaler.step(self.opt)
        self.scaler.update()


class HookedFit(Fit):
    """The bound is a hook of the optimizer's own step: the scaler has unscaled by then."""

    def __init__(self, net, bound=None):
        super().__init__(net, bound)
        self.opt.register_step_pre_hook(self.before)

    def before(self, opt, args, kwargs):
        for group in opt.param_groups:
            for p in group["params"]:
                factor = self.bound.limit(p) / p.grad.norm().clamp(min=1e-6)
                p.grad.mul_(factor.clamp(max=1))  # ok: TL406

    def step(self, x, y):
        self.pull(x, y)
        self.scaler.step(self.opt)
        self.scaler.update()


def demonstrate():
    x = torch.randn(8, 3, device=KIND)
    y = 0.01 * x.sum(1, keepdim=True)

    def moved(cls):
        torch.manual_seed(0)
        net = nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 1))
        for p in net.parameters():
            p.data.mul_(0.1)
        start = [p.detach().clone() for p in net.parameters()]
        cls(net).step(x, y)
        return sum((p - s).norm() for p, s in zip(net.parameters(), start)).item()

    right = moved(UnscaledFit)
    assert abs(moved(HookedFit) - right) < 0.01 * right
    assert moved(RescalingFit) < 0.01 * right and moved(TorchFit) < 0.01 * right
