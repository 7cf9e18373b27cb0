"""A squashing head turns its bounds into tensors with the legacy constructor and a device= keyword, which that constructor refuses.

source: soft actor-critic re-implementations ("legacy constructor expects device type: cpu but device type: cuda was passed")
rules: [TL202]
"""
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, obs, bounds):
        super().__init__()
        self.net, self.bounds = nn.Linear(obs, len(bounds)), bounds

    def edges(self, x):
        low, high = zip(*self.bounds)
        low = torch.Tensor(low, device=x.device)  # expect: TL202
        high = torch.FloatTensor(high, device=x.device)  # expect: TL202
        return low, high

    def forward(self, obs):
        out = torch.tanh(self.net(obs))
        low, high = self.edges(out)
        return low + (high - low) * (out + 1) / 2


class HeadModern(Head):
    def edges(self, x):
        low, high = zip(*self.bounds)
        return torch.tensor(low, device=x.device), torch.tensor(high, device=x.device)  # ok: TL202


class HeadOfNew(Head):
    def edges(self, x):
        return x.new_tensor([lo for lo, _ in self.bounds]), x.new_tensor([hi for _, hi in self.bounds])  # ok: TL202


class HeadFilled(Head):
    """The memory is written before anybody reads it, once, at construction."""

    def __init__(self, obs, bounds):
        super().__init__(obs, bounds)
        both = torch.FloatTensor(2, len(bounds))  # ok: TL202
        for i, pair in enumerate(bounds):
            both[0, i], both[1, i] = pair
        self.register_buffer("both", both)

    def edges(self, x):
        return self.both.unbind(0)


def is_plain(value):
    return isinstance(value, torch.Tensor) and value.type() == "torch.FloatTensor"  # ok: TL202


def demonstrate():
    bounds = [(-1.0, 1.0), (0.0, 3.0)]
    assert Head(3, bounds)(torch.randn(2, 3)).shape == (2, 2)  # on the CPU it works
    with torch.device("meta"):
        moved, x = Head(3, bounds), torch.randn(2, 3)
    filled = HeadFilled(3, bounds).to("meta")
    try:
        moved(x)
        raise AssertionError("the legacy constructor took a device")
    except RuntimeError as err:
        assert "legacy constructor" in str(err)
    for cls in (HeadModern, HeadOfNew):
        assert cls(3, bounds).to("meta")(x).device.type == "meta"
    assert filled(x).shape == (2, 2) and is_plain(torch.zeros(1))
