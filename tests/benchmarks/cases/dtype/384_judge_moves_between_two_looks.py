"""A GAN batch runs in one region: the judge is stepped and then judges the fakes again for the maker, with the cast of its old weights.

source: X-GenGroup/Flow-Factory#186 (one outer region, a step between two forwards) in GAN training scripts
rules: [TL408]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


def hinge(score, sign):
    return F.relu(1 - sign * score.float()).mean()


class Gan:
    def __init__(self, lr=2.0):
        torch.manual_seed(0)
        self.maker, self.judge = nn.Linear(2, 4).to(KIND), nn.Linear(4, 1).to(KIND)
        self.opts = {k: torch.optim.SGD(getattr(self, k).parameters(), lr=lr) for k in ("maker", "judge")}
        self.seen = []

    def settle(self, who, loss):
        opt = self.opts[who]
        opt.zero_grad()
        loss.backward()
        opt.step()

    def look(self, x):
        score = self.judge(x)
        self.seen.append(score.detach().float().mean().item())
        return score

    def batch(self, real, seed):
        raise NotImplementedError


class OneRegion(Gan):
    def batch(self, real, seed):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            fake = self.maker(seed)
            loss = hinge(self.look(fake.detach()), -1) + hinge(self.judge(real), 1)
            self.opts["judge"].zero_grad()
            loss.backward()
            self.opts["judge"].step()  # expect: TL408
            toll = -self.look(fake).float().mean()
        self.settle("maker", toll)


class TwoRegions(Gan):
    def region(self):
        return torch.autocast(KIND, dtype=torch.bfloat16)

    def batch(self, real, seed):
        with self.region():
            fake = self.maker(seed)
            loss = hinge(self.look(fake.detach()), -1) + hinge(self.judge(real), 1)
        self.settle("judge", loss)  # ok: TL408
        with self.region():
            toll = -self.look(fake).float().mean()
        self.settle("maker", toll)


class LastStep(Gan):
    """Both looks first; the steps are the last thing that the region does."""

    def batch(self, real, seed):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            fake = self.maker(seed)
            loss = hinge(self.look(fake.detach()), -1) + hinge(self.judge(real), 1)
            toll = -self.look(fake).float().mean()
        self.settle("maker", toll)
        self.settle("judge", loss)  # ok: TL408


class Uncached(OneRegion):
    def batch(self, real, seed):
        with torch.autocast(KIND, dtype=torch.bfloat16, cache_enabled=False):
            fake = self.maker(seed)
            loss = hinge(self.look(fake.detach()), -1) + hinge(self.judge(real), 1)
            self.opts["judge"].zero_grad()
            loss.backward()
            self.opts["judge"].step()  # ok: TL408
            toll = -self.look(fake).float().mean()
        self.settle("maker", toll)


def demonstrate():
    torch.manual_seed(1)
    real, seed = torch.randn(8, 4, device=KIND), torch.randn(8, 2, device=KIND)

    def looks(cls):
        gan = cls()
        gan.batch(real, seed)
        return gan.seen

    first, second = looks(OneRegion)
    assert first == second  # the judge has moved, its second look has not
    for cls in (TwoRegions, Uncached):
        first, second = looks(cls)
        assert first != second, cls
    assert len(looks(LastStep)) == 2
