"""Experts write their tokens back with index_add_; the contribution is cast to half by hand although the region runs in bfloat16.

source: mixture-of-experts layers written for fp16 and then trained in bf16 ("self and source must have the same scalar type"); naver/must3r#10 kind
rules: [TL401]
"""
import contextlib

import torch
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Experts(nn.Module):
    def __init__(self, dim=8, count=3):
        super().__init__()
        self.inp = nn.Linear(dim, dim)
        self.gate = nn.Linear(dim, count)
        self.parts = nn.ModuleList(nn.Linear(dim, dim) for _ in range(count))

    def dispatch(self, h):
        weight, choice = self.gate(h).softmax(-1).max(-1)
        for number, part in enumerate(self.parts):
            rows = (choice == number).nonzero()[:, 0]
            if len(rows):
                yield rows, part(h[rows]) * weight[rows, None]

    def forward(self, x, amp=True):
        region = torch.autocast(KIND, dtype=torch.bfloat16) if amp else contextlib.nullcontext()
        with region:
            h = self.inp(x)
            out = torch.zeros_like(h)
            for rows, part in self.dispatch(h):
                out.index_add_(0, rows, part.half())  # expect: TL401
            return out


class ExpertsFollow(Experts):
    def forward(self, x, amp=True):
        region = torch.autocast(KIND, dtype=torch.bfloat16) if amp else contextlib.nullcontext()
        with region:
            h = self.inp(x)
            out = torch.zeros_like(h)
            for rows, part in self.dispatch(h):
                out.index_add_(0, rows, part.to(dtype=out.dtype))  # ok: TL401
            return out


class ExpertsWide(Experts):
    """Sums in float32: an accumulation that autocast does not touch."""

    def forward(self, x, amp=True):
        with torch.autocast(KIND, dtype=torch.bfloat16, enabled=amp):
            h = self.inp(x)
            out = h.new_zeros(h.shape, dtype=torch.float32)
            for rows, part in self.dispatch(h):
                out.index_add_(0, rows, part.float())  # ok: TL401
        return out


def pack(net, x):
    """Stored in half after the region."""
    return net(x).half().cpu()  # ok: TL401


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(6, 8, device=KIND)
    base = Experts().to(KIND)
    try:
        base(x)
        raise AssertionError("half was added to bf16 in place")
    except RuntimeError as err:
        assert "same scalar type" in str(err), err
    for cls, kind in ((ExpertsFollow, torch.bfloat16), (ExpertsWide, torch.float32)):
        net = cls().to(KIND)
        net.load_state_dict(base.state_dict())
        assert net(x).dtype is kind
        assert pack(net, x).dtype is torch.float16
