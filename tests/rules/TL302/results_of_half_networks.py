"""What a half network returns is half, and so is what some caller gives a helper."""

import torch
from torch import nn


class Sampler:
    def __init__(self, net):
        self.net = net.half().eval()

    def entropy(self, x):
        shares = self.net(x).softmax(-1)
        return -(shares * (shares + 1e-10).log()).sum(-1)  # expect: TL302

    def entropy_in_float(self, x):
        shares = self.net(x).float().softmax(-1)
        return -(shares * (shares + 1e-10).log()).sum(-1)  # ok: TL302

    def banned(self, x, ids):
        scores = self.net(x)
        scores[:, ids] = -1e10  # expect: TL302
        return scores


class SingleSampler:
    def __init__(self, net):
        self.net = net.eval()

    def entropy(self, x):
        shares = self.net(x).softmax(-1)
        return -(shares * (shares + 1e-10).log()).sum(-1)  # ok: TL302


def spread(shares):
    return (shares + 1e-10).log().mean()  # expect: TL302


def spread_of_floats(shares):
    return (shares + 1e-10).log().mean()  # ok: TL302


def report(x):
    return spread(x.half().softmax(-1)), spread_of_floats(x.softmax(-1))


class Steps(nn.Module):
    """Further ways to count."""

    def __init__(self, kinds):
        super().__init__()
        self.register_buffer("hits", torch.zeros(kinds))
        self.register_buffer("rounds", torch.zeros(()))
        self.register_buffer("whole", torch.zeros((), dtype=torch.long))

    def forward(self, kind):
        self.hits[kind] += 1  # expect: TL302
        self.rounds.copy_(self.rounds + 1)  # expect: TL302
        self.whole.copy_(self.whole + 1)  # ok: TL302

    def by_data(self):
        self.rounds.data.add_(1.0)  # expect: TL302

    def by_halves(self):
        self.rounds += 0.5  # ok: TL302


def steps(name):
    counts = {"steps": Steps}[name](2)
    counts = counts.half().cpu()
    return counts


def demonstrate():
    net = nn.Sequential(nn.Linear(2, 3), nn.Threshold(0.0, 0.0))
    with torch.no_grad():
        net[0].weight.fill_(1000.0), net[0].bias.copy_(torch.tensor([0.0, 100.0, 0.0]))
    sampler, x = Sampler(net), torch.ones(1, 2, dtype=torch.float16)
    with torch.no_grad():
        sampler.net[0].weight[1:] = 0
        assert sampler.entropy(x).isnan().all() and sampler.entropy_in_float(x).isfinite().all()
        assert sampler.banned(x, torch.tensor([0])).isinf().any()
        assert SingleSampler(nn.Linear(2, 3)).entropy(torch.ones(1, 2)).isfinite().all()
    found, single = report(torch.tensor([100.0, 0.0]))
    assert found.isinf() and single.isfinite()
    counts = steps("steps")
    for _ in range(2100):
        counts(0)
    assert counts.hits[0].item() == counts.rounds.item() == 2048 and counts.whole.item() == 2100
    counts.by_data(), counts.by_halves()
