"""An adaptation step notes its adversarial terms per site in a chained assignment; the name that is added later holds a number.

source: guopengf/FL-MRCM#10 (the adversarial loss is detached, re-assigned and then part of the total)
rules: [TL305]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Site(nn.Module):
    def __init__(self):
        super().__init__()
        self.coder, self.rebuild, self.judge = nn.Linear(4, 3), nn.Linear(3, 4), nn.Linear(3, 1)
        self.noted = {}

    def fooled(self, code):
        return F.softplus(-self.judge(code)).mean()


class Adapting(Site):
    def objective(self, own, others, share=0.1):
        code = self.coder(own)
        total = F.mse_loss(self.rebuild(code), own)
        for name, x in others.items():
            tilt = self.fooled(self.coder(x))
            self.noted[name] = tilt = tilt.detach().item()  # expect: TL305
            total = total + share * tilt
        return total


class AdaptingNoted(Site):
    def objective(self, own, others, share=0.1):
        code = self.coder(own)
        total = F.mse_loss(self.rebuild(code), own)
        for name, x in others.items():
            tilt = self.fooled(self.coder(x))
            self.noted[name] = tilt.detach().item()  # ok: TL305
            total = total + share * tilt
        return total


class AdaptingNotedLast(Site):
    """The name is overwritten, but only after the term was added."""

    def objective(self, own, others, share=0.1):
        total = F.mse_loss(self.rebuild(self.coder(own)), own)
        for name, x in others.items():
            tilt = self.fooled(self.coder(x))
            total = total + share * tilt
            tilt = tilt.detach()  # ok: TL305
            self.noted[name] = float(tilt)
        return total


class AdaptingScaled(Site):
    """A detached size is meant as a factor: the term itself keeps its history."""

    def objective(self, own, others, share=0.1):
        total = F.mse_loss(self.rebuild(self.coder(own)), own)
        size = total.detach()  # ok: TL305
        for name, x in others.items():
            tilt = self.fooled(self.coder(x))
            total = total + share * size * tilt
        return total


def step(site: Site, opt, own, others):
    opt.zero_grad()
    site.objective(own, others).backward()
    opt.step()


def demonstrate():
    def slope(cls):
        torch.manual_seed(0)
        site = cls()
        own, others = torch.randn(6, 4), {"b": torch.randn(6, 4), "c": torch.randn(6, 4)}
        step(site, torch.optim.SGD(site.parameters(), lr=0.0), own, others)
        return site.judge.weight.grad

    assert slope(Adapting) is None
    for cls in (AdaptingNoted, AdaptingNotedLast, AdaptingScaled):
        assert slope(cls).abs().sum() > 0, cls
