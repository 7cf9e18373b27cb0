"""A network that is converted runs the functions that its constructor has as defaults, and those its makers give."""
import torch
from torch import nn


def unit(x, eps=1e-8):
    return x / x.norm(dim=-1, keepdim=True).clamp(min=eps)  # expect: TL302


def unit_coarse(x, eps=1e-4):
    return x / x.norm(dim=-1, keepdim=True).clamp(min=eps)  # ok: TL302


def scaled(x):
    return x / (x.abs().sum(-1, keepdim=True) + 1e-12)  # expect: TL302


def scaled_wide(x):
    wide = x.float()
    return wide / (wide.abs().sum(-1, keepdim=True) + 1e-12)  # ok: TL302


def apart(x):
    return x / (x.abs().sum(-1, keepdim=True) + 1e-12)  # ok: TL302  no network runs it


class Pose(nn.Module):
    def __init__(self, form=unit, scale=scaled_wide):
        super().__init__()
        self.out = nn.Linear(3, 4)
        self.form, self.scale = form, scale

    def forward(self, x):
        return self.form(self.out(x)) + self.scale(x).sum(-1, keepdim=True)


def served(x):
    net = Pose(unit_coarse, scaled).half().eval()
    return net(x.half())


def demonstrate():
    assert served(torch.rand(2, 3)).dtype == torch.float16
    with torch.no_grad():
        assert served(torch.zeros(2, 3)).isnan().all()
    assert not Pose()(torch.zeros(2, 3)).isnan().any()
    assert not apart(torch.zeros(1, 4)).isnan().any()
