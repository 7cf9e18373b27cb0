"""A table in the class body names the layers to choose from: whatever is chosen is a Module, and comes too early."""
import torch
from torch import nn


class Base(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.layer = nn.Linear(dim, dim)


class Early(Base):
    kinds = {"relu": nn.ReLU, "tanh": nn.Tanh}

    def __init__(self, kind: str = "relu"):
        self.activation = self.kinds[kind]()  # expect: TL109
        super().__init__()


class OnlySettings(Base):
    kinds = {"relu": nn.ReLU, "tanh": nn.Tanh}
    widths = {"small": int, "large": float}

    def __init__(self, kind: str = "relu", width: str = "small"):
        self.kind = self.kinds[kind]  # ok: TL109
        self.width = self.widths[width]()  # ok: TL109
        super().__init__()
        self.activation = self.kind()  # ok: TL109


def demonstrate():
    try:
        Early()
        raise AssertionError("torch refuses")
    except AttributeError as refusal:
        assert "before Module.__init__" in str(refusal)
    assert isinstance(OnlySettings("tanh").activation, nn.Tanh)
    assert torch.equal(OnlySettings().activation(-torch.ones(2)), torch.zeros(2))
