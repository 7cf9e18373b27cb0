"""A tagger's decoder keeps its back pointers in a table that the same allocator makes as the table of scores: floating.

source: CRF/Viterbi decoders written by hand ("gather(): Expected dtype int64 for index"); zhangxuying1004/RSTNet#29 kind
rules: [TL201]
"""
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Trellis:
    batch: int
    steps: int
    tags: int
    score: torch.Tensor = field(init=False)
    back: torch.Tensor = field(init=False)

    def table(self):
        return torch.zeros(self.batch, self.steps, self.tags)  # expect: TL201

    def __post_init__(self):
        self.score, self.back = self.table(), self.table()


@dataclass
class TypedTrellis(Trellis):
    def table(self, kind=torch.float32):
        return torch.zeros(self.batch, self.steps, self.tags, dtype=kind)  # ok: TL201

    def __post_init__(self):
        self.score, self.back = self.table(), self.table(kind=torch.long)


@dataclass
class RoundedTrellis(Trellis):
    """Floating scores only; the pointers are a list of what max() returned."""

    def __post_init__(self):
        self.score, self.back = torch.zeros(self.batch, self.steps, self.tags), []  # ok: TL201


class Tagger(nn.Module):
    trellis = Trellis

    def __init__(self, tags):
        super().__init__()
        self.moves = nn.Parameter(torch.randn(tags, tags))

    def keep(self, cells, step, best, where):
        cells.score[:, step] = best
        cells.back[:, step] = where

    def follow(self, cells, step, tag):
        return cells.back[:, step].gather(1, tag)  # use: TL201

    @torch.no_grad()
    def decode(self, emissions):
        batch, steps, tags = emissions.shape
        cells = self.trellis(batch, steps, tags)
        cells.score[:, 0] = emissions[:, 0]
        for step in range(1, steps):
            paths = cells.score[:, step - 1].unsqueeze(2) + self.moves
            best, where = paths.max(dim=1)
            self.keep(cells, step, best + emissions[:, step], where)
        tag = cells.score[:, -1].argmax(dim=1, keepdim=True)
        out = [tag]
        for step in reversed(range(1, steps)):
            tag = self.follow(cells, step, tag)
            out.append(tag)
        return torch.cat(out[::-1], dim=1)


class TypedTagger(Tagger):
    trellis = TypedTrellis


class ListTagger(Tagger):
    trellis = RoundedTrellis

    def keep(self, cells, step, best, where):
        cells.score[:, step] = best
        cells.back.append(where)

    def follow(self, cells, step, tag):
        return cells.back[step - 1].gather(1, tag)  # ok: TL201


def demonstrate():
    torch.manual_seed(0)
    emissions = torch.randn(2, 5, 3)
    try:
        Tagger(3).decode(emissions)
        raise AssertionError("floating back pointers were followed")
    except RuntimeError as err:
        assert "int64" in str(err), err
    torch.manual_seed(1)
    one = TypedTagger(3)
    two = ListTagger(3)
    two.load_state_dict(one.state_dict())
    assert torch.equal(one.decode(emissions), two.decode(emissions))
