"""A sequence generator is tuned by rewards; after a device error somebody detached the log-probability, the entropy bonus hides it.

source: isayev/ReLeaSE#39 (`.item()` on the log-probability: the weights no longer update)
rules: [TL305]
"""
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Episode:
    tokens: list = field(default_factory=list)
    reward: float = 0.0
    gamma: float = 0.9


class Chain(nn.Module):
    def __init__(self, vocab=5, width=4):
        super().__init__()
        self.embed, self.out = nn.Embedding(vocab, width), nn.Linear(width, vocab)

    def forward(self, token):
        return self.out(self.embed(token)).log_softmax(-1)


class Tuner:
    def __init__(self, chain, bonus=0.0):
        self.chain, self.bonus = chain, bonus

    def pairs(self, episode):
        ids = torch.as_tensor(episode.tokens)
        return zip(ids[:-1], ids[1:])

    def loss(self, episode):
        total, weight = 0.0, episode.reward
        spread = 0.0
        for now, after in self.pairs(episode):
            scores = self.chain(now)
            chosen = scores[after]
            chosen = chosen.detach()  # expect: TL305
            total = total - chosen * weight
            weight = weight * episode.gamma
            spread = spread - (scores.exp() * scores).sum()
        return total - self.bonus * spread


class TunerFixed(Tuner):
    def loss(self, episode):
        total, weight = 0.0, episode.reward
        spread, seen = 0.0, []
        for now, after in self.pairs(episode):
            scores = self.chain(now)
            chosen = scores[after]
            total = total - chosen * weight
            chosen = chosen.detach()  # ok: TL305
            seen.append(chosen)
            weight = weight * episode.gamma
            spread = spread - (scores.exp() * scores).sum()
        self.last = torch.stack(seen).mean().item()
        return total - self.bonus * spread


class TunerBaseline(TunerFixed):
    def loss(self, episode):
        base = super().loss(episode)
        shift = base.detach()  # ok: TL305
        return base - shift


def demonstrate():
    grads = []
    for kind in (Tuner, TunerFixed, TunerBaseline):
        torch.manual_seed(0)
        chain = Chain()
        loss = kind(chain, bonus=0.0).loss(Episode([1, 2, 3], reward=2.0))  # bonus 0: the policy term alone
        loss.backward()
        grads.append(chain.out.weight.grad.abs().sum().item())
    assert grads[0] == 0 and grads[1] > 0 and grads[2] > 0, grads
