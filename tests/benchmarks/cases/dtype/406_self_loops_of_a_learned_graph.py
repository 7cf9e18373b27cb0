"""A graph layer adds self loops to an adjacency that it learns; the identity comes from a static helper that knows only a size.

source: adaptive-graph forecasters (AGCRN-style supports); jemisjoky/TorchMPS#8 kind (helper tensors always on the CPU)
rules: [TL204]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Supports(nn.Module):
    def __init__(self, nodes, rank=2):
        super().__init__()
        self.left = nn.Parameter(torch.randn(nodes, rank))
        self.right = nn.Parameter(torch.randn(rank, nodes))

    @staticmethod
    def loops(count):
        return torch.eye(count)  # expect: TL204

    def learned(self):
        return F.softmax(F.relu(self.left @ self.right), dim=1)

    def polynomials(self, order):
        terms = [self.loops(self.left.size(0)), self.learned()]
        while len(terms) < order:
            terms.append(2 * terms[1] @ terms[-1] - terms[-2])
        return torch.stack(terms[:order])


class SupportsMoved(Supports):
    @property
    def identity(self):
        return torch.eye(self.left.size(0)).to(self.left)  # ok: TL204

    def polynomials(self, order):
        terms = [self.identity, self.learned()]
        while len(terms) < order:
            terms.append(2 * terms[1] @ terms[-1] - terms[-2])
        return torch.stack(terms[:order])


class SupportsDiagonal(Supports):
    """Writes ones on the diagonal of a copy; the positions are only an index."""

    def polynomials(self, order):
        a = self.learned()
        first = torch.zeros_like(a)
        at = torch.arange(a.size(0))  # ok: TL204
        first[at, at] = 1.0
        terms = [first, a]
        while len(terms) < order:
            terms.append(2 * a @ terms[-1] - terms[-2])
        return torch.stack(terms[:order])


class Mixer(nn.Module):
    def __init__(self, supports: Supports, width, order=3):
        super().__init__()
        self.supports, self.order = supports, order
        self.out = nn.Linear(width * order, width)

    def forward(self, x):
        spread = torch.einsum("knm,bmc->bnkc", self.supports.polynomials(self.order), x)
        return self.out(spread.flatten(2))


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(2, 4, 3)
    assert Mixer(Supports(4), 3)(x).shape == (2, 4, 3)
    try:
        Mixer(Supports(4), 3).to("meta")(x.to("meta"))
        raise AssertionError("an identity on the CPU was combined")
    except RuntimeError as err:
        assert "device" in str(err), err
    for cls in (SupportsMoved, SupportsDiagonal):
        assert Mixer(cls(4), 3).to("meta")(x.to("meta")).device.type == "meta"
        assert torch.allclose(cls(4).polynomials(2)[0], torch.eye(4))
