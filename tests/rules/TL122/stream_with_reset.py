"""The state of a stream belongs to one signal: a method, or the owner, starts the next one."""
import torch
from torch import nn


class Smoother(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.level = torch.zeros(dim)  # ok: TL122  reset() puts it back
        self.seen = 0  # ok: TL122
        self.register_buffer("energy", torch.zeros(dim), persistent=False)  # ok: TL122
        self.register_buffer("total", torch.zeros(dim), persistent=False)  # expect: TL122  reset() forgets it

    def reset(self):
        self.level = torch.zeros(3)
        self.energy.zero_()
        self.seen = 0

    def forward(self, x):
        self.level = self.level * 0.9 + x.detach().mean(0) * 0.1
        self.energy += x.detach().square().mean(0)
        self.total += x.detach().sum(0)
        self.seen += 1
        return x - self.level / self.seen + self.energy + self.total


class Window(nn.Module):
    """What joins or shifts pieces keeps the last of a signal."""

    def __init__(self, dim: int = 3):
        super().__init__()
        self.tail = torch.zeros(2, dim)  # ok: TL122

    def forward(self, x):
        joined = torch.cat([self.tail, x])
        self.tail = joined[-2:].detach()
        return joined[:-2]


class Follower(nn.Module):
    def __init__(self):
        super().__init__()
        self.offset = torch.zeros(1)  # ok: TL122  the owner sets it

    def forward(self, x):
        self.offset = self.offset + x.detach().mean()
        return x - self.offset


class Owner(nn.Module):
    def __init__(self):
        super().__init__()
        self.follower = Follower()

    def forward(self, x):
        self.follower.offset = torch.zeros(1)
        return self.follower(x)


class WithStatisticsToo(nn.Module):
    """Only training updates it: reset_statistics() is for a new training run, not for a new signal."""

    def __init__(self, dim: int = 3):
        super().__init__()
        self.mean = torch.zeros(dim)  # expect: TL122

    def reset_statistics(self):
        self.mean = torch.zeros(3)

    def forward(self, x):
        if self.training:
            self.mean = 0.9 * self.mean + 0.1 * x.detach().mean(0)
        return x - self.mean


class Keys(nn.Module):
    """Keys of a stream, which an initialiser empties; of what was left out nobody empties anything."""

    def __init__(self, length: int = 4):
        super().__init__()
        self.register_buffer("keys", torch.zeros(length), persistent=False)  # ok: TL122
        self.register_buffer("seen", torch.zeros(length), persistent=False)  # expect: TL122

    def forward(self, position, x):
        seen = self.seen.index_add_(0, position, torch.ones_like(x))
        return self.keys.index_copy_(0, position, x) / seen.clamp(min=1)

    def reset_parameters(self):
        nn.init.zeros_(self.keys)


def demonstrate():
    used, fresh = Smoother(), Smoother()
    used(torch.ones(2, 3))
    fresh.load_state_dict(used.state_dict())
    used.reset()
    assert not torch.equal(used.total, fresh.total)
    assert torch.equal(used.level, fresh.level)
    assert torch.equal(used.energy, fresh.energy)
    used, fresh = WithStatisticsToo(), WithStatisticsToo()
    used(torch.ones(2, 3))
    fresh.load_state_dict(used.state_dict())
    assert not torch.equal(used.eval()(torch.ones(2, 3)), fresh.eval()(torch.ones(2, 3)))
    keys = Keys()
    keys(torch.tensor([0, 0]), torch.ones(2))
    keys.reset_parameters()
    assert not keys.keys.any() and keys.seen.any() and not keys.state_dict()
