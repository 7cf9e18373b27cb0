"""Whitening of retrieval descriptors: mean and rotation are declared empty by a base class and appear when fit() has run.

source: pytorch/pytorch#45834, NVIDIA/physicsnemo#586 (Unexpected key on load); rebuilt from scratch
rules: [TL120]
"""
import torch
from torch import nn


class Fitted(nn.Module):
    def __init__(self, out: int = 2):
        super().__init__()
        self.out = out
        self.declare()

    def declare(self) -> None:
        raise NotImplementedError

    @torch.no_grad()
    def fit(self, rows: torch.Tensor) -> "Fitted":
        mu = rows.mean(0)
        _, s, vt = torch.linalg.svd(rows - mu, full_matrices=False)
        self.mu = mu  # ok: TL101
        self.rot = vt[: self.out].mT / s[: self.out]  # ok: TL101
        return self

    def forward(self, x):
        return (x - self.mu) @ self.rot


class EmptyWhitening(Fitted):
    def declare(self):
        self.register_buffer("mu", None)  # expect: TL120
        self.register_buffer(name="rot", tensor=None, persistent=True)  # expect: TL120


class TransientWhitening(Fitted):
    """Fitted again in each process, and not in the checkpoint."""

    def declare(self):
        for key in ("mu", "rot"):
            self.register_buffer(key, None, persistent=False)  # ok: TL120


class SizedWhitening(Fitted):
    """The sizes are known, so there is something to load into."""

    width = 4

    def declare(self):
        self.register_buffer("mu", torch.zeros(self.width))  # ok: TL120
        self.register_buffer("rot", torch.eye(self.width)[:, : self.out].clone())  # ok: TL120


class RoomyWhitening(Fitted):
    def declare(self):
        self.register_buffer("mu", None)  # ok: TL120
        self.register_buffer("rot", None)  # ok: TL120

    def _load_from_state_dict(self, state_dict, prefix, *rest):
        for key in ("mu", "rot"):
            held = state_dict.get(prefix + key)
            if held is not None:
                setattr(self, key, torch.zeros_like(held))
        super()._load_from_state_dict(state_dict, prefix, *rest)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    rows = torch.randn(20, 4) * torch.tensor([1.0, 2.0, 3.0, 4.0])
    for cls, loads in ((EmptyWhitening, False), (SizedWhitening, True), (RoomyWhitening, True)):
        src, dst = nn.Sequential(cls().fit(rows)), nn.Sequential(cls())
        try:
            dst.load_state_dict(src.state_dict())
            ok = torch.equal(dst(rows), src(rows))
        except RuntimeError as exc:
            assert "Unexpected key" in str(exc), exc
            ok = False
        assert ok is loads, cls
    assert not TransientWhitening().fit(rows).state_dict()
