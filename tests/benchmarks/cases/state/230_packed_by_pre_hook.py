"""A forward pre-hook packs the kernel the first time a layer runs in eval mode; train() knows only one way to unpack.

source: spectral/weight-norm hooks with an eval cache; cornellius-gp/gpytorch#1311 (train and load must both clear)
rules: [TL103]
"""
import torch
from torch import nn
from torch.nn import functional as F


def pack(layer: nn.Module, args) -> None:
    if not layer.training and layer.packed is None:
        with torch.no_grad():
            layer.packed = layer.effective()  # use: TL103, TL104, TL102


class Centred(nn.Module):
    """Kernel with zero mean and unit norm per row."""

    def __init__(self, n_in: int, n_out: int):
        super().__init__()
        self.raw = nn.Parameter(torch.randn(n_out, n_in))
        self.packed = None
        self.register_forward_pre_hook(pack)

    def effective(self) -> torch.Tensor:
        w = self.raw - self.raw.mean(1, keepdim=True)
        return w / w.norm(dim=1, keepdim=True)

    def unpack(self):
        self.packed = None

    def forward(self, x):
        return F.linear(x, self.effective() if self.packed is None else self.packed)


class UnpackedByTrain(Centred):
    def train(self, mode: bool = True):  # expect: TL103
        if mode:
            self.unpack()
        return super().train(mode)


class UnpackedByEverything(Centred):
    def __init__(self, n_in, n_out):
        super().__init__(n_in, n_out)
        self.register_load_state_dict_pre_hook(lambda module, *_: module.unpack())

    def _apply(self, fn, recurse=True):
        self.unpack()
        return super()._apply(fn, recurse)

    def train(self, mode: bool = True):  # ok: TL103, TL108
        self.unpack()
        return super().train(mode)


class NeverPacked(nn.Module):
    """A hook on the same occasion that leaves nothing behind but a count."""

    def __init__(self, n_in: int, n_out: int):
        super().__init__()
        self.raw = nn.Parameter(torch.randn(n_out, n_in))
        self.calls = 0  # ok: TL122
        self.register_forward_pre_hook(lambda module, args: setattr(module, "calls", module.calls + 1))

    effective = Centred.effective

    def train(self, mode: bool = True):  # ok: TL103
        self.calls = 0
        return super().train(mode)

    def forward(self, x):
        return F.linear(x, self.effective())


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(2, 4)
    for cls, faithful in ((UnpackedByTrain, False), (UnpackedByEverything, True), (NeverPacked, True)):
        old, new = nn.Sequential(cls(4, 3)).eval(), nn.Sequential(cls(4, 3)).eval()
        old(x)
        old.load_state_dict(new.state_dict())
        assert torch.allclose(old(x), new(x)) is faithful, cls
        new.half()
        try:
            ok = new(x.half()).dtype == torch.float16
        except RuntimeError:
            ok = False
        assert ok is faithful, cls
