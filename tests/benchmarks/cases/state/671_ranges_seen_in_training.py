"""Columns of a table are squeezed by the range seen while training, and a gate cools down; a restored model has seen nothing.

source: lightly-ai/lightly-train#892 (a plain counter is not in the checkpoint), cweniger/falcon#115
rules: [TL122]
"""
import torch
from torch import Tensor, nn


class SqueezeBase(nn.Module):
    def __init__(self, columns: int = 3):
        super().__init__()
        self.start(columns)
        self.out = nn.Linear(columns, 1)

    def start(self, columns: int) -> None:
        raise NotImplementedError

    def forward(self, x: Tensor) -> Tensor:
        if self.training:
            self.low = torch.minimum(self.low, x.detach().amin(0))
            self.high = torch.maximum(self.high, x.detach().amax(0))
        return self.out((x - self.low) / (self.high - self.low + 1e-3))


class PlainSqueeze(SqueezeBase):
    def start(self, columns):
        self.low = torch.zeros(columns)  # expect: TL122
        self.high = torch.ones(columns)  # expect: TL122


class SessionSqueeze(SqueezeBase):
    def start(self, columns):
        self.register_buffer("low", torch.zeros(columns), persistent=False)  # expect: TL122
        self.register_buffer("high", torch.ones(columns), persistent=False)  # expect: TL122


class SavedSqueeze(SqueezeBase):
    def start(self, columns):
        self.register_buffer("low", torch.zeros(columns))  # ok: TL122
        self.register_buffer("high", torch.ones(columns))  # ok: TL122


class WatchedSqueeze(nn.Module):
    """The range is only shown in a log: no output depends on it."""

    def __init__(self, columns: int = 3):
        super().__init__()
        self.register_buffer("seen_high", torch.zeros(columns), persistent=False)  # ok: TL122
        self.out = nn.Linear(columns, 1)

    def forward(self, x: Tensor) -> Tensor:
        if self.training:
            self.seen_high = torch.maximum(self.seen_high, x.detach().amax(0))
        return self.out(x)


class CoolingGate(nn.Module):
    """The temperature falls with every training call; the pair of extra-state methods brings it into the checkpoint."""

    def __init__(self, dim: int = 3):
        super().__init__()
        self.temperature = 1.0  # ok: TL122
        self.gate, self.out = nn.Linear(dim, dim), nn.Linear(dim, 1)

    def get_extra_state(self):
        return {"temperature": self.temperature}

    def set_extra_state(self, state):
        self.temperature = state["temperature"]

    def forward(self, x: Tensor) -> Tensor:
        if self.training:
            self.temperature *= 0.9
        return self.out(x * (self.gate(x) / self.temperature).sigmoid())


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(8, 3) * 3
    for cls, whole in (
        (PlainSqueeze, False), (SessionSqueeze, False), (SavedSqueeze, True), (WatchedSqueeze, True), (CoolingGate, True),
    ):
        m, fresh = cls(), cls()
        for _ in range(3):
            m(x)
        fresh.load_state_dict(m.state_dict())
        m.eval(), fresh.eval()
        assert torch.allclose(m(x), fresh(x)) is whole, cls
