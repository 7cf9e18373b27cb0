"""Every layer turns the 0/1 mask into an additive one in 'its float version'; from the second layer on it reads what the first wrote.

source: Shujun-He/RibonanzaNet#7 (the mask changes after the first layer)
rules: [TL308]
"""
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.qk, self.v = nn.Linear(dim, 2 * dim), nn.Linear(dim, dim)

    def additive(self, mask):
        bias = mask.float()
        bias[bias == 0] = -1e4  # expect: TL308
        bias[bias == 1] = 0.0  # use: TL308
        return bias

    def forward(self, x, mask):
        q, k = self.qk(x).chunk(2, -1)
        scores = q @ k.transpose(1, 2) + self.additive(mask)[:, None]
        return x + scores.softmax(-1) @ self.v(x)


class LayerCopies(Layer):
    def additive(self, mask):
        bias = mask.float().clone()
        bias[bias == 0] = -1e4  # ok: TL308
        bias[bias == 1] = 0.0  # ok: TL308
        return bias


class LayerComputes(Layer):
    def additive(self, mask):
        return (1.0 - mask.to(torch.float32)) * -1e4  # ok: TL308


class LayerZeros(Layer):
    def additive(self, mask):
        bias = torch.zeros_like(mask, dtype=torch.float32)
        bias[mask == 0] = -1e4  # ok: TL308
        return bias


class Stack(nn.Module):
    def __init__(self, layer, depth=2):
        super().__init__()
        self.layers = nn.ModuleList(layer() for _ in range(depth))

    def forward(self, x, mask):
        for layer in self.layers:
            x = layer(x, mask)
        return x


def demonstrate():
    torch.manual_seed(0)
    x, mask = torch.randn(1, 3, 4), torch.tensor([[1.0, 1.0, 0.0]])
    bad = Stack(Layer)
    want = None
    for cls in (LayerCopies, LayerComputes, LayerZeros):
        good = Stack(cls)
        good.load_state_dict(bad.state_dict())
        given = mask.clone()
        out = good(x, given)
        assert torch.equal(given, mask)
        want = out if want is None else want
        assert torch.allclose(out, want)
    given = mask.clone()
    assert not torch.allclose(bad(x, given), want) and not torch.equal(given, mask)
    assert torch.allclose(bad(x, mask.long()), want)  # an integer mask hides the fault
