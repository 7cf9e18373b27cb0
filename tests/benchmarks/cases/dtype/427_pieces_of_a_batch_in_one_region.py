"""A large batch is cut into pieces; one region holds the whole loop, with backward of every piece, although the energy is an island.

source: pytorch amp notes (backward under autocast is not recommended) in gradient-accumulation loops; energy-based heads kept in float32
rules: [TL402]
"""
import torch
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Energy(nn.Module):
    def __init__(self, dim=6):
        super().__init__()
        self.body, self.last = nn.Linear(dim, dim), nn.Linear(dim, dim)

    def forward(self, x):
        h = torch.tanh(self.body(x))
        with torch.autocast(KIND, enabled=False):
            return self.last(h.float()).pow(2).mean()  # ok: TL409


class Accumulator:
    def __init__(self, model: Energy, pieces=2):
        self.model, self.pieces = model, pieces

    def cut(self, x):
        return x.chunk(self.pieces)

    def run(self, x):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            for piece in self.cut(x):
                energy = self.model(piece) / self.pieces
                energy.backward()  # expect: TL402
        return self


class AccumulatorPerPiece(Accumulator):
    def run(self, x):
        for piece in self.cut(x):
            with torch.autocast(KIND, dtype=torch.bfloat16):
                energy = self.model(piece) / self.pieces
            energy.backward()  # ok: TL402
        return self


class AccumulatorCollecting(Accumulator):
    def run(self, x):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            parts = [self.model(piece) / self.pieces for piece in self.cut(x)]
        torch.stack(parts).sum().backward()  # ok: TL402
        return self


class AccumulatorLeaving(Accumulator):
    """Leaves the region for the backward pass."""

    def run(self, x):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            for piece in self.cut(x):
                energy = self.model(piece) / self.pieces
                with torch.autocast(KIND, enabled=False):
                    energy.backward()  # ok: TL402
        return self


def demonstrate():
    def slope(kind):
        torch.manual_seed(0)
        run = kind(Energy().to(KIND)).run(torch.randn(8, 6, device=KIND))
        return run.model.last.weight.grad

    right = slope(AccumulatorPerPiece)
    assert torch.allclose(slope(AccumulatorCollecting), right, atol=1e-7)
    assert torch.allclose(slope(AccumulatorLeaving), right, atol=1e-7)
    gap = (slope(Accumulator) - right).abs().max()
    assert gap > 1e-6, gap  # the island's own slope was multiplied in bf16
