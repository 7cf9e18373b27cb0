"""A mixture-density head switches autocast off with a decorator on its own forward and projects what its parent computed in bf16.

source: pytorch/pytorch#79085, ucla-mobility/V2V4Real#30 kind (a float32 module behind an autocast one)
rules: [TL409]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Mixture(nn.Module):
    def __init__(self, dim, parts=2):
        super().__init__()
        self.mean, self.spread = nn.Parameter(torch.randn(parts, dim)), nn.Linear(dim, parts)

    @torch.autocast(KIND, enabled=False)
    def forward(self, h):
        width = F.softplus(self.spread(h))  # expect: TL409
        return F.linear(h.float(), self.mean) / width  # ok: TL409


class CastMixture(Mixture):
    @torch.autocast(KIND, enabled=False)
    def forward(self, h):
        h = h.to(self.mean.dtype)
        return F.linear(h, self.mean) / F.softplus(self.spread(h))  # ok: TL409


class JoinedMixture(Mixture):
    """cat with a float32 column is float32 as a whole."""

    def __init__(self, dim, parts=2):
        super().__init__(dim, parts)
        self.spread = nn.Linear(dim + 1, parts)

    @torch.autocast(KIND, enabled=False)
    def forward(self, h):
        ones = torch.ones(len(h), 1, device=h.device)
        return F.softplus(self.spread(torch.cat([h, ones], dim=1)))  # ok: TL409


class Policy(nn.Module):
    head = Mixture

    def __init__(self, obs=3, dim=8):
        super().__init__()
        self.body = nn.Linear(obs, dim)
        self.top = self.head(dim)

    def forward(self, obs):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            h = torch.tanh(self.body(obs))
            return self.top(h)


class CastPolicy(Policy):
    head = CastMixture


class JoinedPolicy(Policy):
    head = JoinedMixture


def evaluate(policy, obs):
    """Without any region the decorator changes nothing."""
    return policy.top(torch.tanh(policy.body(obs)))


def demonstrate():
    torch.manual_seed(0)
    obs = torch.randn(4, 3, device=KIND)
    try:
        Policy().to(KIND)(obs)
        raise AssertionError("bf16 went through a float32 layer")
    except RuntimeError as err:
        assert "type" in str(err), err
    for cls in (CastPolicy, JoinedPolicy):
        assert cls().to(KIND)(obs).dtype is torch.float32
    assert evaluate(Policy().to(KIND), obs).shape == (4, 2)
