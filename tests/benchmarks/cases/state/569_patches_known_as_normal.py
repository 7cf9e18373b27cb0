"""Defect detection keeps the patches of sound parts: the memory is declared empty and filled by fit(); thresholds are what a registration returned.

source: pytorch/pytorch#8104, NVIDIA/physicsnemo#586 (Unexpected key on load); constructors that assign what register_buffer returns
rules: [TL115, TL120]
"""
import torch
from torch import nn


class Detector(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.feats = nn.Linear(dim, dim).requires_grad_(False)
        self.declare(dim)

    def declare(self, dim: int) -> None:
        raise NotImplementedError

    @torch.no_grad()
    def fit(self, sound):
        self.memory = self.feats(sound)[::2]
        self.limit.copy_(self.distance(sound).max())
        return self

    def distance(self, x):
        return torch.cdist(self.feats(x), self.memory).amin(-1)

    def forward(self, x):
        return self.distance(x) > self.limit


class EmptyDetector(Detector):
    def declare(self, dim):
        self.register_buffer("memory", None)  # expect: TL120
        self.register_buffer("limit", torch.zeros(()))


class ResultDetector(Detector):
    def declare(self, dim):
        self.memory = self.register_buffer("memory", torch.zeros(0, dim))  # expect: TL115
        self.limit = self.register_buffer("limit", torch.zeros(()))  # expect: TL115


class SizedDetector(Detector):
    """Makes room for whatever a file brings."""

    def declare(self, dim):
        self.register_buffer("memory", torch.zeros(0, dim))  # ok: TL115, TL120
        self.register_buffer("limit", torch.zeros(()))  # ok: TL115

    def _load_from_state_dict(self, state_dict, prefix, *args, **kwargs):
        saved = state_dict.get(prefix + "memory")
        if saved is not None:
            self.memory = self.memory.new_zeros(saved.shape)
        super()._load_from_state_dict(state_dict, prefix, *args, **kwargs)


class WatchedDetector(SizedDetector):
    """A hook's registration does return something: the handle."""

    def declare(self, dim):
        super().declare(dim)
        self.handle = self.register_forward_hook(lambda module, args, out: out.bool())  # ok: TL115


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    sound = torch.randn(8, 3)
    for cls, loads in ((EmptyDetector, False), (SizedDetector, True)):
        done = cls().fit(sound)
        other = cls()
        try:
            other.load_state_dict(done.state_dict())
            ok = torch.equal(other(sound + 2), done(sound + 2))
        except RuntimeError as exc:
            assert "Unexpected key" in str(exc), exc
            ok = False
        assert ok is loads, cls
    broken = ResultDetector()
    assert broken.limit is None and "limit" not in broken.state_dict()
    watched = WatchedDetector().fit(sound)
    assert watched.handle is not None and watched(sound).dtype is torch.bool
