"""A latent prior learns the factor of its covariance; one class multiplies it out once, another loses the factor on the way to a dtype.

source: KhrulkovV/tt-pytorch#4 (a constant derived from a weight), pytorch/pytorch#17484 (an operation on a Parameter gives a plain tensor)
rules: [TL106, TL114]
"""
import torch
from torch import nn


class Prior(nn.Module):
    def __init__(self, dim: int = 2, dtype: torch.dtype = torch.float64):
        super().__init__()
        self.dim = dim
        self.factor = nn.Parameter(torch.eye(dim, dtype=dtype) * 2)
        self.derive()

    def derive(self) -> None:
        pass

    def covariance(self):
        return self.factor @ self.factor.mT

    def forward(self, z):
        cov = self.covariance()
        solved = torch.linalg.solve(cov, z.unsqueeze(-1)).squeeze(-1)
        return -0.5 * ((z * solved).sum(-1) + torch.logdet(cov))


class OncePrior(Prior):
    def derive(self):
        with torch.no_grad():
            cov = self.factor @ self.factor.mT
        self.register_buffer("cov", cov, persistent=False)  # expect: TL106

    def covariance(self):
        return self.cov


class PlainOncePrior(Prior):
    def derive(self):
        self.precision = torch.cholesky_inverse(self.factor.detach())  # expect: TL106

    def covariance(self):
        return torch.linalg.inv(self.precision)


class EachTimePrior(Prior):
    """Only a size is taken from the factor."""

    def derive(self):
        self.entries = self.factor.numel()  # ok: TL106

    def forward(self, z):
        return super().forward(z) / self.entries * self.dim**2


class FollowingPrior(Prior):
    """An average that starts from the factor and is written at every call."""

    def derive(self):
        self.register_buffer("slow", self.factor.detach().clone())  # ok: TL106

    def covariance(self):
        if self.training:
            self.slow = torch.lerp(self.slow, self.factor.detach(), 0.5)
        return self.slow @ self.slow.mT


class LostPrior(Prior):
    def __init__(self, dim: int = 2, dtype: torch.dtype = torch.float64):
        nn.Module.__init__(self)
        self.dim = dim
        self.factor = nn.Parameter(torch.eye(dim)).to(dtype)  # expect: TL114


class ScaledPrior(Prior):
    def __init__(self, dim: int = 2, dtype: torch.dtype = torch.float64):
        nn.Module.__init__(self)
        self.dim = dim
        self.factor = 2 * nn.Parameter(torch.eye(dim, dtype=dtype))  # expect: TL114


class FlaggedPrior(Prior):
    """requires_grad_ hands the Parameter itself back."""

    def __init__(self, dim: int = 2, dtype: torch.dtype = torch.float64):
        nn.Module.__init__(self)
        self.dim = dim
        self.factor = nn.Parameter(torch.eye(dim).to(dtype) * 2).requires_grad_(True)  # ok: TL114


# ---- demonstration: not part of the graded code ----
def demonstrate():
    z = torch.randn(3, 2, dtype=torch.float64)
    other = {"factor": torch.eye(2, dtype=torch.float64) * 5}
    want = Prior()
    want.load_state_dict(other)
    for cls, right in ((OncePrior, False), (PlainOncePrior, False), (EachTimePrior, True)):
        m = cls()
        m.load_state_dict(other, strict=False)
        assert torch.allclose(m(z), want(z)) is right, cls
    for cls, learns in ((LostPrior, False), (ScaledPrior, False), (FlaggedPrior, True), (FollowingPrior, True)):
        assert ("factor" in dict(cls().named_parameters())) is learns, cls
        assert cls()(z).shape == (3,)
