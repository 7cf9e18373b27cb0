"""A module runs layers that it was given as a list: what they return lies where they do."""

import torch
from torch import nn


class Flows(nn.Module):
    def __init__(self, flows):
        super().__init__()
        self.flows = nn.ModuleList(flows)

    def forward(self, x):
        total = torch.zeros(x.size(0))  # expect: TL204
        for flow in self.flows:
            x, part = flow.forward(x)
            total += part
        return x, total

    def called(self, x):
        total = torch.zeros(x.size(0))  # expect: TL204
        for flow in self.flows:
            x, part = flow(x)
            total = total + part
        return x, total

    def there(self, x):
        total = x.new_zeros(x.size(0))  # ok: TL204
        for flow in self.flows:
            x, part = flow.forward(x)
            total += part
        return x, total

    def counted(self, x):
        sizes = torch.zeros(1)  # ok: TL204  numbers
        for flow in self.flows:
            sizes += len(flow.forward(x))
        return sizes


class Shift(nn.Module):
    def __init__(self):
        super().__init__()
        self.shift = nn.Parameter(torch.zeros(4))

    def forward(self, x):
        return x + self.shift, (x + self.shift).sum(-1)


def demonstrate():
    there = "cuda" if torch.cuda.is_available() else "meta"
    flows, x = Flows([Shift(), Shift()]).to(there), torch.zeros(2, 4, device=there)
    assert flows.there(x)[1].shape == (2,) and flows.counted(x) == 4
    # The meta device is added to a tensor of the CPU in place, and nothing happens.
    refused = [lambda: flows.called(x)] + ([lambda: flows(x)] if there == "cuda" else [])
    for call in refused:
        try:
            call()
            raise AssertionError("tensors of two devices were combined")
        except RuntimeError as error:
            assert "device" in str(error)
