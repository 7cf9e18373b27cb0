"""Weights are written through .data between the forward and the backward pass: layers multiply by the new ones."""

import torch
from torch import nn


class Players:
    limit = 0.01

    def __init__(self):
        self.critic = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
        self.student, self.teacher = nn.Linear(2, 2), nn.Linear(2, 2)
        self.optimizer = torch.optim.SGD(self.critic.parameters(), lr=0.1)

    def distance(self, real, fake):
        return self.critic(fake).mean() - self.critic(real).mean()

    def clipped_early(self, real, fake):
        loss = self.distance(real, fake)
        for weight in self.critic.parameters():
            weight.data.clamp_(-self.limit, self.limit)  # expect: TL305
        loss.backward()

    def decayed_early(self, real, scaler):
        loss = self.critic(real).mean()
        for name, weight in self.critic.named_parameters():
            if "bias" not in name:
                weight.data.mul_(0.9)  # expect: TL305
        scaler.scale(loss).backward()

    def clipped_late(self, real, fake):
        loss = self.distance(real, fake)
        loss.backward()
        self.optimizer.step()
        for weight in self.critic.parameters():
            weight.data.clamp_(-self.limit, self.limit)  # ok: TL305

    def clipped_first(self, real, fake):
        for weight in self.critic.parameters():
            weight.data.clamp_(-self.limit, self.limit)  # ok: TL305
        self.distance(real, fake).backward()

    def clipped_after_each_round(self, real, fake, rounds):
        for _ in range(rounds):
            loss = self.distance(real, fake)
            loss.backward()
            for weight in self.critic.parameters():
                weight.data.clamp_(-self.limit, self.limit)  # ok: TL305

    def averaged(self, x):
        with torch.no_grad():
            wanted = self.teacher(x)
        loss = (self.student(x) - wanted).square().mean()
        for own, mean in zip(self.student.parameters(), self.teacher.parameters()):  # note: TL117
            mean.data.lerp_(own.data, 0.1)  # ok: TL305  the teacher has no gradient
        loss.backward()

    def of_another_loss(self, real, fake):
        reported = self.distance(real, fake).item()  # note: TL307
        for weight in self.critic.parameters():
            weight.data.clamp_(-self.limit, self.limit)  # ok: TL305  the loss below is computed with the new ones
        loss = self.distance(real, fake)
        loss.backward()
        return reported


def demonstrate():
    def slope(early):
        torch.manual_seed(0)
        players = Players()
        real, fake = torch.randn(4, 2), torch.randn(4, 2)
        players.clipped_early(real, fake) if early else players.clipped_late(real, fake)
        return players.critic[0].weight.grad

    assert not torch.allclose(slope(early=True), slope(early=False))
