"""Target networks of an actor-critic follow through foreach calls over lists of parameters; normalisation never arrives.

source: rosinality/stylegan2-pytorch#172 (accumulate over parameters), CrossQ-like critics, lucidrains/ema-pytorch#8
rules: [TL117]
"""
import copy
from typing import Dict

import torch
from torch import nn


def critic(obs: int, acts: int) -> nn.Module:
    return nn.Sequential(nn.BatchNorm1d(obs + acts, momentum=0.5), nn.Linear(obs + acts, 4), nn.ReLU(), nn.Linear(4, 1))


def actor(obs: int, acts: int) -> nn.Module:
    return nn.Sequential(nn.LayerNorm(obs), nn.Linear(obs, acts), nn.Tanh())


def plist(net: nn.Module) -> list:
    return [p.detach() for p in net.parameters()]


class Twins:
    """Online networks and their slow copies, by role."""

    def __init__(self, tau: float = 0.5, obs: int = 3, acts: int = 1):
        self.tau = tau
        self.online: Dict[str, nn.Module] = {"q": critic(obs, acts)}
        self.slow = {k: copy.deepcopy(n).eval().requires_grad_(False) for k, n in self.online.items()}

    def follow(self) -> None:
        raise NotImplementedError

    def value(self, sa: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            return self.slow["q"](sa)


class ForeachTwins(Twins):
    def follow(self):
        for role, net in self.online.items():
            torch._foreach_lerp_(plist(self.slow[role]), plist(net), self.tau)  # expect: TL117


class CompleteTwins(Twins):
    def follow(self):
        for role, net in self.online.items():
            slow = self.slow[role]
            torch._foreach_lerp_(plist(slow), plist(net), self.tau)  # ok: TL117
            for mine, theirs in zip(slow.buffers(), net.buffers()):  # ok: TL110, TL111
                mine.copy_(theirs)


class ActorTwins:
    """Nothing in the actor has a buffer, so its parameters are all there is."""

    def __init__(self, tau: float = 0.5):
        self.online = actor(3, 1)
        self.slow = copy.deepcopy(self.online)
        self.tau = tau

    @torch.no_grad()
    def follow(self) -> None:
        for mine, theirs in zip(self.slow.parameters(), self.online.parameters()):  # ok: TL117
            mine.lerp_(theirs, self.tau)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, follows in ((ForeachTwins, False), (CompleteTwins, True)):
        torch.manual_seed(0)
        t = cls()
        for _ in range(20):
            t.online["q"].train()(torch.randn(16, 4) * 3 + 8)
            t.follow()
        sa = torch.randn(5, 4) * 3 + 8
        t.online["q"].eval()
        assert torch.allclose(t.value(sa), t.online["q"](sa), atol=1e-4) is follows, cls
    a = ActorTwins()
    a.online[1].weight.data.add_(1.0)
    for _ in range(40):
        a.follow()
    x = torch.randn(2, 3)
    assert torch.allclose(a.slow(x), a.online(x), atol=1e-4) and not list(a.online.buffers())
