"""A driving agent has a frozen camera network and train() methods of its own; the modes of the parts do not end up as meant.

source: Lightning-AI/pytorch-lightning#18930, open-mmlab/mmpretrain#1383 (train() overrides), jfzhang95/pytorch-deeplab-xception#140 (frozen norms)
rules: [TL108, TL118]
"""
import torch
from torch import nn


def camera() -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.AdaptiveAvgPool2d(1), nn.Flatten())


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.eyes = camera()
        self.policy = nn.Sequential(nn.Dropout(0.5), nn.Linear(4, 2))
        self.freeze_eyes()

    def freeze_eyes(self) -> None:
        self.eyes.eval()  # expect: TL118
        for p in self.eyes.parameters():
            p.requires_grad_(False)

    def forward(self, frame):
        return self.policy(self.eyes(frame))


class PinnedAgent(Agent):
    def freeze_eyes(self):
        self.eyes.eval()  # ok: TL118
        self.eyes.requires_grad_(False)

    def train(self, mode: bool = True):  # ok: TL108
        super().train(mode)
        self.eyes.eval()
        return self


class NoModeAgent(PinnedAgent):
    """eval() of a module calls train(False)."""

    def train(self):  # expect: TL108
        super().train()
        self.eyes.eval()
        return self


class SilentAgent(PinnedAgent):
    def train(self, mode: bool = True):  # expect: TL108
        self.training = mode
        self.policy.train(mode)


class SelfMadeAgent(PinnedAgent):
    """Writes the recursion itself, leaving the eyes out."""

    def train(self, mode: bool = True):  # ok: TL108
        self.training = mode
        for name, part in self.named_children():
            part.train(mode and name != "eyes")
        return self


def fit(agent: Agent, frames, actions, epochs: int = 1):
    opt = torch.optim.SGD([p for p in agent.parameters() if p.requires_grad], lr=0.1)
    for _ in range(epochs):
        agent.train()
        opt.zero_grad()
        nn.functional.cross_entropy(agent(frames), actions).backward()
        opt.step()
    return agent


# ---- demonstration: not part of the graded code ----
def demonstrate():
    frames, actions = torch.randn(2, 3, 5, 5) + 4, torch.tensor([0, 1])
    for cls, still in ((Agent, False), (PinnedAgent, True), (SelfMadeAgent, True)):
        agent = cls()
        before = agent.eyes[1].running_mean.clone()
        fit(agent, frames, actions)
        assert torch.equal(agent.eyes[1].running_mean, before) is still, cls
        assert agent.policy[0].training and not agent.eval().policy[0].training
    try:
        NoModeAgent().eval()
        raise AssertionError("train() took a mode")
    except TypeError as exc:
        assert "positional argument" in str(exc), exc
    assert SilentAgent().train(False) is None
