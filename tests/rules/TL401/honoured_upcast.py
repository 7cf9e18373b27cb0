"""Arithmetic, reductions, norms, softmax and losses keep the float32 that they are given."""
import torch
import torch.nn.functional as F
from torch import nn


def loss_of(head: nn.Linear, hidden, labels):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = head(hidden).float()  # ok: TL401
        loss = F.cross_entropy(logits, labels)
        spread = torch.logsumexp(logits, dim=-1).pow(2).mean()
        probabilities = head(hidden).softmax(-1, dtype=torch.float32)  # ok: TL401
        scale = torch.rsqrt(hidden.to(torch.float32).pow(2).mean(-1))  # ok: TL401
        mixed = torch.cat([hidden.float(), hidden], dim=-1)  # ok: TL401
    return loss + spread + probabilities.sum() + scale.sum() + mixed.sum()


def attention(q, k, v):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        weights = (q @ k.mT).float().softmax(-1)  # ok: TL401
        return weights.to(v.dtype) @ v  # ok: TL401


def attention_by_float(q, k, v):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return (q @ k.mT).softmax(-1).float() @ v  # expect: TL401


def demonstrate():
    hidden = torch.rand(3, 4)
    assert loss_of(nn.Linear(4, 4), hidden, torch.tensor([0, 1, 2])).dtype == torch.float32
    assert attention(hidden, hidden, hidden).dtype == torch.bfloat16
    assert attention_by_float(hidden, hidden, hidden).dtype == torch.bfloat16
