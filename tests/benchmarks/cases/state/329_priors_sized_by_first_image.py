"""Detector priors: the buffer is declared without a size, the first picture fixes it, and the saved file cannot be loaded.

source: pytorch/pytorch#45834 and #8104 (None buffers and load_state_dict), detectors that size their priors at run time
rules: [TL120, TL104]
"""
import torch
from torch import nn


def prior_boxes(h: int, w: int, like: torch.Tensor) -> torch.Tensor:
    ys = (torch.arange(h, device=like.device, dtype=like.dtype) + 0.5) / h
    xs = (torch.arange(w, device=like.device, dtype=like.dtype) + 0.5) / w
    return torch.stack([g.flatten() for g in torch.meshgrid(ys, xs, indexing="ij")], -1)


class PriorMixin:
    def declare(self, *names: str, **kw) -> None:
        for name in names:
            self.register_buffer(name, tensor=None, **kw)


class Detector(nn.Module):
    def __init__(self, channels: int = 2):
        super().__init__()
        self.head = nn.Conv2d(channels, 2, 1)
        self.setup()

    def setup(self) -> None:
        self.register_buffer(name="priors", tensor=None)  # expect: TL120

    def forward(self, x):
        if self.priors is None or len(self.priors) != x.shape[-2] * x.shape[-1]:
            self.priors = prior_boxes(*x.shape[-2:], like=x)  # expect: TL104  (as many cells, another shape)
        return self.head(x).flatten(2).mT + self.priors


class TransientDetector(PriorMixin, Detector):
    def setup(self):
        self.declare("priors", persistent=False)  # ok: TL120


class SizedDetector(Detector):
    """Takes the size from the file."""

    def _load_from_state_dict(self, state_dict, prefix, *args, **kwargs):
        saved = state_dict.get(f"{prefix}priors")
        if saved is not None:
            self.priors = torch.empty_like(saved)
        return super()._load_from_state_dict(state_dict, prefix, *args, **kwargs)


class NeverFilled(Detector):
    """None for ever in this variant of the model."""

    def setup(self):
        self.register_buffer("bias", None)  # ok: TL120

    def forward(self, x):
        y = self.head(x).flatten(2).mT
        return y if self.bias is None else y + self.bias


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(1, 2, 3, 4)
    for cls, loads in ((Detector, False), (TransientDetector, True), (SizedDetector, True), (NeverFilled, True)):
        used = cls()
        used(x)
        try:
            cls().load_state_dict(used.state_dict())
            ok = True
        except RuntimeError as exc:
            assert "Unexpected key" in str(exc)
            ok = False
        assert ok is loads, cls
    used, fresh = Detector(), Detector()
    fresh.load_state_dict(used.state_dict())
    used(x)
    assert not torch.allclose(used(x.mT), fresh(x.mT)), "3 x 4 and 4 x 3 have as many priors"
