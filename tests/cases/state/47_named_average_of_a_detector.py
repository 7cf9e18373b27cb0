"""A hand-made model average keyed by parameter names; the averaged model is what gets evaluated and saved.

source: FlyreelAI/sesemi#36, pytorch/ignite#2592; the buffer copy as in timm's ModelEma
rules: [TL117]
"""
from __future__ import annotations

import copy
import io

import torch
from torch import nn


class Shadow:
    def __init__(self, net: nn.Module, decay: float = 0.8):
        self.module = copy.deepcopy(net).eval()
        self.decay = decay
        for p in self.module.parameters():
            p.requires_grad = False

    def update(self, net: nn.Module) -> None:
        raise NotImplementedError

    def save(self, handle) -> None:
        torch.save(self.module.state_dict(), handle)


class NameShadow(Shadow):
    @torch.no_grad()
    def update(self, net):
        mine = dict(self.module.named_parameters())
        for name, value in net.named_parameters():  # expect: TL117
            mine[name].mul_(self.decay).add_(value.detach(), alpha=1.0 - self.decay)


class CompleteShadow(Shadow):
    @torch.no_grad()
    def update(self, net):
        mine = dict(self.module.named_parameters())
        for name, value in net.named_parameters():  # ok: TL117
            mine[name].lerp_(value, 1.0 - self.decay)
        own = dict(self.module.named_buffers())
        for name, value in net.named_buffers():
            own[name].copy_(value)


class StateShadow(Shadow):
    @torch.no_grad()
    def update(self, net):
        theirs = net.state_dict()
        for name, value in self.module.state_dict().items():  # ok: TL117
            value.copy_(value * self.decay + theirs[name] * (1 - self.decay) if value.is_floating_point() else theirs[name])


class ConvBlock(nn.Sequential):
    def __init__(self, a: int, b: int):
        super().__init__(nn.Conv2d(a, b, 1, bias=False), nn.BatchNorm2d(b), nn.SiLU())


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(ConvBlock(3, 4), ConvBlock(4, 4))
        self.head = nn.Conv2d(4, 2, 1)

    def forward(self, x):
        return self.head(self.body(x))


def fit(kind: type[Shadow], rounds: int = 30):
    net = Detector()
    shadow = kind(net)
    opt = torch.optim.SGD(net.parameters(), lr=1e-3)
    for _ in range(rounds):
        loss = net(torch.rand(4, 3, 3, 3) * 4 + 2).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        shadow.update(net)
    shadow.save(io.BytesIO())
    return net.eval(), shadow.module


def fit_both():
    return fit(NameShadow), fit(CompleteShadow), fit(StateShadow)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for kind, follows in ((NameShadow, False), (CompleteShadow, True), (StateShadow, True)):
        torch.manual_seed(0)
        net, avg = fit(kind)
        x = torch.rand(4, 3, 3, 3) * 4 + 2
        a, b = net.body[0][1].running_mean, avg.body[0][1].running_mean
        assert torch.allclose(a, b, atol=0.5) is follows and (b.abs().sum() > 0) == follows, kind
        assert ((net(x) - avg(x)).abs().max() < 0.5) == follows, kind
