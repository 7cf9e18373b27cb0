"""The log probability is cut and then weighed with a reward; what is cut for a baseline or for the log stays right."""
import torch
from torch import nn


class Writer:
    def __init__(self, chain: nn.Module, bonus: float):
        self.chain, self.bonus = chain, bonus

    def scores(self, token):
        return self.chain(token).log_softmax(-1)

    def loss(self, episode, reward, gamma):
        total, weight, spread = 0.0, reward, 0.0
        for now, after in episode:
            scores = self.scores(now)
            chosen = scores[after].detach()  # expect: TL305
            total = total - chosen * weight
            weight = weight * gamma
            spread = spread - (scores.exp() * scores).sum()
        return total - self.bonus * spread

    def loss_with_a_log(self, episode, reward, gamma):
        total, weight, seen = 0.0, reward, []
        for now, after in episode:
            chosen = self.scores(now)[after]
            total = total - chosen * weight
            seen.append(chosen.detach())  # ok: TL305
            weight = weight * gamma
        self.last = torch.stack(seen).mean().item()
        return total

    def loss_with_a_baseline(self, episode, reward, critic):
        total = 0.0
        for now, after in episode:
            chosen = self.scores(now)[after]
            total = total - chosen * (reward - critic(now).detach().sum())  # ok: TL305
        return total


class Temperature:
    """The weight is what learns here: it is a leaf, and the log probability is a constant for it."""

    def __init__(self, goal: float):
        self.log_weight = torch.zeros(())
        self.log_weight.requires_grad = True
        self.goal = goal

    @property
    def weight(self):
        return self.log_weight.exp()

    def step(self, log_prob):
        loss = (self.weight * (-log_prob - self.goal).detach()).mean()  # ok: TL305
        loss.backward()


def both_passes(model: nn.Linear, loader):
    for x in loader:
        loss = model(x).mean()
        loss.backward()
    total = loss.detach() + model(loader[0]).abs().mean()  # ok: TL305  it had a backward pass of its own
    total.backward()


def divergence(target, logits):
    share = target.softmax(1)
    return (share * target.log_softmax(1)).sum(1).mean() - (share * logits.log_softmax(1)).sum(1).mean()


def towards_itself(model, x, target):
    loss = divergence(target.detach(), model(x))  # ok: TL305  a helper gets it as the target of what learns
    loss.backward()


def demonstrate():
    towards_itself(nn.Linear(3, 3), torch.ones(2, 3), torch.ones(2, 3))

    def gradient(name, *given):
        torch.manual_seed(0)
        writer = Writer(nn.Linear(3, 3), 0.0)
        getattr(writer, name)([(torch.ones(3), 1), (torch.ones(3), 2)], *given).backward()
        return writer.chain.weight.grad.abs().sum()

    assert gradient("loss", 1.0, 0.9) == 0
    assert gradient("loss_with_a_log", 1.0, 0.9) > 0
    assert gradient("loss_with_a_baseline", 1.0, nn.Linear(3, 1)) > 0
    temperature = Temperature(1.0)
    temperature.step(torch.ones(2))
    assert temperature.log_weight.grad is not None
    both_passes(nn.Linear(3, 1), [torch.ones(2, 3)])
