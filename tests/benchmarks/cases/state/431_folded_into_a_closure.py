"""When serving starts, a stem folds its normalisation into the kernel and keeps the result inside a function on the object.

source: inference-time folding of convolution and normalisation; kind of microsoft/LoRA#190; rebuilt from scratch
rules: [TL103]
"""
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn


class Stem(nn.Module):
    def __init__(self, cin: int = 3, cout: int = 4):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(cout)
        self.run = self.slow

    def slow(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(self.conv(x))

    @torch.no_grad()
    def folded(self) -> tuple[torch.Tensor, torch.Tensor]:
        s = self.norm.weight * (self.norm.running_var + self.norm.eps).rsqrt()
        return self.conv.weight * s.view(-1, 1, 1, 1), self.norm.bias - self.norm.running_mean * s

    def forward(self, x):
        return F.relu(self.run(x))


class ClosureStem(Stem):
    def _fast(self):
        k, b = self.folded()

        def go(x: torch.Tensor) -> torch.Tensor:
            return F.conv2d(x, k, b, padding=1)

        return go

    def train(self, mode: bool = True):
        super().train(mode)
        self.run = self.slow if mode else self._fast()  # expect: TL103
        return self


class PartialStem(Stem):
    def train(self, mode: bool = True):
        super().train(mode)
        if mode:
            self.run = self.slow
        else:
            k, b = self.folded()
            self.run = partial(F.conv2d, weight=k, bias=b, padding=1)  # expect: TL103
        return self


class LateStem(Stem):
    """The function that is kept folds when it is called; it holds no tensor."""

    def train(self, mode: bool = True):
        super().train(mode)
        self.run = self.slow if mode else self.quick  # ok: TL103
        return self

    def quick(self, x: torch.Tensor) -> torch.Tensor:
        k, b = self.folded()
        return F.conv2d(x, k, b, padding=1)


class RefoldingStem(ClosureStem):
    """Every event leads through the same method."""

    def __init__(self, cin: int = 3, cout: int = 4):
        super().__init__(cin, cout)
        self.register_load_state_dict_post_hook(RefoldingStem._after_load)

    @staticmethod
    def _after_load(mod: "RefoldingStem", keys) -> None:
        mod.train(mod.training)

    def train(self, mode: bool = True):
        nn.Module.train(self, mode)
        self.run = self.slow if mode else self._fast()  # ok: TL103
        return self

    def _apply(self, fn, recurse=True):
        return super()._apply(fn, recurse).train(self.training)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(2, 3, 5, 5)
    donor = Stem()
    donor(x)
    donor.eval()
    for cls, right in ((ClosureStem, False), (PartialStem, False), (LateStem, True), (RefoldingStem, True)):
        m = cls().eval()
        m.load_state_dict(donor.state_dict())
        assert torch.allclose(m(x), donor(x), atol=1e-4) is right, cls
        try:
            ok = m.double()(x.double()).dtype == torch.float64
        except RuntimeError as exc:
            assert "type" in str(exc), exc
            ok = False
        assert ok is right, cls
