"""An optimizer that the scaler steps is stepped by hand as well: the weights move twice."""

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Trainer:
    def __init__(self, net: nn.Module, head: nn.Module):
        self.net, self.head = net, head
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        self.second = torch.optim.SGD(head.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=4.0)

    def round(self, x):
        self.optimizer.zero_grad()
        self.scaler.scale(self.net(x).square().mean()).backward()
        self.scaler.unscale_(self.optimizer)
        clip_grad_norm_(self.net.parameters(), 1.0)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.step()  # expect: TL406

    def by_hand_first(self, x):
        self.scaler.scale(self.net(x).square().mean()).backward()
        self.scaler.unscale_(self.optimizer)
        self.optimizer.step()  # expect: TL406
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def gradients_of_its_own(self, x):
        self.scaler.scale(self.net(x).square().mean()).backward()
        self.scaler.unscale_(self.optimizer)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
        self.net(-x).square().mean().backward()
        self.optimizer.step()  # ok: TL406  a second loss, which nobody scaled

    def of_the_other(self, x):
        self.head(self.net(x).detach()).mean().backward()
        self.scaler.scale(self.net(x).square().mean()).backward()
        self.scaler.unscale_(self.optimizer)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.second.step()  # ok: TL406  the scaler knows nothing of this one

    def one_or_the_other(self, x, mixed):
        loss = self.net(x).square().mean()
        if mixed:
            self.scaler.scale(loss).backward()
            self.scaler.unscale_(self.optimizer)
            self.scaler.step(self.optimizer)
            self.scaler.update()
        else:
            loss.backward()
            self.optimizer.step()  # ok: TL406


def demonstrate():
    trainer = Trainer(nn.Linear(2, 2), nn.Linear(2, 1))
    start = trainer.net.weight.detach().clone()
    trainer.round(torch.ones(1, 2))
    assert not torch.equal(start, trainer.net.weight)
