"""A voice converter steps both players through the scaler and, further down, steps their optimizers once more by hand.

source: IAHispano/Applio#860 (optim_g.step() and optim_d.step() beside the scaler), pytorch/vision#4874 (optimizer stepped twice under amp)
rules: [TL406]
"""
import torch
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Duel:
    def __init__(self, dim: int = 3):
        torch.manual_seed(0)
        self.maker, self.judge = nn.Linear(dim, dim).to(KIND), nn.Linear(dim, 1).to(KIND)
        self.optim_g = torch.optim.SGD(self.maker.parameters(), lr=0.01)
        self.optim_d = torch.optim.SGD(self.judge.parameters(), lr=0.01)
        self.scaler = torch.amp.GradScaler(KIND, init_scale=256.0)

    def judge_loss(self, real, fake):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            return (self.judge(real) - 1).square().mean() + self.judge(fake.detach()).square().mean()

    def maker_loss(self, fake):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            return (self.judge(fake) - 1).square().mean()

    def make(self, noise):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            return self.maker(noise)

    def batch(self, real, noise):
        raise NotImplementedError


class TwiceDuel(Duel):
    def batch(self, real, noise):
        fake = self.make(noise)
        self.optim_d.zero_grad()
        self.scaler.scale(self.judge_loss(real, fake)).backward()
        self.scaler.unscale_(self.optim_d)
        self.scaler.step(self.optim_d)

        self.optim_g.zero_grad()
        self.scaler.scale(self.maker_loss(fake)).backward()
        self.scaler.unscale_(self.optim_g)
        self.scaler.step(self.optim_g)
        self.scaler.update()
        self.optim_g.step()  # expect: TL406
        self.optim_d.step()  # expect: TL406


class OnceDuel(Duel):
    def batch(self, real, noise):
        fake = self.make(noise)
        self.optim_d.zero_grad()
        self.scaler.scale(self.judge_loss(real, fake)).backward()
        self.scaler.step(self.optim_d)  # ok: TL406

        self.optim_g.zero_grad()
        self.scaler.scale(self.maker_loss(fake)).backward()
        self.scaler.step(self.optim_g)  # ok: TL406
        self.scaler.update()


class HalfMixedDuel(Duel):
    """The judge is trained plainly, without scaling, and so is its step."""

    def batch(self, real, noise):
        fake = self.make(noise)
        self.optim_d.zero_grad()
        self.judge_loss(real, fake).backward()
        self.optim_d.step()  # ok: TL406

        self.optim_g.zero_grad()
        self.scaler.scale(self.maker_loss(fake)).backward()
        self.scaler.step(self.optim_g)
        self.scaler.update()


def decay(schedulers):
    for s in schedulers:
        s.step()  # ok: TL406


def train(duel, batches):
    plans = [torch.optim.lr_scheduler.ExponentialLR(o, 0.99) for o in (duel.optim_g, duel.optim_d)]
    for real, noise in batches:
        duel.batch(real, noise)
        decay(plans)


def demonstrate():
    real, noise = torch.randn(8, 3, device=KIND), torch.randn(8, 3, device=KIND)

    def moved(cls):
        duel = cls()
        start = duel.maker.weight.detach().clone()
        train(duel, [(real, noise)])
        return (duel.maker.weight - start).norm().item()

    once, twice = moved(OnceDuel), moved(TwiceDuel)
    assert 1.9 * once < twice < 2.1 * once
    assert abs(moved(HalfMixedDuel) - once) < 0.1 * once
