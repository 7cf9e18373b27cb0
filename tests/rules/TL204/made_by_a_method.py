"""A method is given a tensor and makes another one: what it returns lies where it was made, not where its input does."""

import torch
from torch import nn


class Writer(nn.Module):
    def __init__(self, words=7, dim=4):
        super().__init__()
        self.words = words
        self.embed, self.cell, self.score = nn.Embedding(words, dim), nn.GRUCell(dim, dim), nn.Linear(dim, words)

    def first(self, memory):
        return torch.zeros(len(memory), dtype=torch.long)  # expect: TL204

    def mask(self, memory):
        return torch.ones(memory.shape[0], 1)  # expect: TL204

    def forward(self, memory):
        state = self.cell(self.embed(self.first(memory)), memory)
        return self.score(state) * self.mask(memory)


class WriterThere(Writer):
    def first(self, memory):
        return torch.zeros(len(memory), dtype=torch.long, device=memory.device)  # ok: TL204

    def mask(self, memory):
        return torch.ones(memory.shape[0], 1).to(memory)  # ok: TL204


class WriterBeside(Writer):
    """What the method computes with its input, it would have raised on already."""

    def first(self, memory):
        return memory.new_zeros(len(memory), dtype=torch.long)  # ok: TL204

    def mask(self, memory):
        return memory[:, :1] * torch.tensor(2.0)  # ok: TL204  a single number


def drawn(mean, variance):
    return torch.normal(mean, variance.clamp(min=1e-5).sqrt())  # ok: TL204  drawn where the means are


class Sampling(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.mean = nn.Linear(dim, dim)

    def forward(self, x):
        mean = self.mean(x)
        return torch.cat([x, drawn(mean, mean * mean)], -1)


def demonstrate():
    memory = torch.zeros(3, 4, device="meta")
    try:
        Writer().to("meta")(memory)
        raise AssertionError("the meta device takes a tensor of the CPU")
    except RuntimeError as error:
        assert "device" in str(error)
    for module in (WriterThere(), WriterBeside(), Sampling()):
        assert module.to("meta")(memory).device.type == "meta"
