"""A loop rewrites a tensor round by round: in the first one it is still what was made before the loop."""

import torch
from torch import nn


class Rounds(nn.Module):
    def __init__(self, words=7, dim=4):
        super().__init__()
        self.dim = dim
        self.embed, self.cell, self.score = nn.Embedding(words, dim), nn.GRUCell(dim, dim), nn.Linear(dim, words)

    def forward(self, memory):
        word = torch.ones(memory.shape[0], 4)  # expect: TL204
        state = memory
        for _ in range(3):
            state = self.cell(word + state, state)
            word = self.embed(self.score(state).argmax(-1))
        return state

    def states(self, parts):
        state = torch.zeros(1, self.dim)  # expect: TL204
        for part in parts:
            state = self.cell(part, state)
        return state

    def moved_before(self, memory):
        word = torch.ones(memory.shape[0], dtype=torch.long)  # ok: TL204
        word = word.to(memory.device)
        for _ in range(3):
            word = self.score(self.embed(word)).argmax(-1)
        return word

    def replaced_before_use(self, memory):
        word = torch.zeros(1)  # ok: TL204  nothing meets it
        for _ in range(3):
            word = self.score(memory).argmax(-1)
            memory = self.embed(word)
        return memory, word


class Losses(nn.Module):
    def differences(self, features: torch.Tensor):
        total = torch.zeros(1)  # expect: TL204
        for one, other in zip(features[:-1], features[1:]):
            total = total + (one - other).pow(2).sum(0, keepdim=True)
        return total

    def numbered(self, features: torch.Tensor):
        total = torch.zeros(1)  # expect: TL204
        for index, one in enumerate(features):
            total = total + one.sum(0, keepdim=True) * index
        return total

    def differences_of_a_number(self, features: torch.Tensor):
        total = torch.tensor(0.0)  # ok: TL204  a single number
        for one, other in zip(features[:-1], features[1:]):
            total = total + (one - other).pow(2).sum()
        return total

    def counted(self, features: torch.Tensor):
        counts = torch.zeros(3)  # ok: TL204  the number of the round follows nothing
        for index, _ in enumerate(features):
            counts = counts + index
        return counts

    def largest(self, pred):
        best, rows = pred.topk(2, dim=-1)
        ramp = torch.arange(2)  # expect: TL204
        return rows + ramp, best

    def largest_rows(self, pred):
        ramp = torch.arange(2)  # expect: TL204
        return pred.topk(2, dim=-1)[1] + ramp

    def pieces(self, pred):
        left, right = pred.chunk(2, dim=-1)
        ramp = torch.arange(2)  # expect: TL204
        return left * ramp - right

    def numbers_of_pieces(self, pred):
        rows, columns = pred.size()
        ramp = torch.arange(2)  # ok: TL204  sizes are numbers
        return ramp * rows + columns


def demonstrate():
    memory = torch.zeros(3, 4, device="meta")
    module, losses = Rounds().to("meta"), Losses()
    refused = [
        lambda: module(memory),
        lambda: module.states(memory[:, None]),
        lambda: losses.differences(memory),
        lambda: losses.numbered(memory),
        lambda: losses.largest(memory),
        lambda: losses.largest_rows(memory),
        lambda: losses.pieces(memory),
    ]
    for call in refused:
        try:
            call()
            raise AssertionError("the meta device takes a tensor of the CPU")
        except RuntimeError as error:
            assert "device" in str(error)
    (
        module.moved_before(memory),
        module.replaced_before_use(memory),
        losses.differences_of_a_number(memory),
        losses.counted(memory),
    )
