"""A plain attribute that lists layers of the module is no setting: their weights change with every load."""
import torch
from torch import nn


class Grouped(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Sequential(nn.Linear(dim, dim), nn.Tanh()) for _ in range(3)])
        self._found = None
        self._groups = {}
        self._widths = {}

    def _linears(self):
        if self._found is None:
            self._found = tuple(self._parts_of(block) for block in self.blocks)
        return self._found

    def _parts_of(self, block):
        found = []
        for part in block:
            if isinstance(part, nn.Linear):
                found.append(("linear", part))
            else:
                found.append(("other", None))
        return tuple(found)

    def _weights(self, index, device, dtype):
        key = (index, device, dtype)
        cached = self._groups.get(key)
        if cached is not None:
            return cached
        listed = self._linears()
        linears = [listed[position][index][1] for position in range(3)]
        cached = (torch.stack([one.weight.to(device, dtype) for one in linears]), linears[0].bias)
        self._groups[key] = cached  # expect: TL104
        return cached

    def _sizes(self, index, device, dtype):
        key = (index, device, dtype)
        cached = self._widths.get(key)
        if cached is None:
            listed = self._linears()
            cached = torch.tensor([listed[position][index][1].out_features for position in range(3)]).to(device, dtype)
            self._widths[key] = cached  # ok: TL104  sizes of layers stay
        return cached

    def forward(self, x):
        weight, bias = self._weights(0, x.device, x.dtype)
        return x @ weight.sum(0) + bias + self._sizes(0, x.device, x.dtype).sum()


def demonstrate():
    x = torch.ones(2, 4)
    module, other = Grouped(), Grouped()
    module(x)
    module.load_state_dict(other.state_dict())
    assert not torch.equal(module(x), other(x))
