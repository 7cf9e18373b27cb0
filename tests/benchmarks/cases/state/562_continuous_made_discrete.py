"""A state-space layer turns its continuous matrices into discrete ones when it enters eval mode; loading or converting later goes unnoticed.

source: kind of microsoft/LoRA#190, cornellius-gp/gpytorch#1308 (values prepared for eval outlive a load); state-space layers, rebuilt from scratch
rules: [TL103, TL303]
"""
import torch
from torch import nn


class Dynamics(nn.Module):
    def __init__(self, size: int = 3):
        super().__init__()
        self.rate = nn.Parameter(torch.zeros(size))
        self.step = nn.Parameter(torch.full((size,), -1.0))
        self.inp = nn.Linear(2, size)

    def discretise(self):
        return torch.exp(-torch.exp(self.rate) * torch.exp(self.step))

    def bar(self):
        return self.discretise()

    def forward(self, u):
        a, x = self.bar(), 0.0
        for v in self.inp(u).unbind(1):
            x = a * x + v
        return x


class PreparedDynamics(Dynamics):
    prepared = None

    @torch.no_grad()
    def train(self, mode: bool = True):
        super().train(mode)
        self.prepared = None if mode else self.discretise()  # expect: TL103
        return self

    def bar(self):
        return self.discretise() if self.prepared is None else self.prepared


class LazyDynamics(Dynamics):
    """Prepared by the first evaluation batch; train() in both directions forgets it, nothing else does."""

    def __init__(self, size: int = 3):
        super().__init__(size)
        self._bar = None

    def train(self, mode: bool = True):  # expect: TL103
        self._bar = None
        return super().train(mode)

    def bar(self):
        if self.training:
            return self.discretise()
        if self._bar is None:
            self._bar = self.discretise().detach()  # use: TL104, TL102
        return self._bar


class ForgettingDynamics(LazyDynamics):
    def train(self, mode: bool = True):  # ok: TL103, TL108
        self._bar = None
        return super().train(mode)

    def _apply(self, fn, recurse=True):
        self._bar = None
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args, **kwargs):
        self._bar = None
        super()._load_from_state_dict(*args, **kwargs)


class Runner:
    """Inference: loads what training has written."""

    def __init__(self, net: PreparedDynamics, dtype=torch.float32):
        self.net = net
        net.eval()
        self.net.to(dtype)  # expect: TL303

    @torch.no_grad()
    def __call__(self, u):
        return self.net(u)


class CarefulRunner(Runner):
    def __init__(self, net: PreparedDynamics, dtype=torch.float32):
        self.net = net.to(dtype)  # ok: TL303
        self.net.eval()


def plain_runner(net: Dynamics, dtype):
    net = net.eval()
    return net.to(dtype)  # ok: TL303


# ---- demonstration: not part of the graded code ----
def demonstrate():
    u = torch.randn(1, 4, 2)
    for cls, right in ((PreparedDynamics, False), (LazyDynamics, False), (ForgettingDynamics, True), (Dynamics, True)):
        torch.manual_seed(0)
        m = cls().eval()
        with torch.no_grad():
            m(u)
            other = cls()
            other.rate.add_(2.0)
            m.load_state_dict(other.state_dict())
            assert torch.allclose(m(u), other(u)) is right, cls
    assert Runner(PreparedDynamics(), torch.float64).net.prepared.dtype is torch.float32
    assert CarefulRunner(PreparedDynamics(), torch.float64).net.prepared.dtype is torch.float64
    assert plain_runner(Dynamics(), torch.float64)(u.double()).dtype is torch.float64
