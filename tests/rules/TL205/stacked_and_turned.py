"""A stack of what a list or a loop holds lies in plain order; turned, and through elementwise steps, it does not."""
import torch
from torch import nn


def joined(steps):
    turned = torch.relu(torch.stack(steps).transpose(0, 1) * 2)
    return turned.view(-1, turned.size(-1))  # expect: TL205


def joined_as_stacked(steps):
    plain = torch.relu(torch.stack(steps) * 2)
    return plain.view(-1, plain.size(-1))  # ok: TL205


def joined_copied(steps):
    turned = torch.stack(steps).transpose(0, 1)
    return turned.reshape(-1, turned.size(-1))  # ok: TL205


class Words(nn.Module):
    def __init__(self, words=5):
        super().__init__()
        self.embed, self.out = nn.Embedding(words, 4), nn.Linear(4, words)

    def each(self, ids):
        return torch.stack([self.out(self.embed(one)) for one in ids.unbind(1)])


class Search:
    def __init__(self, words):
        self.words = words

    def total(self, ids):
        scores = self.words.each(ids).transpose(0, 1)
        return scores.view(scores.size(0), -1)  # expect: TL205

    def split(self, ids):
        scores = self.words.each(ids).transpose(0, 1)
        return scores.view(*scores.shape, 1)  # ok: TL205


def demonstrate():
    steps, search = [torch.rand(2, 4) for _ in range(3)], Search(Words())
    ids = torch.zeros(2, 3, dtype=torch.long)
    assert joined_as_stacked(steps).shape == joined_copied(steps).shape == (6, 4)
    assert search.split(ids).shape == (2, 3, 5, 1)
    for wrong in (lambda: joined(steps), lambda: search.total(ids)):
        try:
            wrong()
        except RuntimeError as error:
            assert "view size" in str(error)
            continue
        raise AssertionError("the view was taken")
