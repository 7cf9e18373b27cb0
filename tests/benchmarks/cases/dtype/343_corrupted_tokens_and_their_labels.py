"""A masked-language batch is moved and corrupted in place, then its labels are cut from the same host tensor: every answer is MASK.

source: masked language model collators that skip the clone; pytorch/vision#680 kind (the data set itself is changed)
rules: [TL308]
"""
import torch
import torch.nn.functional as F
from torch import nn

MASK, IGNORE = 1, -100


def choose(ids, rate):
    return torch.rand(ids.shape) < rate


class Corruptor:
    def __init__(self, rate=0.5, device="cpu"):
        self.rate, self.device = rate, device

    def corrupt(self, ids, where):
        moved = ids.to(self.device)
        moved[where.to(self.device)] = MASK  # expect: TL308
        return moved

    def __call__(self, ids):
        where = choose(ids, self.rate)
        inputs = self.corrupt(ids, where)
        labels = torch.where(where, ids, IGNORE).to(self.device)
        return inputs, labels


class CorruptorFixed(Corruptor):
    def corrupt(self, ids, where):
        moved = ids.clone().to(self.device)
        moved[where.to(self.device)] = MASK  # ok: TL308
        return moved


class CorruptorPure(Corruptor):
    def corrupt(self, ids, where):
        moved = ids.to(self.device)
        return moved.masked_fill(where.to(self.device), MASK)  # ok: TL308


class CorruptorCopy(Corruptor):
    def corrupt(self, ids, where):
        moved = ids.to(device=self.device, copy=True)
        moved[where.to(self.device)] = MASK  # ok: TL308
        return moved


class CorruptorStack(Corruptor):
    """Gets a list of rows; stacking them makes memory of its own."""

    def corrupt(self, ids, where):
        moved = torch.stack(list(ids)).to(self.device)
        moved[where.to(self.device)] = MASK  # ok: TL308
        return moved


class Reader(nn.Module):
    def __init__(self, vocab=9):
        super().__init__()
        self.table, self.out = nn.Embedding(vocab, 4), nn.Linear(4, vocab)

    def loss(self, batch):
        inputs, labels = batch
        return F.cross_entropy(self.out(self.table(inputs)).flatten(0, 1), labels.flatten(), ignore_index=IGNORE)


def demonstrate():
    for kind, clean in (
        (Corruptor, False), (CorruptorFixed, True), (CorruptorPure, True), (CorruptorCopy, True), (CorruptorStack, True),
    ):
        torch.manual_seed(0)
        ids = torch.randint(2, 9, (3, 5))
        before = ids.clone()
        batch = kind()(ids)
        asked = batch[1][batch[1] != IGNORE]
        assert torch.equal(ids, before) is clean, kind
        assert bool((asked == MASK).all()) is not clean, kind
        assert Reader().loss(batch).isfinite()
