"""Variational layer: the standard deviation is computed from rho once, in the constructor, so training rho changes nothing.

source: written from scratch after forum threads on weight uncertainty ("backward through the graph a second time")
rules: [TL106]
"""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class GaussianLinear(nn.Module):
    def __init__(self, n_in: int, n_out: int, rho: float = -3.0):
        super().__init__()
        self.mu = nn.Parameter(torch.randn(n_out, n_in) * 0.1)
        self.rho = nn.Parameter(torch.full((n_out, n_in), rho))
        self.log_gain = nn.Parameter(torch.zeros(n_out))
        self.finish()

    def finish(self) -> None:
        pass

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        w = self.mu
        if self.training:
            w = w + self.sigma * torch.randn_like(w)
        return F.linear(x, w) * self.gain

    def kl(self) -> torch.Tensor:
        return 0.5 * (self.mu**2 + self.sigma**2 - 2 * self.sigma.log() - 1).sum()


class FixedSigmaLinear(GaussianLinear):
    def finish(self):
        self.sigma = F.softplus(self.rho)  # expect: TL106
        self.register_buffer("gain", self.log_gain.detach().exp())  # expect: TL106


class PropertySigmaLinear(GaussianLinear):
    @property
    def sigma(self) -> torch.Tensor:
        return F.softplus(self.rho)  # ok: TL106, TL112

    @property
    def gain(self) -> torch.Tensor:
        return self.log_gain.exp()  # ok: TL106, TL112


class SmoothedLinear(PropertySigmaLinear):
    """Keeps a running average of the means: it starts from a Parameter and is then written on its own."""

    def finish(self):
        self.register_buffer("mu_avg", self.mu.detach().clone())  # ok: TL106
        self.weight = self.mu  # ok: TL106, TL101  (a second name for the Parameter itself)
        self.fan_in = self.mu.shape[1]  # ok: TL106, TL101

    @torch.no_grad()
    def track(self, rate: float = 0.1) -> None:
        self.mu_avg.lerp_(self.mu, rate)

    def predict(self, x: torch.Tensor) -> torch.Tensor:
        return F.linear(x, self.mu_avg) * self.gain


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(5, 4)
    for cls, right in ((FixedSigmaLinear, False), (PropertySigmaLinear, True), (SmoothedLinear, True)):
        m, twin = cls(4, 3), cls(4, 3, rho=1.0)
        opt = torch.optim.SGD(m.parameters(), lr=0.1)
        try:
            for _ in range(2):
                opt.zero_grad()
                (m(x).pow(2).mean() + m.kl() * 1e-2).backward()
                opt.step()
            ok = True
        except RuntimeError as exc:
            assert "second time" in str(exc), exc
            ok = False
        assert ok is right, cls
        sd = {k: v for k, v in twin.state_dict().items() if k in dict(m.named_parameters())}
        m.load_state_dict(sd, strict=False)
        assert torch.allclose(m.sigma, F.softplus(m.rho)) is right, cls
        assert torch.allclose(m.gain, m.log_gain.exp()) is right or cls is FixedSigmaLinear
    step = FixedSigmaLinear(4, 3)
    with torch.no_grad():
        step.log_gain.add_(1.0)
    assert not torch.allclose(step.gain, step.log_gain.exp()), "the gain never follows its Parameter"
    try:
        copy.deepcopy(FixedSigmaLinear(4, 3))
        raise AssertionError("a non-leaf attribute cannot be deep-copied")
    except RuntimeError:
        pass
    s = SmoothedLinear(4, 3)
    with torch.no_grad():
        s.mu.add_(1.0)
    s.track(1.0)
    assert torch.allclose(s.mu_avg, s.mu) and s.weight is s.mu and s.predict(x).shape == (5, 3)
