"""A protein model scores residues with a substitution matrix and a table of charges; some siblings leave them on plain attributes.

source: Lightning-AI/pytorch-lightning#3674 (a template built in the constructor stays behind), meta-pytorch/botorch#1035
rules: [TL101]
"""
import torch
import torch.nn.functional as F
from torch import Tensor, nn

SIMILAR = ((4.0, -1.0, -2.0), (-1.0, 5.0, 0.0), (-2.0, 0.0, 6.0))
PROPERTIES = {"charge": (0.0, 1.0, -1.0), "volume": (0.3, 0.9, 0.6)}


class ResidueLossBase(nn.Module):
    def __init__(self, temperature: float = 2.0):
        super().__init__()
        self.temperature = temperature
        self.build()

    def build(self) -> None:
        raise NotImplementedError

    def soft_targets(self, y: Tensor) -> Tensor:
        return self.similar[y]

    def forward(self, logits: Tensor, y: Tensor) -> Tensor:
        return F.kl_div(logits.log_softmax(-1), self.soft_targets(y), reduction="batchmean")


class PlainResidueLoss(ResidueLossBase):
    def build(self):
        self.similar = (torch.tensor(SIMILAR) / self.temperature).softmax(-1)  # expect: TL101


class BufferResidueLoss(ResidueLossBase):
    def build(self):
        self.register_buffer("similar", (torch.tensor(SIMILAR) / self.temperature).softmax(-1), persistent=False)  # ok: TL101


class CountedResidueLoss(ResidueLossBase):
    """Only the number of rows is read later."""

    def build(self):
        self.table = torch.tensor(SIMILAR)  # ok: TL101

    def soft_targets(self, y):
        n = self.table.shape[0]
        return F.one_hot(y, n).float() * 0.9 + 0.1 / n


class ResidueFeatures(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        for name, row in PROPERTIES.items():
            setattr(self, name, torch.tensor(row))  # expect: TL101
        self.out = nn.Linear(2, dim)

    def forward(self, probs: Tensor) -> Tensor:
        return self.out(torch.stack([probs @ self.charge, probs @ self.volume], -1))


class ResidueFeaturesFixed(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        for name, row in PROPERTIES.items():
            self.register_buffer(name, torch.tensor(row), persistent=False)  # ok: TL101
        self.out = nn.Linear(2, dim)

    def forward(self, probs: Tensor) -> Tensor:
        return self.out(torch.stack([probs @ self.charge, probs @ self.volume], -1))


# ---- demonstration: not part of the graded code ----
def demonstrate():
    y, logits, probs = torch.tensor([0, 2]), torch.randn(2, 3), torch.rand(2, 3)
    for cls, name, moves in ((PlainResidueLoss, "similar", False), (BufferResidueLoss, "similar", True)):
        m = cls()
        m(logits, y)
        m.to("meta")
        assert getattr(m, name).is_meta is moves, cls
    CountedResidueLoss()(logits, y)
    for cls, moves in ((ResidueFeatures, False), (ResidueFeaturesFixed, True)):
        m = cls()
        m(probs)
        m.double()
        try:
            m(probs.double())
            ok = True
        except RuntimeError as exc:
            assert "dtype" in str(exc), exc
            ok = False
        assert ok is moves, cls
