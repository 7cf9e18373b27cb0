"""An attention layer widens queries, keys and values before the fused call; autocast takes all three back to bf16.

source: huggingface/diffusers#13920 kind (a cast before an op of the low precision list), attention processors with an "upcast" branch
rules: [TL401, TL403]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Attend(nn.Module):
    def __init__(self, dim: int = 8, heads: int = 2):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def split(self, x):
        b, t, d = x.shape
        return self.qkv(x).view(b, t, 3, self.heads, -1).permute(2, 0, 3, 1, 4).unbind(0)

    def mix(self, q, k, v):
        raise NotImplementedError

    def forward(self, x):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            y = self.mix(*self.split(x))
            self.kind = y.dtype
            return self.out(y.transpose(1, 2).flatten(2))


class FusedAttend(Attend):
    """The method is called inside the region of forward."""

    def mix(self, q, k, v):
        return F.scaled_dot_product_attention(q.float(), k.float(), v.float())  # expect: TL403


class WideAttend(Attend):
    """The same, all in one place."""

    def forward(self, x):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            q, k, v = self.split(x)
            q, k = q.float(), k.float()  # expect: TL401
            y = F.scaled_dot_product_attention(q, k, v.float())  # expect: TL401
            self.kind = y.dtype
            return self.out(y.transpose(1, 2).flatten(2))


class BiasAttend(Attend):
    """The bias is a product of coordinates, upcast to no effect; the softmax is really float32."""

    def forward(self, x):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            q, k, v = self.split(x)
            place = torch.linspace(0, 1, x.shape[1], device=x.device)
            bias = torch.addmm(torch.zeros_like(place[:, None]), q[0, 0].float(), k[0, 0, :1].float().t())  # expect: TL401
            self.kind = bias.dtype
            scores = (q @ k.mT).float() * q.shape[-1] ** -0.5 + bias.t()  # ok: TL401
            y = scores.softmax(-1).to(v.dtype) @ v  # ok: TL401
            return self.out(y.transpose(1, 2).flatten(2))


class IslandAttend(Attend):
    def forward(self, x):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            q, k, v = self.split(x)
            with torch.autocast(KIND, enabled=False):
                y = F.scaled_dot_product_attention(q.float(), k.float(), v.float())  # ok: TL401
            self.kind = y.dtype
            return self.out(y.transpose(1, 2).flatten(2))


class ScoresAttend(Attend):
    """Widens the scores after their product: arithmetic and softmax keep float32."""

    def forward(self, x):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            q, k, v = self.split(x)
            scores = (q @ k.mT).float()  # ok: TL401
            scores = scores * q.shape[-1] ** -0.5
            self.kind = scores.dtype
            return self.out((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


def demonstrate():
    x = torch.randn(1, 4, 8, device=KIND)
    for cls, kept in ((FusedAttend, False), (WideAttend, False), (BiasAttend, False), (IslandAttend, True), (ScoresAttend, True)):
        layer = cls().to(KIND)
        assert layer(x).shape == x.shape
        assert (layer.kind is torch.float32) is kept, cls
