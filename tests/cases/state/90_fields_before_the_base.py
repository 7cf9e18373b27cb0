"""Agents whose constructors assign networks or buffers through a helper before the base constructor has run.

source: pytorch issue reports "cannot assign module before Module.__init__() call" in agent base classes; pytorch/pytorch#2641
rules: [TL109]
"""
from dataclasses import dataclass

import torch
from torch import nn


class Named:
    def __init__(self, name: str = "agent"):
        self.name = name


class Agent(nn.Module):
    def __init__(self, **extra):
        super().__init__()
        self.extra = extra

    def forward(self, x):
        return self.net(x)


class EarlyAgent(Agent):
    def __init__(self, obs: int, acts: int):
        self.obs, self.acts = obs, acts  # ok: TL109
        self.net = self.make(obs, acts)  # expect: TL109
        super().__init__(kind="early")

    @staticmethod
    def make(a, b):
        return nn.Sequential(nn.Linear(a, 8), nn.Tanh(), nn.Linear(8, b))


class ScaledAgent(Agent):
    def __init__(self, obs: int, scale: float = 1.0):
        gain = nn.Parameter(torch.tensor(scale))
        if scale != 1.0:
            self.gain = gain  # expect: TL109
        super().__init__()
        self.net = nn.Linear(obs, 2)


class MixedAgent(Named, nn.Module):
    """The first base does not pass on; torch's constructor is never reached before the assignment."""

    def __init__(self, obs: int):
        Named.__init__(self, "mixed")
        self.head = nn.Linear(obs, 2)  # expect: TL109
        nn.Module.__init__(self)


class OrderedAgent(Named, nn.Module):
    def __init__(self, obs: int):
        nn.Module.__init__(self)
        Named.__init__(self, "ordered")
        self.head = nn.Linear(obs, 2)  # ok: TL109


class LocalAgent(Agent):
    """Everything is built first, in locals, and plain values only are stored early."""

    def __init__(self, obs: int):
        net = EarlyAgent.make(obs, 2)
        self.width = net[0].out_features  # ok: TL109
        self.history: list = []  # ok: TL109
        super().__init__()
        self.net = net  # ok: TL109


@dataclass(eq=False)
class RecordAgent(nn.Module):
    obs: int  # ok: TL109
    body: nn.Module  # expect: TL109

    def __post_init__(self):
        super().__init__()

    def forward(self, x):
        return self.body(x)


@dataclass(eq=False)
class SettingsAgent(nn.Module):
    obs: int  # ok: TL109
    acts: int = 2  # ok: TL109

    def __post_init__(self):
        super().__init__()
        self.body = nn.Linear(self.obs, self.acts)  # ok: TL109


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for make in (
        lambda: EarlyAgent(3, 2), lambda: ScaledAgent(3, 2.0), lambda: MixedAgent(3), lambda: RecordAgent(3, nn.Linear(3, 2)),
    ):
        try:
            make()
            raise AssertionError("should not construct")
        except AttributeError as exc:
            assert "before Module.__init__" in str(exc), exc
    assert ScaledAgent(3)(torch.zeros(1, 3)).shape == (1, 2)
    assert OrderedAgent(3).head and LocalAgent(3).width == 8 and SettingsAgent(3).body
