"""Constructs that resemble state faults and are right: kv caches, metric states, replay memories, tied weights, bound hooks.

source: idioms of nanoGPT-like decoders, torchmetrics, timm (tied heads) and small RL code, all rebuilt; one real fault among them
rules: [TL101, TL102, TL104, TL105, TL106, TL113, TL116, TL122]
"""
from __future__ import annotations

import random
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn

VOCAB = {"a": 0, "b": 1, "c": 2}  # ok: TL113


class Attention(nn.Module):
    def __init__(self, dim: int = 4, limit: int = 16):
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)
        self.limit = limit
        self.past: tuple[torch.Tensor, torch.Tensor] | None = None  # ok: TL101
        self.register_buffer("causal", torch.ones(limit, limit).tril().bool(), persistent=False)

    def reset_cache(self) -> None:
        self.past = None

    def forward(self, x, use_cache: bool = False):
        q, k, v = self.qkv(x).chunk(3, -1)
        if use_cache:
            if self.past is not None:
                k, v = torch.cat([self.past[0], k], 1), torch.cat([self.past[1], v], 1)
            self.past = k.detach(), v.detach()  # ok: TL102, TL104, TL122
        n, m = q.shape[1], k.shape[1]
        mask = self.causal[m - n : m, :m]
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


class TokenModel(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.embed = nn.Embedding(len(VOCAB), dim)
        self.attn = Attention(dim)
        self.head = nn.Linear(dim, len(VOCAB), bias=False)
        self.head.weight = self.embed.weight  # ok: TL106
        self.layers = [self.attn, self.head]  # ok: TL105
        self.temps = torch.tensor([0.7, 1.0]).tolist()  # ok: TL101
        self.bias = torch.log(torch.tensor([0.5, 0.3, 0.2]))  # expect: TL101

    def forward(self, ids, **kw):
        h = self.embed(ids)
        for layer in self.layers:
            h = layer(h, **kw) if layer is self.attn else layer(h)
        return h / self.temps[1] + self.bias


class Hits(nn.Module):
    """Metric: registered counters, and a list that compute() empties."""

    def __init__(self):
        super().__init__()
        self.register_buffer("n", torch.zeros((), dtype=torch.long), persistent=False)  # ok: TL122
        self.scores: list[torch.Tensor] = []  # ok: TL105

    def reset(self):
        self.n.zero_()
        self.scores.clear()

    @torch.no_grad()
    def forward(self, logits, want):
        self.n += want.numel()
        self.scores.append((logits.argmax(-1) == want).float().mean().cpu())  # ok: TL102

    def compute(self) -> float:
        value = float(torch.stack(self.scores).mean())
        self.reset()
        return value


class Memory:
    """Replay memory, plain Python."""

    def __init__(self, size: int = 10):
        self.items: deque = deque(maxlen=size)  # ok: TL105
        self.seed = torch.zeros(2)  # ok: TL101

    def sample(self, n: int):
        return torch.stack(random.sample(list(self.items), n))


def resume(net: nn.Module, other: nn.Module) -> None:
    sd = net.state_dict()  # ok: TL116
    other.load_state_dict(sd)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    ids = torch.tensor([[0, 1, 2]])
    net = TokenModel().eval()
    with torch.no_grad():
        want = net(ids)
        steps = [net(ids[:, i : i + 1], use_cache=True) for i in range(3)]
    assert torch.allclose(torch.cat(steps, 1), want, atol=1e-5)
    net.attn.reset_cache()
    net.bfloat16()
    assert net(ids).dtype == torch.float32, "the one plain tensor promotes"
    assert net.layers[1].weight is net.embed.weight
    net.to("meta")
    try:
        net(ids.to("meta"))
        raise AssertionError("expected a device clash with bias")
    except RuntimeError:
        pass
    m = Hits()
    m(torch.eye(3), torch.arange(3))
    assert m.compute() == 1.0 and int(m.n) == 0
    resume(TokenModel(), TokenModel())
    Memory()
