"""A collator of multi-label samples builds integer tensors and converts them at once; its table is cast again in every pass of a loop.

source: pytorch/pytorch#121414 kind (torch.tensor(x).float()), meta-pytorch/torchtune#522 (casts of constants in a loop)
rules: [TL307]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Collator:
    def __init__(self, names):
        self.names = list(names)

    def flags(self, sample):
        return [int(n in sample["tags"]) for n in self.names]

    def target(self, samples):
        return torch.tensor([self.flags(s) for s in samples]).float()  # expect: TL307

    def __call__(self, samples):
        x = torch.stack([s["x"] for s in samples])
        return x, self.target(samples)


class CollatorFixed(Collator):
    def target(self, samples):
        return torch.tensor([self.flags(s) for s in samples], dtype=torch.float32)  # ok: TL307


class CollatorHot(Collator):
    """The comparison is integer by nature: one cast is needed, once."""

    def target(self, samples):
        ids = torch.tensor([self.names.index(s["tags"][0]) for s in samples])
        return F.one_hot(ids, len(self.names)).float()  # ok: TL307


class Tagger(nn.Module):
    rounds = 3

    def __init__(self, count):
        super().__init__()
        self.out = nn.Linear(2, count)
        self.register_buffer("links", torch.eye(count, dtype=torch.bool).roll(1, 0))

    def forward(self, x):
        scores = self.out(x)
        for _ in range(self.rounds):
            scores = scores + 0.1 * scores @ self.links.float()  # expect: TL307
        return scores


class TaggerFixed(Tagger):
    def forward(self, x):
        scores = self.out(x)
        links = self.links.to(scores.dtype)  # ok: TL307
        for _ in range(self.rounds):
            scores = scores + 0.1 * scores @ links
        return scores


def epoch(net, loader, collate):
    total = None
    for samples in loader:
        x, y = collate(samples)
        loss = F.binary_cross_entropy_with_logits(net(x), y)
        loss.backward()
        total = loss.detach() if total is None else total + loss.detach()
    return total.item()  # ok: TL307


def demonstrate():
    torch.manual_seed(0)
    names = ("red", "green", "blue")
    samples = [{"x": torch.randn(2), "tags": [n]} for n in names]
    targets = [kind(names)(samples)[1] for kind in (Collator, CollatorFixed, CollatorHot)]
    assert all(torch.equal(targets[0], t) and t.dtype is torch.float32 for t in targets)
    # two tensors are made where one is enough
    from torch.utils._python_dispatch import TorchDispatchMode

    class Casts(TorchDispatchMode):
        count = 0

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            Casts.count += func is torch.ops.aten._to_copy.default
            return func(*args, **(kwargs or {}))

    counts = []
    for kind in (Collator, CollatorFixed):
        Casts.count = 0
        with Casts():
            kind(names).target(samples)
        counts.append(Casts.count)
    assert counts[0] == counts[1] + 1, counts
    counts = []
    for kind in (Tagger, TaggerFixed):
        Casts.count = 0
        with torch.no_grad(), Casts():
            kind(3)(torch.randn(1, 2))
        counts.append(Casts.count)
    assert counts[0] == counts[1] + 2, counts
    assert epoch(Tagger(3), [samples] * 2, CollatorFixed(names)) > 0
