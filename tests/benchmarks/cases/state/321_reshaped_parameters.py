"""Layer scales and positions are put into shape (or on a device) after they were made Parameters, and are lost to the optimizer.

source: pytorch/pytorch#9303, #17484 and #20089 (assigning the result of an operation on a Parameter), layer-scale code of vision models
rules: [TL114]
"""
import torch
from torch import nn


def trunc(*shape: int, std: float = 0.02) -> nn.Parameter:
    return nn.init.trunc_normal_(nn.Parameter(torch.empty(*shape)), std=std)


class ScaledBlock(nn.Module):
    def __init__(self, dim: int = 4, init: float | None = 0.1, dtype: torch.dtype | None = None):
        super().__init__()
        self.conv = nn.Conv2d(dim, dim, 3, padding=1, groups=dim, dtype=dtype)
        if init is None:
            self.gamma = None
        else:
            self.gamma = nn.Parameter(torch.ones(dim)) * init  # expect: TL114
        self.pos = trunc(1, dim, 1, 1)  # ok: TL114

    def forward(self, x):
        y = self.conv(x + self.pos)
        return x + (y if self.gamma is None else self.gamma.view(1, -1, 1, 1) * y)


class FilledBlock(ScaledBlock):
    def __init__(self, dim: int = 4, init: float | None = 0.1, dtype: torch.dtype | None = None):
        super().__init__(dim, None, dtype)
        self.gamma = nn.Parameter(torch.full((dim,), init), requires_grad=True)  # ok: TL114, TL107
        self.temp = nn.Parameter(torch.ones(()), requires_grad=False).requires_grad_()  # ok: TL114


class PlacedQueries(nn.Module):
    def __init__(self, count: int = 3, dim: int = 4, device: str | None = None):
        super().__init__()
        queries = nn.Parameter(torch.randn(count, dim))
        if device is not None:
            queries = queries.to(device)
        self.queries = queries  # expect: TL114
        self.keys = nn.Parameter(torch.randn(count, dim, device=device))  # ok: TL114
        self.frozen = nn.Parameter(torch.randn(count, dim)).data.to(torch.float64)  # expect: TL114

    def forward(self, x):
        return (x @ (self.queries + self.keys).mT).sum() + self.frozen.to(x.dtype).sum()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    names = dict(ScaledBlock().named_parameters())
    assert "gamma" not in names and "pos" in names
    assert {"gamma", "temp", "pos"} <= set(dict(FilledBlock().named_parameters()))
    assert FilledBlock()(torch.randn(1, 4, 5, 5)).shape == (1, 4, 5, 5)
    assert set(dict(PlacedQueries().named_parameters())) == {"queries", "keys"}, "nothing happened yet"
    assert set(dict(PlacedQueries(device="meta").named_parameters())) == {"keys"}
