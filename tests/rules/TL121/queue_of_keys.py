"""A queue that is multiplied with the query and then overwritten in the same call."""

import torch
from torch import nn


class Queue(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.encoder = nn.Linear(dim, dim)
        self.register_buffer("queue", torch.randn(dim, 4))

    def forward(self, x):
        query = self.encoder(x)
        logits = query @ self.queue
        self.queue[:, :1] = query.detach().t()[:, :1]  # expect: TL121
        return logits


class QueueCloned(Queue):
    def forward(self, x):
        query = self.encoder(x)
        logits = query @ self.queue.clone().detach()
        self.queue[:, :1] = query.detach().t()[:, :1]  # ok: TL121
        return logits


class QueueReplaced(Queue):
    def forward(self, x):
        query = self.encoder(x)
        logits = query @ self.queue
        self.queue = torch.roll(self.queue, 1, 1)  # ok: TL121
        return logits


def demonstrate():
    for owner, raises in ((Queue, True), (QueueCloned, False), (QueueReplaced, False)):
        try:
            owner(2)(torch.ones(1, 2)).sum().backward()
        except RuntimeError:
            assert raises
        else:
            assert not raises
