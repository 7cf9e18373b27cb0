"""A memory network makes its first slots in a default factory that asks the machine for a device, not the sequence.

source: research code with `device = torch.device("cuda" if ...)` in a config object; pq-yang/MatAnyone#43, Parskatt/dad#1 (cuda assumed)
rules: [TL207]
"""
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Config:
    slots: int = 3
    dim: int = 4
    scale: float = field(default=0.1)


class Memory(nn.Module):
    def __init__(self, cfg=None):
        super().__init__()
        self.cfg = cfg or Config()
        self.cell = nn.GRUCell(self.cfg.dim, self.cfg.dim)

    def blank(self, like):
        noise = torch.randn(self.cfg.slots, self.cfg.dim) * self.cfg.scale
        return noise.cuda(non_blocking=True)  # expect: TL207

    def write(self, slots, word):
        heat = (slots @ word).softmax(0)
        return self.cell(word.expand_as(slots), slots) * heat[:, None] + slots * (1 - heat[:, None])

    def forward(self, words, slots=None):
        if slots is None:
            slots = self.blank(words)
        for word in words:
            slots = self.write(slots, word)
        return slots


class MemoryLike(Memory):
    def blank(self, like):
        return torch.randn(self.cfg.slots, self.cfg.dim, device=like.device, dtype=like.dtype)  # ok: TL207


class MemoryOfWeights(Memory):
    @property
    def device(self):
        return next(self.parameters()).device

    def blank(self, like):
        noise = torch.randn(self.cfg.slots, self.cfg.dim) * self.cfg.scale
        return noise.to(device=self.device, non_blocking=True)  # ok: TL207


def launch(memory, words):
    """Decides once, for the network and for its input."""
    card = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return memory.to(card)(words.to(card))  # ok: TL207


def demonstrate():
    torch.manual_seed(0)
    words = torch.randn(5, 4)
    for cls in (MemoryLike, MemoryOfWeights):
        assert cls()(words).shape == (3, 4) and launch(cls(), words).shape == (3, 4)
        with torch.device("meta"):
            elsewhere, there = cls(), torch.randn(5, 4)
        assert elsewhere(there).device.type == "meta"
    try:
        Memory()(words)  # everything on the CPU
        worked = True
    except (AssertionError, RuntimeError) as err:
        assert "cuda" in str(err).lower() or "device" in str(err), err
        worked = False
    assert not worked
