"""A distribution holds its tensors where no module looks: a prior on a plain attribute stays where it was made."""
import torch
from torch import nn
from torch.distributions import Independent, MultivariateNormal, Normal, kl_divergence


class Flow(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(dim))
        self.prior = MultivariateNormal(torch.zeros(dim), torch.eye(dim))  # expect: TL101
        self.wide = Independent(Normal(torch.zeros(dim), 2 * torch.ones(dim)), 1)  # expect: TL101
        self.noise = Normal(0.0, 1.0)  # ok: TL101  numbers meet any device
        self.unit = Normal(torch.tensor(0.0), torch.tensor(1.0))  # ok: TL101  so do single ones
        self.draws = Normal(torch.zeros(dim), torch.ones(dim))  # ok: TL101  each draw is moved

    def forward(self, x):
        z = x * self.scale + self.draws.sample((len(x),)).to(x.device)
        return self.prior.log_prob(z) + self.wide.log_prob(z) + (self.noise.log_prob(z) + self.unit.log_prob(z)).sum(-1)


class Encoder(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.linear = nn.Linear(dim, 2 * dim)
        self.register_buffer("loc", torch.zeros(dim))
        self.register_buffer("spread", torch.ones(dim))
        self.first = Normal(torch.zeros(dim), torch.ones(dim))  # ok: TL101  nobody reads it

    @property
    def prior(self):
        return Normal(self.loc, self.spread)  # ok: TL101  made anew from buffers

    def forward(self, x):
        loc, spread = self.linear(x).chunk(2, dim=-1)
        return kl_divergence(Normal(loc, spread.exp()), self.prior)


def demonstrate():
    flow = Flow().to("meta")
    assert flow.scale.is_meta
    assert not any(one.mean.is_meta for one in (flow.prior, flow.wide))
    Encoder().double()(torch.randn(2, 3).double())
    narrow = Flow().half()
    assert narrow.prior.mean.dtype is torch.float32
