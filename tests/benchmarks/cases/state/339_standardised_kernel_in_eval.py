"""Weight-standardised layers keep the standardised kernel from the first evaluation batch on; train() is the only event that drops it.

source: weight-standardised residual nets with an inference shortcut, vllm-project/vllm#57638 and cornellius-gp/gpytorch#1311 (what must clear)
rules: [TL103]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Standard(nn.Linear):
    eps = 1e-5

    def standardised(self) -> torch.Tensor:
        w = self.weight
        return (w - w.mean(1, keepdim=True)) / (w.var(1, unbiased=False, keepdim=True) + self.eps).sqrt()

    def kernel(self) -> torch.Tensor:
        return self.standardised()

    def forward(self, x):
        return F.linear(x, self.kernel(), self.bias)


class ShortcutStandard(Standard):
    _slot: dict

    def __init__(self, n_in: int, n_out: int):
        super().__init__(n_in, n_out)
        self._slot = {}  # ok: TL105

    def kernel(self):
        if self.training:
            return self.standardised()
        if "w" not in self._slot:
            self._slot["w"] = self.standardised().detach()  # use: TL104, TL102
        return self._slot["w"]

    def train(self, mode: bool = True):  # expect: TL103
        if mode:
            self._slot.clear()
        return super().train(mode)


class AttentiveStandard(ShortcutStandard):
    """Every event that changes the weight without train() is covered as well."""

    def __init__(self, n_in: int, n_out: int):
        super().__init__(n_in, n_out)
        self.register_load_state_dict_post_hook(lambda module, keys: module._slot.clear())

    def _apply(self, fn, recurse=True):
        self._slot.clear()
        return super()._apply(fn, recurse)

    def train(self, mode: bool = True):  # ok: TL103, TL108
        self._slot.clear()
        return super().train(mode)


class CountedStandard(Standard):
    """What eval mode keeps is a count."""

    seen = 0

    def kernel(self):
        if not self.training:
            self.seen = self.seen + 1  # ok: TL103, TL122
        return self.standardised()

    def train(self, mode: bool = True):  # ok: TL103
        self.seen = 0
        return super().train(mode)


def net(layer: type[Standard]) -> nn.Module:
    return nn.Sequential(layer(4, 4), nn.ReLU(), layer(4, 2))


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(3, 4)
    for layer, right in ((ShortcutStandard, False), (AttentiveStandard, True), (CountedStandard, True)):
        served, trained = net(layer).eval(), net(layer)
        served(x)
        served.load_state_dict(trained.state_dict())
        assert torch.allclose(served(x), trained(x), atol=1e-5) is right, layer
        try:
            ok = served.double()(x.double()).dtype == torch.float64
        except RuntimeError:
            ok = False
        assert ok is right, layer
