"""A codebook counts its updates in a floating buffer; after .half() the count stays at 2048 for ever.

source: EMA/VQ layers with a floating counter buffer under model.half(); own construction
rules: [TL302]
"""
import torch
from torch import nn


class Usage(nn.Module):
    def __init__(self, codes=4):
        super().__init__()
        self.register_buffer("mean", torch.zeros(codes))
        self.register_buffer("calls", torch.zeros(1))

    def tick(self):
        self.calls += 1  # expect: TL302

    @torch.no_grad()
    def update(self, hits):
        self.tick()
        self.mean.mul_(1 - 1 / self.calls).add_(hits / self.calls)

    def forward(self, codes):
        if self.training:
            self.update(torch.bincount(codes, minlength=self.mean.numel()).to(self.mean.dtype))
        return self.mean[codes]


class UsageInteger(Usage):
    def __init__(self, codes=4):
        super().__init__(codes)
        del self.calls
        self.register_buffer("calls", torch.zeros(1, dtype=torch.long))

    def tick(self):
        self.calls += 1  # ok: TL302


class UsagePython(Usage):
    def __init__(self, codes=4):
        super().__init__(codes)
        self.seen = 0

    def tick(self):
        self.seen += 1  # ok: TL302
        self.calls.fill_(self.seen)


def compact(net: nn.Module):
    return net.half().train()


# ---- demonstration ----
def demonstrate():
    def count(cls, times=2100):
        usage = compact(cls())
        for _ in range(times):
            usage.tick()
        return usage.calls.item()

    assert count(Usage) == 2048.0
    assert count(UsageInteger) == 2100
    assert count(UsagePython) == 2100.0
    compact(Usage())(torch.tensor([0, 1, 1]))
