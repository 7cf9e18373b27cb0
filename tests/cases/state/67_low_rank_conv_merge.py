"""A low-rank convolution: one variant adds the update into the weight in eval mode, one registers the sum as a buffer in train().

source: microsoft/LoRA#190, kohya-style LoCon layers; a buffer assigned in train() still goes stale
rules: [TL103]
"""
from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn


class LowRankConv(nn.Conv1d):
    def __init__(self, a: int = 2, b: int = 3, rank: int = 1, scale: float = 0.5):
        super().__init__(a, b, 3, padding=1)
        self.scale = scale
        self.left = nn.Parameter(torch.randn(b, rank))
        self.right = nn.Parameter(torch.randn(rank, a * 3))
        self.weight.requires_grad_(False)
        self.setup()

    def setup(self) -> None:
        pass

    def delta(self) -> torch.Tensor:
        return (self.left @ self.right).view_as(self.weight) * self.scale

    def effective(self):
        return self.weight + self.delta()

    def forward(self, x):
        return F.conv1d(x, self.effective(), self.bias, padding=1)


class InPlaceConv(LowRankConv):
    def setup(self):
        self.inside = False

    def effective(self):
        return self.weight if self.inside else super().effective()

    def shift(self, sign: int) -> None:
        self.weight.data.add_(self.delta().detach(), alpha=sign)  # expect: TL103
        self.inside = sign > 0

    def train(self, mode: bool = True):  # use: TL103
        super().train(mode)
        if mode is self.inside:
            self.shift(-1 if mode else 1)
        return self


class BufferedConv(LowRankConv):
    def setup(self):
        self.register_buffer("summed", torch.zeros_like(self.weight), persistent=False)

    def effective(self):
        return super().effective() if self.training else self.summed

    def train(self, mode: bool = True):
        super().train(mode)
        if not mode:
            self.summed = super().effective().detach()  # expect: TL103
        return self


class ReloadedConv(BufferedConv):
    """The conversion is covered by the registration, the load by the hook."""

    def setup(self):
        super().setup()
        self.register_load_state_dict_post_hook(lambda m, keys: m.refresh())

    def refresh(self) -> None:
        if not self.training:
            self.summed = LowRankConv.effective(self).detach()  # ok: TL103

    def train(self, mode: bool = True):
        LowRankConv.train(self, mode)
        self.refresh()
        return self


class UnmergedConv(LowRankConv):
    def train(self, mode: bool = True):  # ok: TL103
        super().train(mode)
        self.left.requires_grad_(mode)
        self.right.requires_grad_(mode)
        return self


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(1, 2, 5)
    for cls, right in ((InPlaceConv, False), (BufferedConv, False), (ReloadedConv, True), (UnmergedConv, True)):
        src, net = nn.Sequential(cls()), nn.Sequential(cls()).eval()
        want = F.conv1d(x, src[0].weight + src[0].delta(), src[0].bias, padding=1)
        sd = {k: v.clone() for k, v in src.state_dict().items()}
        net.load_state_dict(sd)
        assert torch.allclose(net(x), want, atol=1e-5) is right, cls
        net.train()
        assert torch.allclose(net.state_dict()["0.weight"], sd["0.weight"], atol=1e-5) is (cls is not InPlaceConv)
        assert net.eval().double()(x.double()).dtype == torch.float64
