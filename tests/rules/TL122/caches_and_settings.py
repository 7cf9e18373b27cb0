"""What is made again from sizes and settings is the same after a load: caches, tables, setters."""
import torch
from torch import nn


class Ramp(nn.Module):
    def __init__(self):
        super().__init__()
        self.length = 0  # ok: TL122
        self.register_buffer("ramp", torch.zeros(0), persistent=False)  # ok: TL122
        self.register_buffer("table", torch.zeros(4), persistent=False)  # ok: TL122
        self.register_buffer("mean", torch.zeros(1), persistent=False)  # expect: TL122
        self.scale = torch.ones(1)  # expect: TL101  # ok: TL122  a setter computes nothing
        self.fill()

    def fill(self):
        self.table.copy_(torch.linspace(0, 1, 4))

    def set_scale(self, scale: torch.Tensor):
        self.scale = scale

    def forward(self, x):
        if x.shape[-1] > self.length:
            self.length = x.shape[-1]
            self.ramp = torch.arange(self.length, device=x.device, dtype=x.dtype)
        if self.training:
            self.mean.copy_(x.detach().mean())
        return x * self.ramp[: x.shape[-1]].to(x) + self.table.sum() - self.mean * self.scale


class Fitted(nn.Module):
    """fit() measures; a checkpoint without its results is worth nothing."""

    def __init__(self):
        super().__init__()
        self.mean = None  # expect: TL122
        self.name = None  # ok: TL122

    def fit(self, x):
        self.mean = x.mean(0)
        self.name = "fitted"

    def forward(self, x):
        return x - self.mean


def demonstrate():
    trained, resumed = Ramp(), Ramp()
    trained(torch.ones(2, 4))
    resumed.load_state_dict(trained.state_dict())
    x = torch.ones(1, 4)
    assert torch.equal(trained.eval()(x) + trained.mean, resumed.eval()(x) + resumed.mean)
    assert not torch.equal(trained.mean, resumed.mean)
    fitted = Fitted()
    fitted.fit(torch.ones(2, 2))
    assert not fitted.state_dict()
