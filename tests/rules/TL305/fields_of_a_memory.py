"""A memory keeps records and tuples; the column of recorded values is rebuilt, and loses its graph."""
from collections import namedtuple
from typing import NamedTuple

import torch
from torch import nn
from torch.distributions import Categorical
from torch.nn import functional as F

Turn = namedtuple("Turn", ["score", "reward"])


class Move(NamedTuple):
    score: torch.Tensor
    reward: float


class Player:
    def __init__(self, policy: nn.Module):
        self.policy, self.turns, self.moves, self.pairs = policy, [], [], []

    def play(self, states):
        for state in states:
            dist = Categorical(logits=self.policy(state))
            action = dist.sample()
            score, reward = dist.log_prob(action), float(action)
            self.turns.append(Turn(score, reward))
            self.moves.append(Move(score=score, reward=reward))
            self.pairs.append((reward, score))

    def by_columns(self):
        scores, rewards = zip(*self.turns)
        gains = torch.tensor(rewards)  # ok: TL305  numbers
        loss = -(torch.as_tensor(scores) * gains).mean()  # expect: TL305
        return loss + self.anchor()

    def by_record_of_columns(self):
        batch = Turn(*zip(*self.turns))
        gains = torch.tensor(batch.reward)  # ok: TL305
        loss = -(torch.tensor(batch.score) * gains).mean()  # expect: TL305
        return loss + self.anchor()

    def by_fields(self):
        gains = torch.tensor([move.reward for move in self.moves])  # ok: TL305
        loss = -(torch.tensor([move.score for move in self.moves]) * gains).mean()  # expect: TL305
        return loss + self.anchor()

    def by_parts(self):
        gains = torch.tensor([pair[0] for pair in self.pairs])  # ok: TL305
        loss = -(torch.tensor([pair[1] for pair in self.pairs]) * gains).mean()  # expect: TL305
        return loss + self.anchor()

    def stacked(self):
        scores, rewards = zip(*self.turns)
        loss = -(torch.stack(scores) * torch.tensor(rewards)).mean()  # ok: TL305
        return loss + self.anchor()

    def anchor(self):
        return 0.01 * self.policy.bias.square().sum()

    def learn(self, make):
        loss = make()
        loss.backward()

    def columns_loss(self):
        self.by_columns().backward()
        self.by_record_of_columns().backward()
        self.by_fields().backward()
        self.by_parts().backward()
        self.stacked().backward()


class Critic:
    """What is subtracted from the returns is cut by intention: it weighs the scores."""

    def __init__(self, net):
        self.net = net

    def loss(self, states, returns, scores):
        value = self.net(states)
        target = torch.tensor(returns)
        gain = target - value.detach()  # ok: TL305
        return -(scores * gain).mean() + F.mse_loss(value, target)


def demonstrate():
    torch.manual_seed(0)
    for name, learns in (("by_columns", False), ("by_record_of_columns", False), ("by_fields", False), ("by_parts", False), ("stacked", True)):
        player = Player(nn.Linear(3, 2))
        player.play(torch.randn(4, 3))
        player.learn(getattr(player, name))
        assert (player.policy.weight.grad is not None) is learns
    assert Critic(nn.Linear(3, 1)).loss(torch.ones(1, 3), [[1.0]], torch.ones(1)).requires_grad
