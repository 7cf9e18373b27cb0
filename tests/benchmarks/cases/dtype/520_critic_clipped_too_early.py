"""A critic's weights are clipped through .data between forward and backward; the layers' backward reads the clipped weights.

source: WGAN training loops with the clipping in the wrong place; forum threads on .data edits before backward
rules: [TL305]
"""
import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self, dim: int = 3, width: int = 8):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, width), nn.LeakyReLU(0.2), nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x)


class Game:
    limit = 0.01

    def __init__(self, critic):
        self.critic = critic
        self.opt = torch.optim.RMSprop(critic.parameters(), lr=5e-5)

    def distance(self, real, fake):
        return self.critic(fake).mean() - self.critic(real).mean()

    def train(self, real, fake):
        raise NotImplementedError


class EarlyGame(Game):
    def train(self, real, fake):
        self.opt.zero_grad()
        loss = self.distance(real, fake)
        for p in self.critic.parameters():
            p.data.clamp_(-self.limit, self.limit)  # expect: TL305
        loss.backward()
        self.opt.step()
        return loss.detach()


class LateGame(Game):
    def train(self, real, fake):
        self.opt.zero_grad()
        loss = self.distance(real, fake)
        loss.backward()
        self.opt.step()
        for p in self.critic.parameters():
            p.data.clamp_(-self.limit, self.limit)  # ok: TL305
        return loss.detach()


class FirstGame(Game):
    """Clips before anything is computed."""

    def train(self, real, fake):
        for p in self.critic.parameters():
            p.data.clamp_(-self.limit, self.limit)  # ok: TL305
        self.opt.zero_grad()
        loss = self.distance(real, fake)
        loss.backward()
        self.opt.step()
        return loss.detach()


class Squashed(nn.Module):
    """A maker whose outputs are cut to the range of pictures after tanh-like squashing."""

    def __init__(self, dim: int = 3):
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, z):
        out = self.fc(z).exp()
        out.data.clamp_(max=1.0)  # expect: TL305
        return out


class Bounded(Squashed):
    def forward(self, z):
        return self.fc(z).exp().clamp(max=1.0)  # ok: TL305


class Shown(Squashed):
    """Cuts a copy for the display."""

    def forward(self, z):
        out = self.fc(z).exp()
        seen = out.data.clone()
        seen.clamp_(max=1.0)  # ok: TL305
        return out if self.training else seen


def demonstrate():
    real, fake = torch.randn(8, 3), torch.randn(8, 3)

    def slopes(game_cls, clip_first):
        torch.manual_seed(0)
        critic = Critic()
        if clip_first:
            for p in critic.parameters():
                p.data.clamp_(-Game.limit, Game.limit)
        want = torch.autograd.grad(game_cls(critic).distance(real, fake), list(critic.parameters()))
        game_cls(critic).train(real, fake)
        got = [p.grad for p in critic.parameters()]
        return all(torch.allclose(a, b) for a, b in zip(want, got))

    assert not slopes(EarlyGame, False)  # no error, other gradients
    assert slopes(LateGame, False) and slopes(FirstGame, True)
    z = torch.full((1, 3), 2.0)

    def grad(cls):
        torch.manual_seed(3)
        m = cls()
        with torch.no_grad():
            m.fc.weight.copy_(torch.eye(3)), m.fc.bias.zero_()
        m(z).sum().backward()
        return m.fc.bias.grad

    assert torch.equal(grad(Squashed), torch.ones(3))  # neither exp(2) nor the 0 of a clamp
    assert torch.equal(grad(Bounded), torch.zeros(3)) and torch.allclose(grad(Shown), torch.full((3,), 2.0).exp())
