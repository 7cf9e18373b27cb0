"""Bayesian layers draw their weights once per evaluation phase and keep the draw in a dict that only train(True) empties.

source: piEsposito/blitz-bayesian-deep-learning (freeze/unfreeze of the sampled weight), cornellius-gp/gpytorch#1311 (what else must clear)
rules: [TL103]
"""
from typing import Dict

import torch
from torch import nn
from torch.nn import functional as F


class Gaussian(nn.Module):
    def __init__(self, *shape: int, spread: float = -3.0):
        super().__init__()
        self.mu = nn.Parameter(torch.randn(*shape) * 0.1)
        self.rho = nn.Parameter(torch.full(shape, spread))

    def draw(self) -> torch.Tensor:
        return self.mu + F.softplus(self.rho) * torch.randn_like(self.mu)


class VariationalLinear(nn.Module):
    def __init__(self, n_in: int, n_out: int, spread: float = -3.0):
        super().__init__()
        self.posterior = nn.ModuleDict({"w": Gaussian(n_out, n_in, spread=spread), "b": Gaussian(n_out, spread=spread)})
        self.drawn: Dict[str, torch.Tensor] = {}

    def current(self) -> Dict[str, torch.Tensor]:
        return {k: g.draw() for k, g in self.posterior.items()}

    def forward(self, x):
        p = self.drawn or self.current()
        return F.linear(x, p["w"], p["b"])


class FixedDrawLinear(VariationalLinear):
    def train(self, mode: bool = True):
        super().train(mode)
        with torch.no_grad():
            if mode:
                self.drawn.clear()
            else:
                self.drawn.update(self.current())  # expect: TL103
        return self


class RedrawnLinear(VariationalLinear):
    """Every event that changes or converts the posterior throws the draw away; the next forward asks for fresh weights."""

    def _forget(self, *_) -> None:
        self.drawn.clear()

    def _load_from_state_dict(self, *args, **kwargs):
        self._forget()
        super()._load_from_state_dict(*args, **kwargs)

    def _apply(self, fn, recurse=True):
        self._forget()
        return super()._apply(fn, recurse)

    def train(self, mode: bool = True):  # ok: TL103, TL108
        super().train(mode)
        self._forget()
        if not mode:
            with torch.no_grad():
                self.drawn.update(self.current())  # ok: TL103
        return self


class Regressor(nn.Module):
    def __init__(self, layer=VariationalLinear):
        super().__init__()
        self.body = nn.Sequential(layer(3, 5, spread=-30.0), nn.Tanh(), layer(5, 1, spread=-30.0))

    def forward(self, x):
        return self.body(x)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(4, 3)
    for layer, faithful in ((FixedDrawLinear, False), (RedrawnLinear, True)):
        trained = Regressor(layer)
        serving = Regressor(layer).eval()
        serving.load_state_dict(trained.state_dict())
        assert torch.allclose(serving(x), trained(x), atol=1e-4) is faithful, layer
        serving = Regressor(layer).eval().double()
        try:
            ok = serving(x.double()).dtype == torch.float64
        except RuntimeError:
            ok = False
        assert ok is faithful, layer
