"""Reinforcement-learning modules whose own vocabulary (double, parameters, children) hides the methods of Module.

source: deepinv/deepinv#257 (attribute named like a method), double-Q agents and distribution heads of small repositories
rules: [TL108]
"""
import torch
from torch import nn


class QAgent(nn.Module):
    def __init__(self, obs: int = 3, actions: int = 2, double: bool = True):
        super().__init__()
        self.online, self.target = nn.Linear(obs, actions), nn.Linear(obs, actions)
        self.double = double  # expect: TL108

    def bootstrap(self, obs):
        values = self.target(obs)
        pick = (self.online(obs) if self.double else values).argmax(-1, keepdim=True)
        return values.gather(-1, pick)


class RenamedAgent(nn.Module):
    def __init__(self, obs: int = 3, actions: int = 2, double: bool = True):
        super().__init__()
        self.online, self.target = nn.Linear(obs, actions), nn.Linear(obs, actions)
        self.use_double = double  # ok: TL108

    def bootstrap(self, obs):
        values = self.target(obs)
        pick = (self.online(obs) if self.use_double else values).argmax(-1, keepdim=True)
        return values.gather(-1, pick)


class GaussianHead(nn.Module):
    def __init__(self, width: int = 4):
        super().__init__()
        self.net = nn.Linear(width, 2 * width)

    def parameters(self, h):  # expect: TL108
        mean, log_std = self.net(h).chunk(2, -1)
        return mean, log_std.exp()

    def forward(self, h):
        mean, std = self.parameters(h)
        return mean + std * torch.randn_like(std)


class LaplaceHead(nn.Module):
    def __init__(self, width: int = 4):
        super().__init__()
        self.net = nn.Linear(width, 2 * width)

    def distribution_parameters(self, h):  # ok: TL108
        return self.net(h).chunk(2, -1)

    def parameters(self, recurse: bool = True):  # ok: TL108
        """Same interface, the bias is left out of weight decay elsewhere."""
        return super().parameters(recurse)

    def forward(self, h):
        return self.distribution_parameters(h)[0]


class Tree:
    """No Module: free to use any name."""

    def __init__(self):
        self.children = []  # ok: TL108
        self.double = True  # ok: TL108

    def train(self, data):  # ok: TL108
        self.children.extend(data)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.zeros(1, 3)
    assert QAgent().bootstrap(x).shape == RenamedAgent().bootstrap(x).shape
    try:
        QAgent().double()
        raise AssertionError("a bool cannot be called")
    except TypeError:
        pass
    assert RenamedAgent().double().online.weight.dtype == torch.float64
    try:
        torch.optim.SGD(GaussianHead().parameters(), lr=0.1)
        raise AssertionError("the optimizer asks for parameters()")
    except TypeError:
        pass
    assert len(list(LaplaceHead().parameters())) == 2
