"""Contrastive queue: negatives are read from the buffer and the buffer is overwritten before backward.

source: facebookresearch/moco#21 (why the clone is there), DINO-style centre as the harmless neighbour
rules: [TL121]
"""
import torch
import torch.nn.functional as F
from torch import nn


class QueueLoss(nn.Module):
    def __init__(self, dim: int = 4, size: int = 8, temp: float = 0.2):
        super().__init__()
        self.proj = nn.Linear(dim, dim)
        self.temp = temp
        self.register_buffer("queue", F.normalize(torch.randn(size, dim), dim=1))
        self.register_buffer("head", torch.zeros((), dtype=torch.long))

    def negatives(self, q):
        return q @ self.queue.mT

    def forward(self, a, b):
        q, k = (F.normalize(self.proj(v), dim=1) for v in (a, b))
        pos = (q * k.detach()).sum(1, keepdim=True)
        logits = torch.cat([pos, self.negatives(q)], 1) / self.temp
        self.enqueue(k)
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long, device=q.device))

    def enqueue(self, k):
        raise NotImplementedError


class InPlaceQueue(QueueLoss):
    @torch.no_grad()
    def enqueue(self, k):
        at = int(self.head)
        self.queue[at : at + len(k)] = k  # expect: TL121
        self.head.copy_((self.head + len(k)) % len(self.queue))


class ClonedQueue(QueueLoss):
    def negatives(self, q):
        return q @ self.queue.clone().mT

    @torch.no_grad()
    def enqueue(self, k):
        at = int(self.head)
        self.queue[at : at + len(k)] = k  # ok: TL121
        self.head.fill_((at + len(k)) % len(self.queue))  # ok: TL121


class ReboundQueue(QueueLoss):
    @torch.no_grad()
    def enqueue(self, k):
        self.queue = torch.cat([self.queue[len(k) :], k])  # ok: TL121


class CentreLoss(QueueLoss):
    """The buffer is read under no_grad and for the teacher only."""

    def __init__(self, dim: int = 4):
        super().__init__(dim)
        self.register_buffer("centre", torch.zeros(1, dim))

    @torch.no_grad()
    def teach(self, b):
        t = self.proj(b)
        out = ((t - self.centre) / self.temp).softmax(-1)
        self.centre.mul_(0.9).add_(t.mean(0, keepdim=True), alpha=0.1)  # ok: TL121
        return out

    def forward(self, a, b):
        target = self.teach(b)
        return -(target * self.proj(a).log_softmax(-1)).sum(-1).mean()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    a, b = torch.randn(4, 4), torch.randn(4, 4)
    for cls, works in ((InPlaceQueue, False), (ClonedQueue, True), (ReboundQueue, True), (CentreLoss, True)):
        m = cls()
        try:
            m(a, b).backward()
            ok = True
        except RuntimeError as exc:
            assert "inplace" in str(exc), exc
            ok = False
        assert ok is works, cls
