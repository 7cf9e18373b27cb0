"""A buffer that each call overwrites before it reads it carries nothing on, though in-place steps follow."""
import torch
from torch import nn


class Controller(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("integral", torch.zeros(()))
        self.register_buffer("work", torch.zeros(()), persistent=False)  # ok: TL122

    def forward(self, x):
        if self.training:
            self.advance(x.detach().mean())
        return x * torch.sigmoid(self.integral)

    def advance(self, error):
        self.work.copy_(error).mul_(0.1)
        self.integral += self.work


class Lagging(nn.Module):
    """It is read before it is overwritten."""

    def __init__(self):
        super().__init__()
        self.register_buffer("work", torch.zeros(()), persistent=False)  # expect: TL122

    def forward(self, x):
        out = x * torch.sigmoid(self.work)
        self.work.copy_(x.detach().mean()).mul_(0.1)
        return out


class Collecting(nn.Module):
    """What is added to it stays."""

    def __init__(self):
        super().__init__()
        self.register_buffer("work", torch.zeros(()), persistent=False)  # expect: TL122

    def forward(self, x):
        self.work.add_(x.detach().mean()).mul_(0.5)
        return x * torch.sigmoid(self.work)


class ZeroedFirst(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("work", torch.zeros(()), persistent=False)  # ok: TL122

    def forward(self, x):
        self.work.zero_().add_(x.detach().mean())
        return x * torch.sigmoid(self.work)


def demonstrate():
    x = torch.ones(2)
    for kind, is_kept in ((Controller, True), (Lagging, False), (Collecting, False), (ZeroedFirst, True)):
        run, resumed = kind(), kind()
        for _ in range(3):
            run(x)
        resumed.load_state_dict(run.state_dict())
        assert torch.equal(run.eval()(x), resumed.eval()(x)) is is_kept
