"""Speech units: cluster centres are registered empty in a loop over names and filled by fit(); a new process cannot load them.

source: pytorch/pytorch#8104, pytorch/pytorch#28340, k-means quantisers on top of speech features
rules: [TL120]
"""
import torch
from torch import nn


class Units(nn.Module):
    fitted = ("centres", "spread")

    def __init__(self, k: int = 3):
        super().__init__()
        self.k = k
        self.declare()
        self.register_buffer("bias", None)  # ok: TL120  (optional part, never filled by this family)

    def declare(self) -> None:
        raise NotImplementedError

    @torch.no_grad()
    def fit(self, frames: torch.Tensor, rounds: int = 4):
        c = frames[torch.randperm(len(frames))[: self.k]].clone()
        for _ in range(rounds):
            near = torch.cdist(frames, c).argmin(1)
            c = torch.stack([frames[near == i].mean(0) if (near == i).any() else c[i] for i in range(self.k)])
        self.centres, self.spread = c, frames.std(0)
        return self

    def forward(self, frames):
        d = torch.cdist(frames / self.spread, self.centres / self.spread)
        return (d if self.bias is None else d + self.bias).argmin(-1)


class EmptyUnits(Units):
    def declare(self):
        for name in self.fitted:
            self.register_buffer(name, None)  # expect: TL120


class RoomyUnits(Units):
    """Same empty start; loading makes room of the right shape first."""

    def declare(self):
        for name in self.fitted:
            self.register_buffer(name, None)  # ok: TL120

    def _load_from_state_dict(self, state_dict, prefix, *rest):
        for name in self.fitted:
            value = state_dict.get(prefix + name)
            if value is not None and getattr(self, name) is None:
                setattr(self, name, value.new_empty(value.shape))
        super()._load_from_state_dict(state_dict, prefix, *rest)


class SizedUnits(Units):
    """The width is a setting, so the buffers have their shape from the start."""

    def __init__(self, k: int = 3, width: int = 2):
        self.width = width
        super().__init__(k)

    def declare(self):
        self.register_buffer("centres", torch.zeros(self.k, self.width))  # ok: TL120
        self.register_buffer("spread", torch.ones(self.width))  # ok: TL120


# ---- demonstration: not part of the graded code ----
def demonstrate():
    frames = torch.randn(40, 2)
    for cls, loads in ((EmptyUnits, False), (RoomyUnits, True), (SizedUnits, True)):
        m, fresh = cls().fit(frames), cls()
        try:
            fresh.load_state_dict(m.state_dict())
            ok = torch.equal(fresh(frames), m(frames))
        except RuntimeError as exc:
            assert "Unexpected key" in str(exc), exc
            ok = False
        assert ok is loads, cls
