"""Beam search for captions: scores arrive beam first and are turned; the sum with the scores so far keeps those strides, view cannot join.

source: aimagelab/show-control-and-tell#23 (seq_logprob.view(b_s, -1), fixed by reshape)
rules: [TL205]
"""
import torch
from torch import nn


class Speller(nn.Module):
    """Works beam by beam and stacks what it gets."""

    def __init__(self, words: int = 5, dim: int = 4):
        super().__init__()
        self.embed, self.out = nn.Embedding(words, dim), nn.Linear(dim, words)

    def step(self, ids):
        return torch.stack([self.out(self.embed(i)).log_softmax(-1) for i in ids.unbind(1)])


class Search:
    def __init__(self, speller, beams: int = 3):
        self.speller, self.beams = speller, beams

    def candidates(self, so_far, word):
        raise NotImplementedError

    def choose(self, so_far, ids):
        word = self.speller.step(ids).transpose(0, 1)
        total = self.candidates(so_far, word)
        best, flat = total.sort(-1, descending=True)
        best, flat = best[:, : self.beams], flat[:, : self.beams]
        words = word.size(-1)
        return best, torch.div(flat, words, rounding_mode="floor"), flat % words


class SummedSearch(Search):
    def candidates(self, so_far, word):
        total = word + so_far.unsqueeze(-1)
        return total.view(total.size(0), -1)  # expect: TL205


class BoundedSearch(Search):
    """Bounds the word scores first: elementwise, so the strides stay."""

    def candidates(self, so_far, word):
        total = word.clamp(min=-20.0).add(so_far.unsqueeze(-1))
        return total.view(len(total), -1)  # expect: TL205


class ReshapedSearch(Search):
    def candidates(self, so_far, word):
        total = word + so_far.unsqueeze(-1)
        return total.reshape(total.size(0), -1)  # ok: TL205


class ContiguousSearch(Search):
    def candidates(self, so_far, word):
        total = word.contiguous() + so_far.unsqueeze(-1)
        return total.view(total.size(0), -1)  # ok: TL205


class NarrowedSearch(Search):
    """The best words of each beam: topk writes new memory."""

    def candidates(self, so_far, word):
        top = (word + so_far.unsqueeze(-1)).topk(word.size(-1), dim=-1)
        return top.values.view(len(word), -1)  # ok: TL205


def demonstrate():
    ids, so_far = torch.randint(0, 5, (2, 3)), torch.zeros(2, 3)
    for cls, works in (
        (SummedSearch, False), (BoundedSearch, False), (ReshapedSearch, True), (ContiguousSearch, True),
        (NarrowedSearch, True),
    ):
        try:
            best, beam, word = cls(Speller()).choose(so_far, ids)
            assert beam.shape == (2, 3) and word.max() < 5
            ok = True
        except RuntimeError as err:
            assert "view size is not compatible" in str(err), err
            ok = False
        assert ok is works, cls
