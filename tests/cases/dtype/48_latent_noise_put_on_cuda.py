"""A variational model draws its noise in a helper that asks the machine, not the input, where to put it.

source: research VAEs with torch.cuda.is_available() inside the noise helper; own construction
rules: [TL207]
"""
import torch
from torch import nn


def draw(shape):
    eps = torch.randn(*shape)
    if torch.cuda.is_available():
        eps = eps.cuda()  # expect: TL207
    return eps


def draw_like(mean):
    return torch.randn_like(mean)  # ok: TL207


def draw_where(mean):
    eps = torch.randn(mean.shape, generator=torch.Generator().manual_seed(0))
    return eps.cuda(mean.get_device()) if mean.device.type == "cuda" else eps.to(mean.device)  # ok: TL207


class Bottleneck(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.mean, self.spread = nn.Linear(dim, dim), nn.Linear(dim, dim)

    def noise(self, mean):
        return draw(mean.shape)

    def forward(self, x):
        mean, spread = self.mean(x), self.spread(x).mul(0.5).exp()
        return mean + spread * self.noise(mean)


class BottleneckLike(Bottleneck):
    def noise(self, mean):
        return draw_like(mean)


class BottleneckWhere(Bottleneck):
    def noise(self, mean):
        return draw_where(mean)


# ---- demonstration ----
def demonstrate():
    x = torch.randn(2, 4, device="meta")  # neither the CPU nor cuda
    try:
        Bottleneck().to("meta")(x)
        raise AssertionError("the noise followed the input")
    except RuntimeError as err:
        assert "device" in str(err), err
    for cls in (BottleneckLike, BottleneckWhere):
        assert cls().to("meta")(x).device.type == "meta"
        assert cls()(torch.randn(2, 4)).shape == (2, 4)
