"""Ensemble votes are added onto torch.FloatTensor(n, c): the memory was never cleared.

source: gordicaleksa/pytorch-GAT#11 and evaluation scripts that preallocate with the legacy constructor
rules: [TL202]
"""
import torch
from torch import nn


class Ensemble:
    def __init__(self, members):
        self.members = list(members)

    def _blank(self, rows, cols):
        return torch.FloatTensor(rows, cols)  # expect: TL202

    @torch.no_grad()
    def votes(self, x, classes):
        board = self._blank(x.shape[0], classes)
        for member in self.members:
            board += member(x).softmax(-1)
        return board / len(self.members)


class EnsembleByCopy(Ensemble):
    """The memory is raw as well, but each row is written before anything reads it."""

    def _blank(self, rows, cols):
        return torch.empty(rows, cols)  # ok: TL202

    @torch.no_grad()
    def votes(self, x, classes):
        pages = [self._blank(x.shape[0], classes) for _ in self.members]
        for page, member in zip(pages, self.members):
            page.copy_(member(x).softmax(-1))
        return torch.stack(pages).mean(0)


class Confidence(torch.Tensor):  # ok: TL202
    """A subclass, no constructor call."""

    @staticmethod
    def wrap(t: torch.FloatTensor) -> "Confidence":
        assert isinstance(t, torch.FloatTensor)  # ok: TL202
        return t.as_subclass(Confidence)


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    members = [nn.Linear(3, 2) for _ in range(2)]
    x = torch.randn(4, 3)
    before = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(True)  # fills raw memory with NaN
    try:
        bad = Ensemble(members).votes(x, 2)
        good = EnsembleByCopy(members).votes(x, 2)
    finally:
        torch.use_deterministic_algorithms(before)
    assert bad.isnan().all()
    assert torch.allclose(good.sum(-1), torch.ones(4))
    assert type(Confidence.wrap(good)) is Confidence
