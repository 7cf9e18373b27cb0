"""Helpers stand between the network that is halved and its optimizer: a hook, a maker of groups, a class attribute."""

import torch
from torch import nn


class Tuner:
    kind = torch.optim.AdamW

    def __init__(self, net):
        self.net = self.prepared(net)
        self.solver = self.made()

    def prepared(self, net):
        return net

    def groups(self):
        flat = [p for p in self.net.parameters() if p.ndim < 2]
        deep = [p for p in self.net.parameters() if p.ndim > 1]
        return [{"params": deep}, {"params": flat, "weight_decay": 0.0}]

    def made(self):
        return torch.optim.AdamW(self.groups(), lr=1e-3)  # ok: TL302


class HalfTuner(Tuner):
    def prepared(self, net):
        return net.half()

    def made(self):
        return torch.optim.AdamW(self.groups(), lr=1e-3)  # expect: TL302


class HalfTunerInRange(HalfTuner):
    def made(self):
        return torch.optim.AdamW(self.groups(), lr=1e-3, eps=1e-4)  # ok: TL302


class BrainTuner(Tuner):
    def prepared(self, net):
        return net.bfloat16()

    def made(self):
        return torch.optim.AdamW(self.groups(), lr=1e-3)  # ok: TL302


def groups_of(net):
    decayed, others = [], []
    for _, p in net.named_parameters():
        (decayed if p.ndim > 1 else others).append(p)
    return [{"params": decayed}, {"params": others, "weight_decay": 0.0}]


def gathered():
    net = nn.Linear(2, 1).half()
    return torch.optim.AdamW(groups_of(net), lr=1e-3), net  # expect: TL302


def gathered_of_another():
    net, other = nn.Linear(2, 1), nn.Linear(2, 1).half()
    return torch.optim.AdamW(groups_of(net), lr=1e-3), net, other  # ok: TL302


def shrunk(net):
    net = net.half()
    return net


def solver_of(net):
    return torch.optim.Adam(net.parameters(), 1e-3)  # expect: TL302


def solver_of_single(net):
    return torch.optim.Adam(net.parameters(), 1e-3)  # ok: TL302


def set_up():
    net, other = nn.Linear(2, 1), nn.Linear(2, 1)
    net = shrunk(net)
    return solver_of(net), solver_of_single(other)


class ByKind:
    optimizer_class = torch.optim.Adam

    def __init__(self, net, dtype=torch.float16):
        self.net = net.to(dtype)
        self.optimizer = self.optimizer_class(self.net.parameters(), lr=1e-3)  # expect: TL302


class ByKindOfMomentum(ByKind):
    def __init__(self, net, dtype=torch.float16, optimizer_class=torch.optim.SGD):
        self.net = net.to(dtype)
        self.optimizer = optimizer_class(self.net.parameters(), lr=1e-3)  # ok: TL302  no eps


def halved_in_place(net):
    for p in net.parameters():
        p.data = p.data.half()
    return torch.optim.NAdam(lr=1e-3, params=net.parameters())  # expect: TL302


def widened_in_place(net):
    for p in net.parameters():
        p.data = p.data.float()
    return torch.optim.NAdam(lr=1e-3, params=net.parameters())  # ok: TL302


def measured(net):
    norms = [p.data.half().norm() for p in net.parameters()]
    return torch.optim.NAdam(net.parameters(), lr=1e-3), norms  # ok: TL302  copies are half


def eps_by_position(net):
    net = net.half()
    return torch.optim.Adagrad(net.parameters(), 1e-2, 0, 0, 0, 1e-4)  # ok: TL302


def decay_by_position(net):
    net = net.half()
    return torch.optim.Adagrad(net.parameters(), 1e-2, 0, 1e-4)  # expect: TL302


def is_lost(optimizer):
    weight = optimizer.param_groups[0]["params"][0]
    weight.grad = torch.zeros_like(weight)
    optimizer.step()
    return weight.isnan().any().item()


def demonstrate():
    assert is_lost(HalfTuner(nn.Linear(2, 1)).solver) and is_lost(ByKind(nn.Linear(2, 1)).optimizer)
    for kind in (Tuner, HalfTunerInRange, BrainTuner):
        assert not is_lost(kind(nn.Linear(2, 1)).solver), kind
    assert not is_lost(ByKindOfMomentum(nn.Linear(2, 1)).optimizer)
    assert is_lost(gathered()[0]) and not is_lost(gathered_of_another()[0])
    assert is_lost(halved_in_place(nn.Linear(2, 1))) and not is_lost(widened_in_place(nn.Linear(2, 1)))
    assert not is_lost(measured(nn.Linear(2, 1))[0]) and not is_lost(eps_by_position(nn.Linear(2, 1)))
    net = nn.Linear(2, 1)
    with torch.no_grad():
        net.weight.zero_()
    assert is_lost(decay_by_position(net))
    halved, single = set_up()
    assert is_lost(halved) and not is_lost(single)
