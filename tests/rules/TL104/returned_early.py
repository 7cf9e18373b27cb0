"""The kept value is returned early inside another test, and stored under that test again: it is kept by its presence."""
import torch
from torch import nn


class Grouped(nn.Module):
    def __init__(self, width, parts):
        super().__init__()
        self.groups = {}
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(parts))

    def weights(self, start, end, device, dtype):
        key = (start, end, device, dtype)
        keeps = not self.training
        if keeps:
            kept = self.groups.get(key)
            if kept is not None:
                return kept
        layers = [self.layers[index] for index in range(start, end)]
        weight = torch.stack([layer.weight.to(device=device, dtype=dtype) for layer in layers])
        kept = (weight, torch.stack([layer.bias for layer in layers]))
        if keeps:
            self.groups[key] = kept  # expect: TL104
        return kept

    def forward(self, x):
        weight, bias = self.weights(0, len(self.layers), x.device, x.dtype)
        return torch.einsum("bi,poi->bo", x, weight) + bias.sum(0)


class Fresh(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.last = None
        self.layer = nn.Linear(width, width)

    def weights(self, x):
        if not self.training:
            if x.numel() == 0:
                return x
        weight = self.layer.weight.to(x.dtype)
        if not self.training:
            self.last = weight  # ok: TL104  nothing keeps it: each call makes it anew  # note: TL102
        return weight

    def forward(self, x):
        return x @ self.weights(x)


def demonstrate():
    module, x = Grouped(3, 2).eval(), torch.ones(1, 3)
    before = module(x)
    module.load_state_dict({name: value + 1 for name, value in module.state_dict().items()})
    assert torch.equal(module(x), before)
    fresh = Fresh(3).eval()
    before = fresh(x)
    fresh.load_state_dict({name: value + 1 for name, value in fresh.state_dict().items()})
    assert not torch.equal(fresh(x), before)
