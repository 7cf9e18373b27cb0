"""A dict that is written out and kept holds tensors also where it holds its key and numbers beside them."""
import torch
from torch import nn


class Packed(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.layers = nn.ModuleList([nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim)) for _ in range(3)])
        self._packed = {}
        self._sizes = {}

    def forward(self, x):
        weight, bias, eps = self._parts("layers", self.layers, 2)
        return (x @ weight.sum(0) + bias.sum(0) + eps) / self._size("layers", self.layers)

    def _parts(self, name, layers, count):
        key = (name, count, layers[0][1].weight.device, layers[0][1].weight.dtype)
        cached = self._packed.get(name)
        if cached is not None and cached["key"] == key:
            return cached["weight"], cached["bias"], cached["eps"]
        layers = list(layers[:count])
        cached = {
            "key": key,
            "weight": torch.stack([layer[1].weight.detach() for layer in layers]),
            "bias": torch.stack([layer[1].bias.detach() for layer in layers]),
            "eps": layers[0][0].eps,
        }
        self._packed[name] = cached  # expect: TL104
        return cached["weight"], cached["bias"], cached["eps"]

    def _size(self, name, layers):
        cached = self._sizes.get(name)
        if cached is None:
            cached = {"name": name, "size": layers[0][1].out_features}
            self._sizes[name] = cached  # ok: TL104  numbers only
        return cached["size"]


class PackedByVersion(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.layer = nn.Linear(dim, dim)
        self._packed = {}

    def forward(self, x):
        weight = self.layer.weight
        key = (weight._version, weight.device, weight.dtype)
        cached = self._packed.get("layer")
        if cached is None or cached["key"] != key:
            cached = {"key": key, "weight": weight.detach() * 2}
            self._packed["layer"] = cached  # ok: TL104  the version counts what is written into the weight
        return x @ cached["weight"]


def demonstrate():
    x = torch.ones(2, 4)
    for kind, is_renewed in ((Packed, False), (PackedByVersion, True)):
        module, other = kind(), kind()
        module(x)
        module.load_state_dict(other.state_dict())
        assert torch.equal(module(x), other(x)) is is_renewed
