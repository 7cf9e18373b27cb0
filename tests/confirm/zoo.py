"""Small modules of which it is known what a move to CUDA does to them: what runs on there, and what meets the CPU.

Each says beside it what happens when it is moved as it was built, and when it is moved after `.eval()` and a forward
on the CPU. The answers follow from the device rules of eager CUDA.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import nn

RUNS = True
CLASHES = False


@dataclass(frozen=True)
class Specimen:
    """A module and what is known of it. culprit: what the error must name, by the way to it; "" for nothing.

    The line at which two devices meet ends in `# meets`; a culprit "here" is a tensor that this line makes.
    """

    kind: type[nn.Module]
    as_built: bool
    when_used: bool
    culprit: str

    def runs(self, history: str) -> bool:
        """True where forward runs on the device."""
        return self.as_built if history == "as built" else self.when_used


ZOO: list[Specimen] = []


def known(as_built: bool, when_used: bool, culprit: str = "") -> Callable[[type[nn.Module]], type[nn.Module]]:
    """A module of the zoo. as_built, when_used: RUNS or CLASHES."""

    def keep(kind: type[nn.Module]) -> type[nn.Module]:
        ZOO.append(Specimen(kind, as_built, when_used, culprit))
        return kind

    return keep


class Base(nn.Module):
    """A linear layer, so that there is something to move; `after` is what a specimen does with its output."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.hold()

    def hold(self):
        """Make what the specimen keeps."""

    def forward(self, x):
        return self.after(self.linear(x))

    def after(self, h):
        return h


# Tensors that are registered, and some that are not


@known(CLASHES, CLASHES, "self.gain")
class Attribute(Base):
    def hold(self):
        self.gain = torch.ones(4)

    def after(self, h):
        return h * self.gain  # meets


@known(RUNS, RUNS)
class Buffer(Base):
    def hold(self):
        self.register_buffer("gain", torch.ones(4))

    def after(self, h):
        return h * self.gain


@known(RUNS, RUNS)
class UnsavedBuffer(Base):
    def hold(self):
        self.register_buffer("gain", torch.ones(4), persistent=False)

    def after(self, h):
        return h * self.gain


@known(CLASHES, CLASHES, "self.offsets[0]")
class ListOfTensors(Base):
    def hold(self):
        self.offsets = [torch.full((4,), float(index)) for index in range(2)]

    def after(self, h):
        for offset in self.offsets:
            h = h + offset  # meets
        return h


@known(CLASHES, CLASHES, "self.parts[0].weight")
class ListOfModules(Base):
    def hold(self):
        self.parts = [nn.Linear(4, 4, bias=False)]

    def after(self, h):
        for part in self.parts:
            h = part(h)  # meets
        return h


@known(CLASHES, CLASHES, "self.scaled.<closure gain>")
class Closure(Base):
    def hold(self):
        gain = torch.ones(4)
        self.scaled = lambda h: h * gain  # meets

    def after(self, h):
        return self.scaled(h)


@known(RUNS, RUNS)
class ConvertedAtUse(Base):
    def hold(self):
        self.gain = torch.ones(4)

    def after(self, h):
        return h * self.gain.to(h.device)


# Caches


@known(RUNS, CLASHES, "self.bias")
class BiasOfEval(Base):
    """As LeViT: evaluation keeps what training computes each time."""

    def hold(self):
        self.biases = nn.Parameter(torch.randn(2, 5))
        self.register_buffer("places", torch.zeros(4, 4, dtype=torch.long))

    @torch.no_grad()
    def train(self, mode=True):
        super().train(mode)
        self.bias = None if mode else self.biases[:, self.places]
        return self

    def after(self, h):
        bias = self.biases[:, self.places] if self.training else self.bias
        total = bias.sum((0, 1))
        return h + total  # meets


@known(RUNS, RUNS)
class BiasByDevice(Base):
    """The repaired one: a bias for each device, forgotten where training begins."""

    def hold(self):
        self.biases = nn.Parameter(torch.randn(2, 5))
        self.register_buffer("places", torch.zeros(4, 4, dtype=torch.long), persistent=False)
        self.by_device = {}

    def train(self, mode=True):
        super().train(mode)
        self.by_device = {}
        return self

    def after(self, h):
        if str(h.device) not in self.by_device:
            self.by_device[str(h.device)] = self.biases[:, self.places]
        return h + self.by_device[str(h.device)].sum((0, 1))


class Rotary(Base):
    def hold(self):
        self.register_buffer("frequencies", 1 / 10000 ** (torch.arange(0, 4, 2) / 4), persistent=False)
        self.cosines = None

    def compute(self, h):
        angles = torch.outer(torch.arange(h.shape[-2], device=h.device, dtype=h.dtype), self.frequencies)
        self.cosines = torch.cat((angles, angles), -1).cos()


@known(RUNS, RUNS)
class RotaryWithKey(Rotary):
    def after(self, h):
        kept = self.cosines
        if kept is None or len(kept) < h.shape[-2] or (kept.device, kept.dtype) != (h.device, h.dtype):
            self.compute(h)
        return h * self.cosines[: h.shape[-2]]


@known(RUNS, CLASHES, "self.cosines")
class RotaryWithoutKey(Rotary):
    def after(self, h):
        if self.cosines is None or len(self.cosines) < h.shape[-2]:
            self.compute(h)
        return h * self.cosines[: h.shape[-2]]  # meets


# Tensors that forward makes


@known(CLASHES, CLASHES, "here")
class ArangeOnCpu(Base):
    def after(self, h):
        return h + torch.arange(h.shape[-1])  # meets


@known(RUNS, RUNS)
class ArangeOnDevice(Base):
    def after(self, h):
        return h + torch.arange(h.shape[-1], device=h.device)


@known(CLASHES, CLASHES, "here")
class ZerosOnCpu(Base):
    def after(self, h):
        return torch.cat((h, torch.zeros(h.shape)), -1)  # meets


# Masks, indices and tables


@known(CLASHES, CLASHES, "self.mask")
class MaskOnCpu(Base):
    def hold(self):
        self.mask = torch.ones(4, 4).triu(1).bool()

    def after(self, h):
        mask = self.mask[: h.shape[-2], : h.shape[-1]]
        return h.masked_fill(mask, -1e4)  # meets


@known(RUNS, RUNS)
class MaskBuffer(Base):
    def hold(self):
        self.register_buffer("mask", torch.ones(4, 4).triu(1).bool())

    def after(self, h):
        return h.masked_fill(self.mask[: h.shape[-2], : h.shape[-1]], -1e4)


@known(RUNS, RUNS)
class IndexOnCpu(Base):
    """A tensor of the device takes an index of the CPU."""

    def hold(self):
        self.picked = torch.tensor([0, 1])

    def after(self, h):
        return h[..., self.picked]


@known(CLASHES, CLASHES, "self.picked")
class IndexSelectOnCpu(Base):
    def hold(self):
        self.picked = torch.tensor([0, 1])

    def after(self, h):
        return h.index_select(-1, self.picked)  # meets


@known(CLASHES, CLASHES, "self.picked")
class GatherOnCpu(Base):
    def hold(self):
        self.picked = torch.zeros(2, 3, 4, dtype=torch.long)

    def after(self, h):
        return h.gather(-1, self.picked)  # meets


@known(CLASHES, CLASHES, "self.table")
class TableOnCpu(Base):
    """A tensor of the CPU takes no index of the device."""

    def hold(self):
        self.table = torch.randn(8, 4)
        self.register_buffer("picked", torch.tensor([0, 1, 2]))

    def after(self, h):
        rows = self.table[self.picked]  # meets
        return h + rows


@known(RUNS, RUNS)
class PositionsBuffer(Base):
    def hold(self):
        self.embedding = nn.Embedding(8, 4)
        self.register_buffer("positions", torch.arange(8), persistent=False)

    def after(self, h):
        return h + self.embedding(self.positions[: h.shape[-2]])


@known(CLASHES, CLASHES, "self.positions")
class PositionsOnCpu(Base):
    def hold(self):
        self.embedding = nn.Embedding(8, 4)
        self.positions = torch.arange(8)

    def after(self, h):
        return h + self.embedding(self.positions[: h.shape[-2]])  # meets


# Scalars


@known(RUNS, RUNS)
class ScalarTensor(Base):
    """A 0-dim tensor of the CPU may stand beside tensors of the device."""

    def hold(self):
        self.gain = torch.tensor(0.5)

    def after(self, h):
        return h * self.gain


@known(CLASHES, CLASHES, "self.gain")
class OneElement(Base):
    """One of a single element, but with a dimension, may not."""

    def hold(self):
        self.gain = torch.tensor([0.5])

    def after(self, h):
        return h * self.gain  # meets


@known(RUNS, RUNS)
class Number(Base):
    def hold(self):
        self.gain = 4**-0.5

    def after(self, h):
        return h * self.gain


@known(RUNS, RUNS)
class WhereScalar(Base):
    def after(self, h):
        return torch.where(h > 0, h, torch.tensor(-1e4))


# What depends on values


@known(RUNS, RUNS)
class BranchOnItem(Base):
    def after(self, h):
        return h * 2 if h.sum().item() > 0 else h


@known(RUNS, RUNS)
class BranchOnTensor(Base):
    def after(self, h):
        return h * 2 if (h > 0).any() else h


@known(RUNS, RUNS)
class Nonzero(Base):
    def after(self, h):
        return (h > 0).nonzero().float().sum() + h.sum()


@known(RUNS, RUNS)
class SelectedByMask(Base):
    def after(self, h):
        return h[h > 0].sum()


@known(RUNS, RUNS)
class ItemOfBuffer(Base):
    def hold(self):
        self.register_buffer("count", torch.tensor(2))

    def after(self, h):
        return h[..., : int(self.count.item())]


@known(CLASHES, CLASHES)
class ThroughNumpy(Base):
    def after(self, h):
        return torch.from_numpy(h.detach().numpy()).to(h.device)  # meets


# Layers


@known(RUNS, RUNS)
class Attention(Base):
    def after(self, h):
        return nn.functional.scaled_dot_product_attention(h, h, h)


@known(RUNS, RUNS)
class Normalised(Base):
    def hold(self):
        self.convolution = nn.Conv1d(3, 3, 1)
        self.norm = nn.BatchNorm1d(3)

    def after(self, h):
        return self.norm(self.convolution(h))


@known(RUNS, RUNS)
class Recurrent(Base):
    def hold(self):
        self.memory = nn.LSTM(4, 4, batch_first=True)

    def after(self, h):
        return self.memory(h)[0]


@known(RUNS, RUNS)
class Tied(Base):
    def hold(self):
        self.decoder = nn.Linear(4, 4)
        self.decoder.weight = self.linear.weight
        self.tied = [self.linear.weight]

    def after(self, h):
        return self.decoder(h) @ self.tied[0]
