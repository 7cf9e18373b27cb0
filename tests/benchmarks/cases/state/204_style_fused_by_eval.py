"""A layer folds its style scale into the kernel inside eval(); a parent's eval() never calls it, a load does not undo it.

source: microsoft/LoRA#190 (merge in eval), DingXiaoH/RepVGG#28 and pytorch/pytorch#52272 (who calls whose eval)
rules: [TL103, TL108]
"""
import torch
import torch.nn as nn


class Scaled(nn.Conv1d):
    def __init__(self, channels: int, width: int = 3):
        super().__init__(channels, channels, width, padding="same", bias=False)
        self.gain = nn.Parameter(torch.rand(channels) + 0.5)
        self.fused = False

    def _fold(self, sign: int) -> None:
        factor = self.gain.detach()[:, None, None]
        self.weight.data.mul_(factor if sign > 0 else 1.0 / factor)

    def forward(self, x):
        y = super().forward(x)
        return y if self.fused else y * self.gain[:, None]


class FusedByEval(Scaled):
    def eval(self):  # expect: TL108
        out = super().eval()
        if not self.fused:
            self.weight.data.mul_(self.gain.detach()[:, None, None])  # expect: TL103
            self.fused = True
        return out

    def train(self, mode: bool = True):
        super().train(mode)
        if mode and self.fused:
            self._fold(-1)
            self.fused = False
        return self


class FusedOnExport(Scaled):
    """Folding is an explicit, final step that replaces the layer by an ordinary one."""

    @torch.no_grad()
    def exported(self) -> nn.Conv1d:
        plain = nn.Conv1d(self.in_channels, self.out_channels, self.kernel_size, padding="same", bias=False)
        plain.weight.copy_(self.weight * self.gain[:, None, None])  # ok: TL103, TL106
        return plain.train(self.training)


class Delegating(Scaled):
    """eval() is overridden, yet all of its work is that of train(False)."""

    def eval(self):  # ok: TL108
        return self.train(mode=False)


class Vocoder(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.first, self.second = layer(2), layer(2)

    def forward(self, x):
        return self.second(self.first(x).relu())


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(1, 2, 9)
    whole = Vocoder(FusedByEval).eval()
    assert not whole.first.fused, "the parent went through train(False)"
    src, dst = FusedByEval(2), FusedByEval(2)
    want = src(x)
    dst.eval()
    dst.load_state_dict(src.state_dict())
    assert not torch.allclose(dst(x), want, atol=1e-5)
    dst.train()
    assert not torch.allclose(dst.weight, src.weight), "the kernel is divided by a gain that it was never multiplied with"
    safe = FusedOnExport(2)
    assert torch.allclose(safe.eval().exported()(x), safe(x), atol=1e-5)
    safe.load_state_dict(src.state_dict())
    assert torch.allclose(safe(x), want, atol=1e-5)
    assert not Delegating(2).eval().training
