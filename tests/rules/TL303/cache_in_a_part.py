"""The cache may be in a child, or in a list of children; a class that renews it in _apply minds no order."""
import torch
from torch import nn


class Folded(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.weight = nn.Parameter(torch.eye(dim))
        self.folded = None

    def train(self, mode: bool = True):
        self.folded = None if mode else self.weight.exp().detach()  # expect: TL103
        return super().train(mode)

    def forward(self, x):
        return x @ (self.weight.exp() if self.training else self.folded)


class Renewed(Folded):
    def _apply(self, fn, recurse=True):
        super()._apply(fn, recurse)
        if self.folded is not None:
            self.folded = self.weight.exp().detach()
        return self


class Net(nn.Module):
    def __init__(self, kind: str = "one"):
        super().__init__()
        self.first = Folded()

    def forward(self, x):
        return self.first(x)


class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Folded() for _ in range(2)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.second = Renewed()

    def forward(self, x):
        return self.second(self.first(x))


def deploy_net():
    net = Net()
    net.eval()
    return net.double()  # expect: TL303


def deploy_stack():
    net = Stack()
    net.eval()
    return net.double()  # expect: TL303


def deploy_plain():
    net = Plain()
    net.eval()
    return net.double()  # ok: TL303


def deploy_layer():
    net = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3)).eval()
    return net.double()  # ok: TL303


def deploy_unknown(net):
    net.eval()
    return net.double()  # ok: TL303  its class is not known


def demonstrate():
    assert deploy_net().first.folded.dtype is torch.float32
    assert deploy_stack().blocks[0].folded.dtype is torch.float32
    assert deploy_plain().second.folded.dtype is torch.float64
