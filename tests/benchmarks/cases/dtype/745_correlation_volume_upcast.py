"""Optical flow under autocast: .float() in front of bmm decides nothing, .double() in front of a Linear raises.

source: huggingface/diffusers#13922 (same mechanism); RAFT-like code
rules: [TL401]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Flow(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.fnet, self.update = nn.Conv2d(3, dim, 3, padding=1), nn.Linear(dim, 2)
        self.dim = dim

    def features(self, a, b):
        return self.fnet(a).flatten(2), self.fnet(b).flatten(2)

    def forward(self, a, b):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            fa, fb = self.features(a, b)
            corr = torch.bmm(fa.float().transpose(1, 2), fb.float())  # expect: TL401
            return corr / self.dim**0.5

    def refine(self, a, b):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            fa, _ = self.features(a, b)
            return self.update(fa.mean(-1).double())  # expect: TL401


class FlowFixed(Flow):
    def forward(self, a, b):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            fa, fb = self.features(a, b)
            with torch.autocast(DEVICE_TYPE, enabled=False):
                corr = torch.bmm(fa.float().transpose(1, 2), fb.float())  # ok: TL401
            return corr / self.dim**0.5

    def refine(self, a, b):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            fa, _ = self.features(a, b)
            pooled = fa.float().mean(-1)  # ok: TL401
            flow = self.update(pooled)
        return flow.double()  # ok: TL401

    def photometric(self, a, b):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            fa, fb = self.features(a, b)
            return F.smooth_l1_loss(fa.float(), fb.float())  # ok: TL401


class FlowOutside(Flow):
    def forward(self, a, b):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            fa, fb = self.features(a, b)
        return torch.bmm(fa.float().transpose(1, 2), fb.float()) / self.dim**0.5  # ok: TL401


def demonstrate():
    torch.manual_seed(0)
    a, b = torch.randn(2, 1, 3, 4, 4, device=DEVICE_TYPE).unbind(0)
    bad, good = Flow().to(DEVICE_TYPE), FlowFixed().to(DEVICE_TYPE)
    assert bad(a, b).dtype is torch.bfloat16, "the casts were undone by bmm"
    assert good(a, b).dtype is torch.float32
    assert FlowOutside().to(DEVICE_TYPE)(a, b).dtype is torch.float32
    try:
        bad.refine(a, b)
        raise AssertionError("double met bf16 weights and nothing happened")
    except RuntimeError as err:
        assert "dtype" in str(err)
    assert good.refine(a, b).dtype is torch.float64
    assert good.photometric(a, b).dtype is torch.float32
