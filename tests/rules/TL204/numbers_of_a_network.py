"""A number that is read from a network is passed beside a tensor of the CPU: nothing in the helper is elsewhere."""
import torch
from torch import nn


def ramp(places: torch.Tensor, width: int):
    rates = torch.arange(width).float()  # ok: TL204  its caller gives a tensor of the CPU and a number
    return places[:, None] * rates / width


def slope(places: torch.Tensor, width: int):
    rates = torch.arange(width).float()  # expect: TL204
    return places[:, None] * rates / width


class Guided(nn.Module):
    def __init__(self, width: int = 4):
        super().__init__()
        self.width = width

    def forward(self, x, unet):
        unet.to(x.device)
        here = ramp(torch.ones(2), unet.config.width).to(x.device)
        there = slope(x.mean(-1), unet.config.width)
        more = ramp(torch.ones(2), unet.in_features).to(x)
        return unet(x) + here + there + more


def demonstrate():
    with torch.device("cuda" if torch.cuda.is_available() else "meta") as there:
        x, unet = torch.ones(2, 4), nn.Linear(4, 4)
    unet.config = Guided(4)
    assert (unet(x) + ramp(torch.ones(2), 4).to(there)).shape == (2, 4)
    try:
        Guided()(x, unet)
        raise AssertionError("tensors of two devices were combined")
    except RuntimeError as error:
        assert "device" in str(error)
