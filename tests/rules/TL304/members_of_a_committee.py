"""Each of several networks that an object holds is put into eval mode, and a method of the object runs them all."""
import torch
from torch import nn


class Committee:
    def __init__(self, members: dict):
        self.members = members

    def votes(self, x):
        return torch.stack([net(x) for net in self.members.values()])

    @torch.no_grad()
    def quiet_votes(self, x):
        return torch.stack([net(x) for net in self.members.values()])


class Session:
    switch = staticmethod(torch.set_grad_enabled)

    def __enter__(self):
        self.before = torch.is_grad_enabled()
        self.switch(False)
        return self

    def __exit__(self, *error):
        self.switch(self.before)


class Timer:
    def __enter__(self):
        self.rounds = 0
        return self

    def __exit__(self, *error):
        self.rounds += 1


def spread(committee: Committee, loader):
    for net in committee.members.values():
        net.eval()  # expect: TL304
    return [committee.votes(batch).std() for batch in loader]


def timed_spread(committee: Committee, loader):
    with Timer():
        for net in committee.members.values():
            net.eval()  # expect: TL304
        return [committee.votes(batch).std() for batch in loader]


def quiet_spread(committee: Committee, loader):
    for net in committee.members.values():
        net.eval()  # ok: TL304
    return [committee.quiet_votes(batch).std() for batch in loader]


def spread_in_a_session(committee: Committee, loader):
    with Session():
        for net in committee.members.values():
            net.eval()  # ok: TL304
        return [committee.votes(batch).std() for batch in loader]


def distilled(committee: Committee, student: nn.Module, loader):
    for net in committee.members.values():
        net.eval()  # ok: TL304
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    for batch in loader:
        optimizer.zero_grad()
        (committee.votes(batch).mean(0) - student(batch)).square().mean().backward()
        optimizer.step()


def demonstrate():
    committee = Committee({"a": nn.Linear(2, 1), "b": nn.Linear(2, 1)})
    loader = [torch.ones(3, 2)]
    for function in (spread, timed_spread):
        assert function(committee, loader)[0].requires_grad
    for function in (quiet_spread, spread_in_a_session):
        assert not function(committee, loader)[0].requires_grad
    distilled(committee, nn.Linear(2, 1), loader)
