"""device=None asks for the default device, as leaving it out does."""

import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.embed = nn.Linear(1, width)

    def forward(self, x):
        places = torch.arange(x.shape[1], device=None).float()  # expect: TL204
        return self.embed(x) + places[:, None]


class PositionsOfInput(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.embed = nn.Linear(1, width)

    def forward(self, x, device=None):
        device = x.device if device is None else device
        places = torch.arange(x.shape[1], device=device).float()  # ok: TL204
        return self.embed(x) + places[:, None]


def demo():
    x = torch.zeros(2, 3, 1, device="meta")
    assert PositionsOfInput().to("meta")(x).device.type == "meta"
    try:
        Positions().to("meta")(x)
        raise AssertionError("the devices were mixed")
    except RuntimeError as error:
        assert "device" in str(error)
