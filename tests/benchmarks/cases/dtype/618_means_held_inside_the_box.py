"""A squashed policy holds its means inside the box by clamping tanh's result through .data, which tanh's backward reads again.

source: reports of policies stuck at the action bounds; .data writes behind autograd (pytorch docs on Tensor.data)
rules: [TL305]
"""
import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self, obs=4, act=2):
        super().__init__()
        self.net = nn.Linear(obs, act)

    def mean(self, obs):
        mean = torch.tanh(self.net(obs))
        mean.data.clamp_(-0.9, 0.9)  # expect: TL305
        return mean

    def forward(self, obs):
        return self.mean(obs)


class PolicyClamp(Policy):
    def mean(self, obs):
        return torch.tanh(self.net(obs)).clamp(-0.9, 0.9)  # ok: TL305


class PolicyDraw(Policy):
    """The written tensor is a copy for the environment; nobody differentiates it."""

    def act(self, obs):
        action = self.mean(obs).detach().clone()
        action.data.clamp_(-0.5, 0.5)  # ok: TL305
        return action

    def mean(self, obs):
        return torch.tanh(self.net(obs))


class PolicyWeights(PolicyDraw):
    """Bounds weights between two updates: no graph is alive."""

    def bound(self, c=0.1):
        for p in self.parameters():
            p.data.clamp_(-c, c)  # ok: TL305


def update(policy, obs, advantage):
    policy.zero_grad()
    loss = -(policy(obs).sum(1) * advantage).mean()
    loss.backward()
    return policy.net.weight.grad.clone()


def demonstrate():
    torch.manual_seed(0)
    obs, adv = 3 * torch.randn(8, 4), torch.randn(8)
    bad, plain = Policy(), PolicyDraw()
    plain.load_state_dict(bad.state_dict())
    with torch.no_grad():
        bad.net.weight.mul_(3), plain.net.weight.mul_(3)
    wrong = update(bad, obs, adv)  # no error, wrong numbers: 1 - 0.9 ** 2 where 1 - tanh ** 2 is due
    assert not torch.allclose(wrong, update(plain, obs, adv))
    fixed = PolicyClamp()
    fixed.load_state_dict(plain.state_dict())
    assert not torch.allclose(wrong, update(fixed, obs, adv))
    assert plain.act(obs).abs().max() <= 0.5
    PolicyWeights().bound()
