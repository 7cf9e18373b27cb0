"""A random-feature Gaussian process layer inverts its precision buffer when it enters eval mode and trusts the result.

source: spectral-normalised GP heads (covariance taken from the precision matrix at test time), cornellius-gp/gpytorch#1311
rules: [TL103]
"""
import torch
from torch import nn


class ModeCache:
    """Mixin: children say what to prepare for predictions."""

    _prepared = None

    def prepare(self) -> dict:
        raise NotImplementedError


class GaussianHead(ModeCache, nn.Module):
    def __init__(self, width: int = 3, classes: int = 2, ridge: float = 1.0):
        super().__init__()
        self.out = nn.Linear(width, classes)
        self.register_buffer("precision", torch.eye(width) * ridge)

    def observe(self, h: torch.Tensor) -> None:
        self.precision = self.precision + h.detach().mT @ h.detach()

    def prepare(self):
        return {"cov": torch.linalg.inv(self.precision)}

    def variance(self, h: torch.Tensor) -> torch.Tensor:
        cov = (self._prepared or self.prepare())["cov"]
        return ((h @ cov) * h).sum(-1)

    def forward(self, h):
        if self.training:
            self.observe(h)
            return self.out(h)
        return self.out(h) / torch.sqrt(1 + self.variance(h))[:, None]


class PreparedHead(GaussianHead):
    def train(self, mode: bool = True):
        previous = self.training
        super().train(mode)
        if previous and not mode:
            self._prepared = self.prepare()  # expect: TL103
        elif mode:
            self._prepared = None
        return self


class VigilantHead(GaussianHead):
    def forget(self, *_) -> None:
        self._prepared = None

    def _apply(self, fn, recurse=True):
        self.forget()
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args):
        super()._load_from_state_dict(*args)
        self.forget()

    def train(self, mode: bool = True):  # ok: TL103, TL108
        super().train(mode)
        self._prepared = None if mode else self.prepare()  # ok: TL103
        return self


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(6, 3)
    for cls, right in ((PreparedHead, False), (VigilantHead, True)):
        trained = nn.Sequential(cls())
        for _ in range(4):
            trained(torch.randn(16, 3) * 3)
        served = nn.Sequential(cls()).eval()
        served.load_state_dict(trained.state_dict())
        assert torch.allclose(served(x), trained.eval()(x), atol=1e-5) is right, cls
        try:
            served.double()(x.double())
            ok = True
        except RuntimeError:
            ok = False
        assert ok is right, cls
