"""Forward-forward training: each layer has its own optimizer and learns in a loop; the region around the loop freezes its weights.

source: forward-forward re-implementations under autocast; X-GenGroup/Flow-Factory#186 kind (one outer region, steps inside)
rules: [TL408]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Layer(nn.Linear):
    def __init__(self, n_in, n_out, rounds=8):
        super().__init__(n_in, n_out)
        self.opt = torch.optim.Adam(self.parameters(), lr=0.05)
        self.rounds, self.losses = rounds, []

    def forward(self, x):
        return super().forward(F.normalize(x, dim=-1)).relu()

    def loss(self, good, bad):
        g, b = self(good).square().mean(1), self(bad).square().mean(1)
        return F.softplus(torch.cat([1 - g, b - 1])).mean()

    def learn(self, good, bad):
        raise NotImplementedError

    def passed_on(self, *inputs):
        with torch.no_grad():
            return [self(x).detach() for x in inputs]


class RegionLayer(Layer):
    def learn(self, good, bad):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            for _ in range(self.rounds):
                loss = self.loss(good, bad)
                self.opt.zero_grad()
                loss.backward()  # use: TL402
                self.opt.step()  # expect: TL408
                self.losses.append(loss.detach())
            return self.passed_on(good, bad)


class LossRegionLayer(Layer):
    @torch.autocast(KIND, dtype=torch.bfloat16)
    def loss(self, good, bad):
        return super().loss(good, bad)

    def learn(self, good, bad):
        for _ in range(self.rounds):
            loss = self.loss(good, bad)
            self.opt.zero_grad()
            loss.backward()  # ok: TL402
            self.opt.step()  # ok: TL408
            self.losses.append(loss.detach())
        return self.passed_on(good, bad)


class OnceLayer(Layer):
    """One step per batch, after everything was computed."""

    def learn(self, good, bad):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            loss = self.loss(good, bad)
            out = self.passed_on(good, bad)
        loss.backward()
        self.opt.step()  # ok: TL408
        self.losses.append(loss.detach())
        return out


class Stack:
    def __init__(self, kind, sizes=(4, 6, 6)):
        self.layers = [kind(a, b).to(KIND) for a, b in zip(sizes[:-1], sizes[1:])]

    def train(self, good, bad):
        for layer in self.layers:
            good, bad = layer.learn(good, bad)
        return self


def demonstrate():
    good, bad = torch.rand(16, 4, device=KIND), torch.randn(16, 4, device=KIND)
    for kind, frozen in ((RegionLayer, True), (LossRegionLayer, False)):
        torch.manual_seed(0)
        for layer in Stack(kind).train(good, bad).layers:
            same = all(torch.equal(v, layer.losses[0]) for v in layer.losses)
            assert same is frozen, kind
    Stack(OnceLayer).train(good, bad)
