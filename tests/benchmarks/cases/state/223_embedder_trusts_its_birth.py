"""A timestep embedder takes device and dtype from its weights once, in the constructor; the loader casts the model later.

source: Lightning-AI/pytorch-lightning#1790 (a stored device goes stale), pytorch/rl#4224, diffusers-like unets in small repositories
rules: [TL119]
"""
import math

import torch
from torch import nn


class StepEmbedding(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.half_dim = dim // 2
        self.mlp = nn.Linear(dim, dim)

    def waves(self, t, **kw):
        freq = torch.exp(torch.arange(self.half_dim, **kw) * (-math.log(1e4) / self.half_dim))
        angle = torch.as_tensor(t, **kw)[:, None] * freq
        return torch.cat([angle.sin(), angle.cos()], -1)


class BirthEmbedding(StepEmbedding):
    def __init__(self, dim: int = 4):
        super().__init__(dim)
        first = next(self.parameters())
        self.device = first.device  # expect: TL119
        self.dtype = first.dtype  # expect: TL119

    def forward(self, t):
        return self.mlp(self.waves(t, device=self.device, dtype=self.dtype))


class AskingEmbedding(StepEmbedding):
    """The same two names, asked for whenever they are needed."""

    @property
    def device(self) -> torch.device:  # ok: TL119
        return self.mlp.weight.device

    dtype = property(lambda self: self.mlp.weight.dtype)  # ok: TL119

    def forward(self, t):
        return self.mlp(self.waves(t, device=self.device, dtype=self.dtype))


class ReportingEmbedding(AskingEmbedding):
    """What it was born with is kept for the printed form only."""

    def __init__(self, dim: int = 4):
        super().__init__(dim)
        self.born_on = str(self.mlp.weight.device)  # ok: TL119
        self.compute = torch.float32  # ok: TL119

    def extra_repr(self) -> str:
        return f"born_on={self.born_on}, compute={self.compute}"


class Denoiser(nn.Module):
    def __init__(self, embedding: type = BirthEmbedding):
        super().__init__()
        self.embed = embedding()
        self.body = nn.Linear(4, 4)

    def forward(self, x, t):
        return self.body(x + self.embed(t))


def load(embedding: type, device: str, dtype: torch.dtype) -> Denoiser:
    net = Denoiser(embedding)
    net = net.to(device)
    return net.to(dtype=dtype).eval()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for emb, follows in ((BirthEmbedding, False), (AskingEmbedding, True), (ReportingEmbedding, True)):
        for device, dtype in (("cpu", torch.float64), ("meta", torch.float32)):
            net = load(emb, device, dtype)
            x = torch.ones(2, 4, device=device, dtype=dtype)
            try:
                ok = net(x, [3, 7]).dtype == dtype
            except RuntimeError:
                ok = False
            assert ok is follows, (emb, device)
    assert "cpu" in repr(load(ReportingEmbedding, "meta", torch.float32))
