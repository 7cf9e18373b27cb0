"""A steerable convolution expands its filter when evaluation starts; weights that are loaded later do not reach the filter.

source: scheme of steerable CNN libraries (filter buffer made in train(False)), mj-will/nessai#167 (cache survives a reload)
rules: [TL103]
"""
import torch
import torch.nn.functional as F
from torch import nn


def derivative_basis(width: int, order: int) -> torch.Tensor:
    t = torch.linspace(-2, 2, width)
    g = torch.exp(-t * t / 2)
    return torch.stack([g * t**k for k in range(order)])


class SteerableConv(nn.Module):
    """filter = coefficients @ fixed basis"""

    def __init__(self, c_in: int = 2, c_out: int = 3, width: int = 5, order: int = 3):
        super().__init__()
        self.width = width
        self.register_buffer("basis", derivative_basis(width, order), persistent=False)
        self.coef = nn.Parameter(torch.randn(c_out, c_in, order) / order)

    def expand(self) -> torch.Tensor:
        return torch.einsum("oik,kw->oiw", self.coef, self.basis)

    def kernel(self) -> torch.Tensor:
        return self.expand()

    def forward(self, x):
        return F.conv1d(x, self.kernel(), padding=self.width // 2)


class ExpandedOnEval(SteerableConv):
    def train(self, mode: bool = True):
        super().train(mode)
        if mode:
            if hasattr(self, "filter"):
                del self.filter
        else:
            self.register_buffer("filter", self.expand().detach(), persistent=False)  # expect: TL103
        return self

    def kernel(self):
        return self.expand() if self.training else self.filter


class ReexpandedOnLoad(SteerableConv):
    """Same speed in eval mode. The filter is a buffer (moves and casts with the module) and a load makes it anew."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.register_buffer("filter", None, persistent=False)
        self.register_load_state_dict_post_hook(lambda module, keys: module.refresh())

    @torch.no_grad()
    def refresh(self) -> None:
        self.filter = None if self.training else self.expand()  # ok: TL103, TL101

    def train(self, mode: bool = True):  # ok: TL103, TL108
        super().train(mode)
        self.refresh()
        return self

    def kernel(self):
        return self.expand() if self.training else self.filter


class PaddedInTraining(SteerableConv):
    """train() leaves a number and a string behind; neither comes from a weight."""

    def train(self, mode: bool = True):
        super().train(mode)
        self.pad_mode = "reflect" if mode else "constant"  # ok: TL103
        self.pad = self.expand().shape[-1] // 2  # ok: TL103
        return self

    def forward(self, x):
        pad = getattr(self, "pad", self.width // 2)
        return F.conv1d(F.pad(x, (pad, pad), mode=getattr(self, "pad_mode", "constant")), self.kernel())


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(1, 2, 12)
    torch.manual_seed(3)
    source = SteerableConv()
    want = source(x)
    sd = {k: v.clone() for k, v in source.state_dict().items()}
    for cls, right in ((ExpandedOnEval, False), (ReexpandedOnLoad, True), (PaddedInTraining, True)):
        layer = cls().eval()
        layer.load_state_dict(sd)
        assert torch.allclose(layer(x), want, atol=1e-6) is right, cls
        layer.train()
        layer.eval()
        assert torch.allclose(layer(x), want, atol=1e-6), cls
        assert layer.double()(x.double()).dtype == torch.float64
