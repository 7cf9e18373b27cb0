"""A helper switches to evaluation mode and runs one batch; the loop stands around its call."""

import torch
from torch import nn

held = []


class Judge:
    def __init__(self, net: nn.Module):
        self.net = net
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

    def score(self, x):
        self.net.eval()
        out = self.net(x)
        held.append(out)
        return float(out.detach().sum())

    def score_quietly(self, x):
        self.net.eval()
        with torch.no_grad():
            out = self.net(x)
        held.append(out)
        return float(out.sum())

    def sensitivity(self, x):
        self.net.eval()
        x = x.clone().requires_grad_()
        self.net(x).sum().backward()
        return x.grad

    def over_all(self, loader):
        return [self.score(x) for x in loader]  # expect: TL304

    def quietly(self, loader):
        return [self.score_quietly(x) for x in loader]  # ok: TL304

    def maps(self, loader):
        return [self.sensitivity(x) for x in loader]  # ok: TL304

    def while_training(self, loader):
        for x in loader:
            self.net.train()
            self.net(x).sum().backward()
            self.optimizer.step()
            self.score(x)  # ok: TL304  one batch between the steps

    def once(self, x):
        return self.score(x)  # ok: TL304  no loop


def score(model, x):
    model.eval()
    return model(x)


def by_a_function(model, loader):
    for x in loader:
        held.append(score(model, x))  # expect: TL304


@torch.no_grad()
def by_a_quiet_function(model, loader):
    for x in loader:
        held.append(score(model, x))  # ok: TL304


def demonstrate():
    loader = [torch.ones(1, 2)]
    for run in (Judge(nn.Linear(2, 1)).over_all, lambda loader: by_a_function(nn.Linear(2, 1), loader)):
        held.clear()
        run(loader)
        assert held[-1].requires_grad
    for run in (Judge(nn.Linear(2, 1)).quietly, lambda loader: by_a_quiet_function(nn.Linear(2, 1), loader)):
        held.clear()
        run(loader)
        assert not held[-1].requires_grad
    Judge(nn.Linear(2, 1)).maps(loader)
    Judge(nn.Linear(2, 1)).while_training(loader)


if __name__ == "__main__":
    demonstrate()
