"""Transformer stack: a property of the base class draws the causal mask from the length seen last; attention gets it by keyword.

source: wingedsheep/transformer#4, huggingface/transformers#44782 kind (masks built without the input's device)
rules: [TL204]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Causal(nn.Module):
    length = 0

    @property
    def options(self):
        blocked = torch.full((self.length, self.length), float("-inf")).triu(1)  # expect: TL204
        return {"attn_mask": blocked, "dropout_p": 0.0}


class Layer(Causal):
    def __init__(self, dim=8, heads=2):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x):
        self.length = x.size(1)
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, **self.options)
        return self.out(y.transpose(1, 2).flatten(2))


class FlagLayer(Layer):
    """No tensor at all."""

    @property
    def options(self):
        return {"is_causal": True}


class WeightLayer(Layer):
    @property
    def options(self):
        blocked = self.out.weight.new_full((self.length, self.length), float("-inf")).triu(1)  # ok: TL204
        return {"attn_mask": blocked}


class FilledLayer(Layer):
    """The CPU triangle is only copied into a mask that lives on the right device."""

    @property
    def options(self):
        n = self.length
        mask = torch.empty(n, n, dtype=torch.bool, device=self.out.weight.device)
        mask.copy_(torch.ones(n, n).tril().bool())  # ok: TL204
        return {"attn_mask": mask}


class Stack(nn.Module):
    def __init__(self, kind, depth=2):
        super().__init__()
        self.layers = nn.Sequential(*(kind() for _ in range(depth)))

    def forward(self, x):
        return self.layers(x)


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(2, 5, 8)
    plain = Stack(Layer)
    for kind in (FlagLayer, WeightLayer, FilledLayer):
        other = Stack(kind)
        other.load_state_dict(plain.state_dict())
        assert torch.allclose(other(x), plain(x), atol=1e-5), kind
        assert other.to("meta")(x.to("meta")).device.type == "meta"
    try:
        plain.to("meta")(x.to("meta"))
        raise AssertionError("a mask of the CPU was added")
    except RuntimeError as err:
        assert "is not on the expected device" in str(err), err
