"""The networks stand in a dict or a list: one is looked up, or all are gone through, to be halved or to be trained."""
import copy

import torch
from torch import nn


class Pair:
    def __init__(self):
        self.nets = {"maker": nn.Linear(4, 4), "judge": nn.Linear(4, 1)}
        self.convert()
        self.optimizers = {name: torch.optim.SGD(net.parameters(), lr=0.1) for name, net in self.nets.items()}
        self.scaler = torch.amp.GradScaler("cpu", init_scale=4.0)

    def convert(self):
        self.nets["maker"].half()  # expect: TL404

    def step(self, x):
        with torch.autocast("cpu", dtype=torch.float16):
            loss = self.nets["judge"](self.nets["maker"](x)).float().square().mean()
        self.scaler.scale(loss).backward()
        for optimizer in self.optimizers.values():
            self.scaler.step(optimizer)
        self.scaler.update()


class PairInALoop:
    def __init__(self):
        self.nets = {"maker": nn.Linear(4, 4), "judge": nn.Linear(4, 1)}
        for net in self.nets.values():
            net.half()  # expect: TL404
        self.optimizer = torch.optim.SGD(self.nets["maker"].parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu")

    def step(self, x):
        loss = self.nets["judge"](self.nets["maker"](x.half())).square().mean()
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()


class PairOfNames:
    def __init__(self):
        self.maker, self.judge = nn.Linear(4, 4), nn.Linear(4, 1)
        for net in (self.maker, self.judge):
            net.half()  # expect: TL404
        self.optimizer = torch.optim.SGD(self.maker.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu")

    def step(self, x):
        self.scaler.scale(self.judge(self.maker(x.half())).mean()).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()


class OneIsOnlyAsked:
    def __init__(self):
        self.nets = {"maker": nn.Linear(4, 4), "judge": nn.Linear(4, 1)}
        self.nets["judge"].half()  # ok: TL404  only the other one is trained
        self.optimizer = torch.optim.SGD(self.nets["maker"].parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu")


class OneIsLeftOut:
    def __init__(self):
        self.nets = {"maker": nn.Linear(4, 4), "judge": nn.Linear(4, 1)}
        self.nets["judge"].half()  # ok: TL404
        self.optimizers = {
            name: torch.optim.SGD(net.parameters(), lr=0.1) for name, net in self.nets.items() if name != "judge"
        }
        self.scaler = torch.amp.GradScaler("cpu")


class ACopyIsShown(Pair):
    def convert(self):
        for net in self.nets.values():
            net.to("cpu")

    def show(self, x):
        return copy.deepcopy(self.nets["maker"]).half()(x.half())  # ok: TL404


def demonstrate():
    x = torch.ones(3, 4)
    for make in (Pair, PairInALoop, PairOfNames):
        try:
            make().step(x)
            raise AssertionError("half gradients were unscaled")
        except ValueError as error:
            assert "FP16 gradients" in str(error)
    ACopyIsShown().step(x)
