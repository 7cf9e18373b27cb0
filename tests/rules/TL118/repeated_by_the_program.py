"""The constructor puts the norms to sleep by a method, and the training function calls that again after each train()."""
import torch
from torch import nn


class Frozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3))
        self.head = nn.Linear(3, 1)

    def forward(self, x):
        return self.head(self.body(x))


class Repeated(Frozen):
    def __init__(self):
        super().__init__()
        self.rest_norms()

    def rest_norms(self):
        for part in self.modules():
            if isinstance(part, nn.BatchNorm1d):
                part.eval()  # ok: TL118


class RepeatedInside(Frozen):
    def __init__(self):
        super().__init__()
        self.rest_inside()

    def rest_inside(self):
        self.body.eval()  # ok: TL118


class Forgotten(Frozen):
    def __init__(self):
        super().__init__()
        self.rest_once()

    def rest_once(self):
        for part in self.modules():
            if isinstance(part, nn.BatchNorm1d):
                part.eval()  # expect: TL118


class ForgottenLater(Frozen):
    def __init__(self):
        super().__init__()
        self.rest_before()

    def rest_before(self):
        self.body.eval()  # expect: TL118


class RepeatedInTheNextRound(Frozen):
    def __init__(self):
        super().__init__()
        self.rest_each_round()

    def rest_each_round(self):
        self.body.eval()  # ok: TL118  the trial at the end of a round wakes it, and the next one begins with rest


class WokenAmongBatches(Frozen):
    def __init__(self):
        super().__init__()
        self.rest_each_epoch()

    def rest_each_epoch(self):
        self.body.eval()  # expect: TL118


def fitted(batches, epochs: int = 2):
    net = Repeated()
    for _ in range(epochs):
        net.train()
        net.rest_norms()
        for x in batches:
            net(x).sum().backward()
    return net


def fitted_in_parallel(batches, epochs: int = 2):
    net = nn.DataParallel(RepeatedInside())
    for _ in range(epochs):
        net.train()
        net.module.rest_inside()
        for x in batches:
            net(x).sum().backward()
    return net.module


def fitted_once(batches, epochs: int = 2):
    net = Forgotten()
    for _ in range(epochs):
        net.train()
        for x in batches:
            net(x).sum().backward()
    return net


def fitted_with_trials(batches, epochs: int = 2):
    net = ForgottenLater()
    net.train()
    net.rest_before()
    for _ in range(epochs):
        for x in batches:
            net(x).sum().backward()
        net.eval()
        net(batches[0])
        net.train()
    return net


def tried(net, x):
    net.eval()
    net(x)
    net.train()


def fitted_and_tried(batches, epochs: int = 2):
    net = RepeatedInTheNextRound()
    for _ in range(epochs):
        net.train()
        net.rest_each_round()
        for x in batches:
            net(x).sum().backward()
        tried(net, batches[0])
    return net


def fitted_and_tried_often(batches, epochs: int = 2):
    net = WokenAmongBatches()
    for _ in range(epochs):
        net.train()
        net.rest_each_epoch()
        for x in (*batches, *batches):
            net(x).sum().backward()
            tried(net, x)
    return net


def demonstrate():
    batches = [torch.rand(4, 3) + 5]
    # Not in parallel: that asks for the devices of the machine.
    kept, woken = (fitted, fitted_and_tried), (fitted_once, fitted_with_trials, fitted_and_tried_often)
    for fit, is_kept in (*((one, True) for one in kept), *((one, False) for one in woken)):
        mean = fit(batches).body[1].running_mean
        assert torch.equal(mean, torch.zeros(3)) is is_kept, fit
