"""Few-shot adaptation: support steps and the query pass share one region; the written weights are never seen by the query pass.

source: X-GenGroup/Flow-Factory#186 (param.data writes under one region) carried over to an inner loop of MAML/Reptile kind
rules: [TL408]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Learner(nn.Module):
    def __init__(self, dim=6, ways=3):
        super().__init__()
        self.body, self.head = nn.Linear(dim, 16), nn.Linear(16, ways)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))


def gradients(net, x, y):
    weights = list(net.parameters())
    return zip(weights, torch.autograd.grad(F.cross_entropy(net(x), y), weights))


def episode(net, support, query, lr=0.5, steps=8):
    with torch.autocast(KIND, dtype=torch.bfloat16):
        first = F.cross_entropy(net(query[0]), query[1])
        for _ in range(steps):
            for p, g in gradients(net, *support):
                p.data.sub_(lr * g)  # expect: TL408
        last = F.cross_entropy(net(query[0]), query[1])
    return first.item(), last.item()


def episode_regions(net, support, query, lr=0.5, steps=8):
    region = lambda: torch.autocast(KIND, dtype=torch.bfloat16)
    with region():
        first = F.cross_entropy(net(query[0]), query[1])
    for _ in range(steps):
        with region():
            pairs = gradients(net, *support)
        for p, g in pairs:
            p.data.sub_(lr * g)  # ok: TL408
    with region():
        return first.item(), F.cross_entropy(net(query[0]), query[1]).item()


def episode_uncached(net, support, query, lr=0.5, steps=8):
    with torch.autocast(KIND, dtype=torch.bfloat16, cache_enabled=False):
        first = F.cross_entropy(net(query[0]), query[1])
        for _ in range(steps):
            for p, g in gradients(net, *support):
                p.data.sub_(lr * g)  # ok: TL408
        return first.item(), F.cross_entropy(net(query[0]), query[1]).item()


def demonstrate():
    def outcome(run):
        torch.manual_seed(0)
        net = Learner().to(KIND)
        x = torch.randn(12, 6, device=KIND)
        return run(net, (x, x[:, :3].argmax(1)), (x, x[:, :3].argmax(1)))

    first, last = outcome(episode)
    assert first == last, "the cached casts answered"
    for run in (episode_regions, episode_uncached):
        first, last = outcome(run)
        assert last < first - 0.1, run
