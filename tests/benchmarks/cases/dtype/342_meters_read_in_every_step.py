"""A trainer feeds its meters numbers in each step: every read waits for the device; a sibling keeps tensors and reads once.

source: training scripts with AverageMeter.update(loss.item()); pytorch performance notes on avoiding synchronisation
rules: [TL307]
"""
from collections import defaultdict

import torch
import torch.nn.functional as F
from torch import nn


class Meters:
    def __init__(self):
        self.sums, self.counts = defaultdict(float), defaultdict(int)

    def update(self, **values):
        for name, value in values.items():
            self.sums[name] = self.sums[name] + value
            self.counts[name] += 1

    def means(self):
        return {k: float(v) / self.counts[k] for k, v in self.sums.items()}


class Trainer:
    def __init__(self, net, lr=0.05):
        self.net, self.meters = net, Meters()
        self.solver = torch.optim.SGD(net.parameters(), lr=lr)

    def step(self, x, y):
        out = self.net(x)
        loss = F.cross_entropy(out, y)
        self.solver.zero_grad()
        loss.backward()
        self.solver.step()
        return out.detach(), loss.detach()

    def epoch(self, batches):
        for x, y in batches:
            out, loss = self.step(x, y)
            self.meters.update(loss=loss.item())  # expect: TL307
            self.meters.update(hits=(out.argmax(-1) == y).float().mean().cpu())  # expect: TL307
        return self.meters.means()


class LazyTrainer(Trainer):
    def epoch(self, batches):
        for x, y in batches:
            out, loss = self.step(x, y)
            self.meters.update(loss=loss, hits=(out.argmax(-1) == y).float().mean())
        return self.meters.means()  # ok: TL307


class RareTrainer(Trainer):
    every = 10

    def epoch(self, batches):
        shown = []
        for i, (x, y) in enumerate(batches):
            out, loss = self.step(x, y)
            if (i + 1) % self.every == 0:
                shown.append(loss.item())  # ok: TL307
        return {"loss": sum(shown) / max(1, len(shown))}


def demonstrate():
    results = []
    for kind in (Trainer, LazyTrainer):
        torch.manual_seed(0)
        trainer = kind(nn.Linear(2, 3))
        results.append(trainer.epoch([(torch.randn(4, 2), torch.randint(3, (4,))) for _ in range(5)]))
    assert all(abs(results[0][k] - results[1][k]) < 1e-5 for k in ("loss", "hits"))
    # a read of the value is what a device without data refuses; the lazy form runs until the end
    net = nn.Linear(2, 3, device="meta")
    batch = [(torch.randn(4, 2, device="meta"), torch.zeros(4, dtype=torch.long, device="meta"))]
    for kind, reads in ((Trainer, True), (RareTrainer, False)):
        try:
            kind(net).epoch(batch)
            assert not reads
        except (RuntimeError, NotImplementedError):
            assert reads
