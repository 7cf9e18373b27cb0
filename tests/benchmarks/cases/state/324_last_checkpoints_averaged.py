"""The last few epochs are kept in a ring and averaged at the end; every entry of the ring is the final epoch.

source: checkpoint averaging of sequence models done in memory, WMD-group/SMACT#601 (state_dict().copy()), pytorch/tutorials#188
rules: [TL116]
"""
import collections

import torch
from torch import nn


def mean_state(states) -> dict[str, torch.Tensor]:
    return {k: torch.stack([s[k].float() for s in states]).mean(0).to(v.dtype) for k, v in states[0].items()}


class Ring:
    def __init__(self, size: int = 3):
        self.entries = collections.deque(maxlen=size)

    def add(self, epoch: int, model: nn.Module) -> None:
        self.entries.append((epoch, model.state_dict()))  # expect: TL116

    def average(self):
        return mean_state([state for _, state in self.entries])


class DictRing(Ring):
    """dict() makes a new dict of the same tensors."""

    def add(self, epoch, model):
        record = {"epoch": epoch, "weights": dict(model.state_dict())}  # expect: TL116
        self.entries.append(tuple(record.values()))


class CpuRing(Ring):
    def add(self, epoch, model):
        self.entries.append((epoch, {k: v.clone() for k, v in model.state_dict().items()}))  # ok: TL116


class SumRing(Ring):
    """A running sum instead of a collection: nothing of the model is kept."""

    def __init__(self, size: int = 3):
        super().__init__(size)
        self.total, self.count = None, 0

    def add(self, epoch, model):
        now = model.state_dict()  # ok: TL116
        self.total = {k: v + (0 if self.total is None else self.total[k]) for k, v in now.items()}
        self.count += 1

    def average(self):
        return {k: v / self.count for k, v in self.total.items()}


def train(model: nn.Module, ring: Ring, batches, epochs: int = 3, lr: float = 0.1) -> nn.Module:
    opt = torch.optim.SGD(model.parameters(), lr=lr)
    for epoch in range(epochs):
        for x, y in batches:
            opt.zero_grad()
            (model(x) - y).pow(2).mean().backward()
            opt.step()
        ring.add(epoch, model)
    model.load_state_dict(ring.average())
    return model


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    batches = [(torch.randn(4, 2), torch.randn(4, 1)) for _ in range(2)]
    seen = []

    class Spy(CpuRing):
        def add(self, epoch, model):
            super().add(epoch, model)
            seen.append(model.weight.detach().clone())

    def run(ring):
        torch.manual_seed(1)
        return train(nn.Linear(2, 1), ring, batches).weight.detach()

    run(Spy())
    want, last = torch.stack(seen).mean(0), seen[-1]
    for cls, right in ((Ring, False), (DictRing, False), (CpuRing, True), (SumRing, True)):
        got = run(cls())
        assert torch.allclose(got, want, atol=1e-6) is right, cls
        assert torch.allclose(got, last, atol=1e-6) is not right, cls
