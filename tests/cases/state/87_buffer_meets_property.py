"""Child classes register state under names that a base class already uses for a property, a method or a class default.

source: pytorch/pytorch#71203, pytorch/pytorch#1874; seen when a base class grows a property later
rules: [TL107]
"""
import torch
from torch import nn


class Quantizer(nn.Module):
    zero_point = None
    bits: int = 8
    scale: torch.Tensor

    @property
    def levels(self) -> int:
        return 2**self.bits - 1

    def span(self, x):
        return x.aminmax()

    def forward(self, x):
        return torch.round(x / self.scale) * self.scale


class ScaleQuantizer(Quantizer):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.tensor(0.1))  # ok: TL107


class OffsetQuantizer(ScaleQuantizer):
    def __init__(self):
        super().__init__()
        self.register_buffer("zero_point", torch.zeros(()))  # expect: TL107


class LevelQuantizer(ScaleQuantizer):
    def __init__(self, per_channel: int = 4):
        super().__init__()
        state = {"levels": torch.full((per_channel,), 255.0), "peak": torch.zeros(per_channel)}
        self.register_buffer("levels", state["levels"])  # expect: TL107
        self.register_buffer("peak", state["peak"])  # ok: TL107


class SpanQuantizer(ScaleQuantizer):
    def __init__(self):
        super().__init__()
        self.register_parameter("span", nn.Parameter(torch.ones(1)))  # expect: TL107


class ReplacedQuantizer(ScaleQuantizer):
    """Re-registering the same buffer is fine, and so is a name that the base only annotates or deletes first."""

    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.tensor(0.2))  # ok: TL107
        self.note = torch.zeros(1).tolist()
        del self.note
        self.register_buffer("note", torch.zeros(1))  # ok: TL107


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls in (OffsetQuantizer, LevelQuantizer, SpanQuantizer):
        try:
            cls()
            raise AssertionError(f"{cls} should not construct")
        except KeyError as exc:
            assert "already exists" in str(exc)
    m = ReplacedQuantizer()
    assert set(m.state_dict()) == {"scale", "note"} and m.scale == torch.tensor(0.2)
