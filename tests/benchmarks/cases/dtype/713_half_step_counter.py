"""A quantiser counts in floating buffers with += 1; after .half() the count stops at 2048, in bfloat16 at 256.

source: warm-up and usage counters kept as float buffers
rules: [TL302]
"""
import torch
from torch import nn


class UsageCodebook(nn.Module):
    def __init__(self, codes=4, dim=3, warmup=1000):
        super().__init__()
        self.warmup = warmup
        self.codes = nn.Parameter(torch.randn(codes, dim))
        self.register_buffer("calls", torch.zeros(1))

    def forward(self, x):
        if self.training:
            self.calls += 1  # expect: TL302
        gap = (x.unsqueeze(-2) - self.codes).pow(2).sum(-1)
        soft = gap.neg().softmax(-1) @ self.codes
        mix = (self.calls / self.warmup).clamp(max=1)
        return mix * soft + (1 - mix) * x


class UsageCodebookFixed(UsageCodebook):
    def __init__(self, codes=4, dim=3, warmup=1000):
        super().__init__(codes, dim, warmup)
        self.calls = torch.zeros(1, dtype=torch.long)

    def forward(self, x):
        if self.training:
            self.calls += 1  # ok: TL302
        gap = (x.unsqueeze(-2) - self.codes).pow(2).sum(-1)
        soft = gap.neg().softmax(-1) @ self.codes
        mix = (self.calls / self.warmup).clamp(max=1).to(x.dtype)
        return mix * soft + (1 - mix) * x


def count_hits(model, x, target):
    model = model.to(torch.bfloat16).eval()
    seen = 0
    for row in range(len(x)):
        with torch.no_grad():
            out = model(x[row : row + 1].bfloat16())
        seen += 1  # ok: TL302
        assert out.shape == target[row : row + 1].shape
    return seen


def build_low_precision(kind, cls=UsageCodebook, warmup=4096):
    model = cls(warmup=warmup)
    if kind == "fp16":
        return model.half()
    return model.bfloat16()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    for kind, stop in (("fp16", 2048), ("bf16", 256)):
        bad, good = build_low_precision(kind), build_low_precision(kind, UsageCodebookFixed)
        x = torch.randn(1, 3).to(bad.codes.dtype)
        with torch.no_grad():
            for model in (bad, good):
                model.calls.fill_(stop - 2)
                for _ in range(6):
                    model(x)
        assert bad.calls.item() == stop, bad.calls
        assert good.calls.item() == stop + 4
    full = UsageCodebook()
    full.calls.fill_(5000.0)
    full(torch.randn(1, 3))
    assert full.calls.item() == 5001  # float32 counts on
    assert count_hits(UsageCodebook(), torch.randn(3, 3), torch.randn(3, 3)) == 3
