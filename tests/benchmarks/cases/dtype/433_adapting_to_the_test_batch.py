"""Test-time adaptation: the norms are tuned on the batch itself, then the batch is classified again, all in one region.

source: entropy-minimising adaptation (TENT-style) under autocast; X-GenGroup/Flow-Factory#186 kind
rules: [TL408]
"""
import torch
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


def amp(**kw):
    return torch.autocast(KIND, dtype=torch.bfloat16, **kw)


class Adapter:
    def __init__(self, net, rounds=2, lr=5.0):
        self.net, self.rounds = net, rounds
        self.opt = torch.optim.SGD(self.tuned(), lr=lr)

    def tuned(self):
        return self.net.parameters()

    def unsure(self, x):
        scores = self.net(x)
        return -(scores.softmax(-1) * scores.log_softmax(-1)).sum(-1).mean()

    def nudge(self, x):
        self.opt.zero_grad()
        self.unsure(x).backward()
        self.opt.step()  # expect: TL408

    def __call__(self, x):
        with amp():
            for _ in range(self.rounds):
                self.nudge(x)
            return self.net(x)


class AdapterPerForward(Adapter):
    def nudge(self, x):
        self.opt.zero_grad()
        with amp():
            loss = self.unsure(x)
        loss.backward()
        self.opt.step()  # ok: TL408

    def __call__(self, x):
        for _ in range(self.rounds):
            self.nudge(x)
        with amp():
            return self.net(x)


class AdapterUncached(Adapter):
    def nudge(self, x):
        self.opt.zero_grad()
        self.unsure(x).backward()
        self.opt.step()  # ok: TL408

    def __call__(self, x):
        with amp(cache_enabled=False):
            for _ in range(self.rounds):
                self.nudge(x)
            return self.net(x)


class AdapterClearing(Adapter):
    def nudge(self, x):
        self.opt.zero_grad()
        self.unsure(x).backward()
        self.opt.step()  # ok: TL408
        torch.clear_autocast_cache()


def demonstrate():
    x = torch.randn(8, 4, generator=torch.Generator().manual_seed(1)).to(KIND)

    def answers(kind):
        torch.manual_seed(0)
        net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3)).to(KIND)
        with amp(), torch.no_grad():
            before = net(x).float()
        after = kind(net)(x).float().detach()
        return before, after

    before, after = answers(Adapter)
    assert torch.allclose(before, after)  # weights have moved, the answers have not
    _, right = answers(AdapterPerForward)
    assert not torch.allclose(before, right)
    for kind in (AdapterUncached, AdapterClearing):
        assert torch.allclose(answers(kind)[1], right, atol=5e-2), kind
