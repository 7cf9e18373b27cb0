"""Linear attention biases: the slopes are a list of numbers that a property turns into a tensor, two calls below forward.

source: SamLynnEvans/Transformer#27 (mask built on the CPU in a helper); ALiBi re-implementations
rules: [TL204]
"""
import torch
from torch import nn


class BiasMixin:
    heads: int

    @property
    def slopes(self):
        return torch.tensor([2.0 ** -(i + 1) for i in range(self.heads)])  # expect: TL204

    def distance(self, n, where):
        at = torch.arange(n, device=where)
        return (at[None] - at[:, None]).clamp(max=0)

    def bias(self, scores):
        return self.slopes[:, None, None] * self.distance(scores.size(-1), scores.device)

    def hide_future(self, scores):
        n = scores.size(-1)
        late = torch.ones(n, n, dtype=torch.bool).triu(1)  # expect: TL204
        return scores.masked_fill(late, float("-inf"))


class FollowingMixin(BiasMixin):
    def bias(self, scores):
        slopes = self.slopes.to(scores)
        return slopes[:, None, None] * self.distance(scores.size(-1), scores.device)

    def hide_future(self, scores):
        late = torch.ones_like(scores, dtype=torch.bool).triu(1)  # ok: TL204
        floor = torch.tensor(float("-inf"))  # ok: TL204
        return torch.where(late, floor, scores)


class Attention(nn.Module):
    def __init__(self, dim=8, heads=2):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-1, -2)
        scores = self.hide_future(scores + self.bias(scores))
        return (scores.softmax(-1) @ v).transpose(1, 2).reshape(b, n, d)


class Decoder(BiasMixin, Attention):
    pass


class FollowingDecoder(FollowingMixin, Attention):
    pass


def demonstrate():
    assert Decoder()(torch.randn(1, 3, 8)).shape == (1, 3, 8)
    bad, good = Decoder().to("meta"), FollowingDecoder().to("meta")
    x, scores = torch.randn(1, 3, 8, device="meta"), torch.randn(1, 2, 3, 3, device="meta")
    for call in (lambda: bad(x), lambda: bad.bias(scores), lambda: bad.hide_future(scores)):
        try:
            call()
            raise AssertionError("devices were mixed")
        except RuntimeError as err:
            assert "device" in str(err)
    assert good(x).device.type == "meta"
