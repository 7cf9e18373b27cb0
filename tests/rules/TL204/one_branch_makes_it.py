"""Of two branches one makes the tensor on the CPU: it is met on that branch."""

import torch
from torch import nn


class Dropped(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.linear = nn.Linear(dim, dim)

    def forward(self, x):
        out = self.linear(x)
        if self.training and torch.rand(()) < 2:
            extra = torch.zeros(x.shape[0], 4)  # expect: TL204
        else:
            extra = out
        return torch.cat([x, extra], 1)

    def scaled(self, x, weight):
        if weight is None:
            weight = torch.ones(4)  # expect: TL204
        else:
            weight = weight.to(x.device)
        return self.linear(x) * weight

    def moved_after(self, x, weight):
        if weight is None:
            weight = torch.ones(4)  # ok: TL204
        else:
            weight = weight * 2
        return self.linear(x) * weight.to(x.device)

    def by_device(self, x):
        if x.device.type == "cpu":
            weight = torch.ones(4)  # ok: TL204  the test asks for the device
        else:
            weight = x.new_ones(4)
        return self.linear(x) * weight


def demonstrate():
    x, module = torch.zeros(2, 4, device="meta"), Dropped().to("meta")
    for call in (lambda: module(x), lambda: module.scaled(x, None)):
        try:
            call()
            raise AssertionError("the meta device takes a tensor of the CPU")
        except RuntimeError as error:
            assert "device" in str(error)
    module.moved_after(x, None), module.by_device(x)
