"""What a caller's record holds, what the object itself holds, and a constant of the file: all of them outlive the call."""

from dataclasses import dataclass

import torch
from torch import nn

MEAN = torch.tensor([0.4, 0.5])


@dataclass
class Rollout:
    rewards: torch.Tensor
    done: torch.Tensor


def shaped(rollout: Rollout, bonus):
    rewards = rollout.rewards.to(torch.float32)
    rewards[-1] += bonus  # expect: TL308
    return rewards


def shaped_copy(rollout: Rollout, bonus):
    rewards = rollout.rewards.to(torch.float32).clone()
    rewards[-1] += bonus  # ok: TL308
    return rewards


def shaped_new(rollout: Rollout, bonus):
    rewards = rollout.rewards.to(torch.float32) * bonus
    rewards[-1] += bonus  # ok: TL308
    return rewards


def made_here(size, bonus):
    rollout = Rollout(torch.zeros(size), torch.zeros(size))
    rewards = rollout.rewards.to(torch.float32)
    rewards[-1] += bonus  # ok: TL308  nobody else has it
    return rewards


class Boxes:
    def __init__(self, size):
        self.corners = torch.ones(size, 2)

    def scaled(self, stride):
        corners = self.corners.to(stride.device)
        corners *= stride  # expect: TL308
        return corners

    def scaled_new(self, stride):
        corners = self.corners.to(stride.device)
        return (corners * stride).clamp_(0, 1)  # ok: TL308

    def drawn(self, x):
        self.output = x * 2
        return self.clamped()

    def clamped(self):
        return self.output.float().clamp_(0, 1)  # ok: TL308  put there for the next method only

    def moved(self, device):
        self.corners = self.corners.to(device)
        self.corners += 1  # ok: TL308  it is the state from then on
        return self.corners


def centred(x):
    mean = MEAN.to(x.device)
    mean -= x.mean(0)  # expect: TL308
    return x - mean


def centred_new(x):
    mean = MEAN.to(x.device)
    return x - mean.sub(x.mean(0))  # ok: TL308


def demonstrate():
    rollout = Rollout(torch.ones(3), torch.zeros(3))
    shaped_copy(rollout, 1.0), shaped_new(rollout, 1.0), made_here(3, 1.0)
    assert rollout.rewards.tolist() == [1, 1, 1]
    shaped(rollout, 1.0)
    assert rollout.rewards.tolist() == [1, 1, 2]
    boxes = Boxes(1)
    boxes.scaled_new(torch.tensor(8.0))
    assert boxes.corners.tolist() == [[1, 1]]
    boxes.scaled(torch.tensor(8.0))
    assert boxes.corners.tolist() == [[8, 8]]
    boxes.moved("cpu"), boxes.drawn(torch.ones(2))
    x, before = torch.rand(3, 2), MEAN.clone()
    centred_new(x)
    assert torch.equal(before, MEAN)
    centred(x)
    assert not torch.equal(before, MEAN)
    assert nn is not None
