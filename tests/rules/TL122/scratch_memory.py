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


class ZeroedAbove(nn.Module):
    """A statement above puts it back, and nothing reads it before."""

    def __init__(self):
        super().__init__()
        self.register_buffer("marks", torch.zeros(2, 4), persistent=False)  # ok: TL122

    def forward(self, x):
        self.marks.zero_()
        index = x.detach().long().view(-1, 1)
        marked = self.marks.scatter_(1, index, 1)
        return x + marked[:, 1]


class ZeroedAtTimes(nn.Module):
    """Most calls add to what the last one left."""

    def __init__(self):
        super().__init__()
        self.register_buffer("marks", torch.zeros(2, 4), persistent=False)  # expect: TL122

    def forward(self, x):
        if x.sum() > 100:
            self.marks.zero_()
        index = x.detach().long().view(-1, 1)
        marked = self.marks.scatter_add_(1, index, x.detach().view(-1, 1))
        return x + marked[:, 1]


class ZeroedInPart(nn.Module):
    """One row begins anew, the other goes on."""

    def __init__(self):
        super().__init__()
        self.register_buffer("marks", torch.zeros(2, 4), persistent=False)  # expect: TL122

    def forward(self, x):
        self.marks[0].zero_()
        index = x.detach().long().view(-1, 1)
        marked = self.marks.scatter_add_(1, index, x.detach().view(-1, 1))
        return x + marked[:, 1]


class ZeroedAfterwards(nn.Module):
    """It is read before it is zeroed."""

    def __init__(self):
        super().__init__()
        self.register_buffer("marks", torch.zeros(2, 4), persistent=False)  # expect: TL122

    def forward(self, x):
        out = x * self.marks[:, 1].sigmoid()
        self.marks.zero_()
        self.marks.scatter_add_(1, x.detach().long().view(-1, 1), x.detach().view(-1, 1))
        return out


class ItemByItem(nn.Module):
    """Both items are written before the vector is computed from itself."""

    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.ones(2), persistent=False)  # ok: TL122

    def forward(self, x):
        self.scale[0] = x.detach().max()
        self.scale[1] = x.detach().min()
        self.scale = self.scale / (self.scale + 1) * 2.0
        return self.scaled(x)

    def scaled(self, x):
        return x * self.scale


class AllItems(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.ones(2), persistent=False)  # ok: TL122

    def forward(self, x):
        self.scale[:] = x.detach()
        self.scale = self.scale / (self.scale + 1)
        return self.scaled(x)

    def scaled(self, x):
        return x * self.scale


class OneItem(nn.Module):
    """The other item goes on."""

    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.ones(2), persistent=False)  # expect: TL122

    def forward(self, x):
        self.scale[0] = x.detach().max()
        self.scale = self.scale / (self.scale + 1)
        return self.scaled(x)

    def scaled(self, x):
        return x * self.scale


class ItemsOfTheOld(nn.Module):
    """Each item is made of the old one."""

    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.ones(2), persistent=False)  # expect: TL122

    def forward(self, x):
        self.scale[:] = self.scale * 0.9 + x.detach() * 0.1
        self.scale = self.scale / (self.scale + 1)
        return self.scaled(x)

    def scaled(self, x):
        return x * self.scale


def demonstrate():
    x = torch.ones(2)
    kept, lost = (
        (Controller, ZeroedFirst, ZeroedAbove, ItemByItem, AllItems),
        (Lagging, Collecting, ZeroedAtTimes, ZeroedInPart, ZeroedAfterwards, OneItem, ItemsOfTheOld),
    )
    for kind, is_kept in (*((one, True) for one in kept), *((one, False) for one in lost)):
        run, resumed = kind(), kind()
        for _ in range(3):
            run(x)
        resumed.load_state_dict(run.state_dict())
        assert torch.equal(run.eval()(x), resumed.eval()(x)) is is_kept
