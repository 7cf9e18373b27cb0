"""L-BFGS calls its closure many times inside one region: after the first evaluation every one of them sees the first weights.

source: X-GenGroup/Flow-Factory#186 kind; physics-informed networks trained with LBFGS under autocast
rules: [TL408]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Problem:
    def __init__(self, net, x, y):
        self.net, self.x, self.y = net, x, y
        self.opt = torch.optim.LBFGS(net.parameters(), lr=0.3, max_iter=6)
        self.seen = []

    def loss(self):
        return F.mse_loss(self.net(self.x).float(), self.y)

    def closure(self):
        self.opt.zero_grad()
        loss = self.loss()
        loss.backward()
        self.seen.append(loss.item())
        return loss

    def solve(self):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            self.opt.step(self.closure)  # expect: TL408
        return self.seen


class RegionInside(Problem):
    def loss(self):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            out = self.net(self.x)
        return F.mse_loss(out.float(), self.y)

    def solve(self):
        self.opt.step(self.closure)  # ok: TL408
        return self.seen


class Cleared(Problem):
    """One region, but the cache is emptied before every evaluation."""

    def loss(self):
        torch.clear_autocast_cache()
        return super().loss()

    def closure(self):
        self.opt.zero_grad()
        loss = self.loss()
        self.seen.append(loss.item())
        weights = list(self.net.parameters())
        for p, g in zip(weights, torch.autograd.grad(loss, weights)):
            p.grad = g
        return loss

    def solve(self):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            self.opt.step(self.closure)  # ok: TL408
        return self.seen


def demonstrate():
    def curve(cls):
        torch.manual_seed(0)
        x = torch.randn(16, 4, device=KIND)
        return cls(nn.Linear(4, 1).to(KIND), x, x.sum(1, keepdim=True)).solve()

    frozen = curve(Problem)
    assert len(frozen) > 1 and len(set(frozen)) == 1, frozen
    for cls in (RegionInside, Cleared):
        seen = curve(cls)
        assert seen[-1] < 0.5 * seen[0], (cls, seen)
