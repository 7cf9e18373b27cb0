"""The constructor makes a tensor and forward computes with it: only registered tensors follow the module."""
import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.plain = torch.linspace(0, 1, dim)  # expect: TL101
        self.learned = nn.Parameter(torch.ones(dim))  # ok: TL101
        self.constant = nn.Buffer(torch.ones(dim), persistent=False)  # ok: TL101
        self.register_buffer("kept", torch.ones(dim))  # ok: TL101
        self.register_buffer("later", None)
        self.later = torch.ones(dim)  # ok: TL101  the name is registered already
        for name, value in (("low", torch.zeros(dim)), ("high", torch.ones(dim))):
            self.register_buffer(name, value)  # ok: TL101

    def forward(self, x):
        return (x * self.plain + self.kept).clamp(self.low, self.high) * self.learned * self.constant * self.later


def demonstrate():
    module = Scaled().to("meta")
    assert not module.plain.is_meta
    assert all(getattr(module, name).is_meta for name in ("learned", "constant", "kept", "later", "low", "high"))
    assert "plain" not in module.state_dict()
