"""A step that is given more than a closure is a wrapper's, which may step its optimizers through the scaler."""

import torch
from torch import nn


class Several:
    def __init__(self, optimizers):
        self.optimizers = optimizers

    def step(self, name=None, scaler=None):
        for one in self.optimizers if name is None else (name,):
            if scaler is None:
                self.optimizers[one].step()
            else:
                scaler.step(self.optimizers[one])
                scaler.update()


class Trainer:
    def __init__(self, net, optimizer, device):
        self.net, self.optimizer = net, optimizer
        self.scaler = torch.amp.GradScaler(device, init_scale=4.0)

    def handed_the_scaler(self, x):
        self.scaler.scale(self.net(x).square().mean()).backward()
        self.optimizer.step("net", scaler=self.scaler)  # ok: TL406

    def handed_it_alone(self, x):
        self.scaler.scale(self.net(x).square().mean()).backward()
        self.optimizer.step(scaler=self.scaler)  # ok: TL406

    def handed_a_name(self, x):
        self.scaler.scale(self.net(x).square().mean()).backward()
        self.optimizer.step("net")  # ok: TL406  whatever holds its optimizers by name may hold the scaler

    def handed_nothing(self, x):
        self.scaler.scale(self.net(x).square().mean()).backward()
        self.optimizer.step()  # expect: TL406

    def handed_a_closure(self, x):
        def again():
            return self.net(x).square().mean()

        self.scaler.scale(again()).backward()
        self.optimizer.step(again)  # expect: TL406

    def handed_no_closure(self, x):
        self.scaler.scale(self.net(x).square().mean()).backward()
        self.optimizer.step(closure=None)  # expect: TL406


def demonstrate():
    moved = []
    for wrapped in (True, False):
        net = nn.Linear(1, 1, bias=False)
        nn.init.ones_(net.weight)
        sgd = torch.optim.SGD(net.parameters(), lr=0.1)
        trainer = Trainer(net, Several({"net": sgd}) if wrapped else sgd, "cpu")
        step = trainer.handed_the_scaler if wrapped else trainer.handed_nothing
        step(torch.ones(1, 1))
        moved.append(1 - net.weight.item())
    assert abs(moved[1] - 4 * moved[0]) < 1e-6
