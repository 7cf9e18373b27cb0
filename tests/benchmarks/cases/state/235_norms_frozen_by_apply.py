"""Normalisation is frozen with apply() and a small function; the epoch starts with train(), before or after it.

source: roytseng-tw/Detectron.pytorch#104, ultralytics/ultralytics#8753, pytorch/pytorch#66073
rules: [TL118]
"""
import torch
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm


def still(m: nn.Module) -> None:
    if isinstance(m, _BatchNorm):
        m.eval()  # expect: TL118
        m.requires_grad_(False)


def still_again(m: nn.Module) -> None:
    if isinstance(m, _BatchNorm):
        m.eval()  # ok: TL118


class Net(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(dim, dim), nn.BatchNorm1d(dim), nn.ReLU())
        self.head = nn.Sequential(nn.Dropout(0.1), nn.Linear(dim, 1))

    def forward(self, x):
        return self.head(self.trunk(x))


class FrozenOnce(Net):
    def __init__(self, dim: int = 3):
        super().__init__(dim)
        self.trunk.apply(still)


class FrozenEachEpoch(Net):
    def start_epoch(self) -> None:
        self.train()
        self.trunk.apply(still_again)


class Averaged(Net):
    """No mode involved: the layer is told to have no momentum, so its statistics stand still even in training."""

    def __init__(self, dim: int = 3):
        super().__init__(dim)
        for m in self.trunk.modules():
            if isinstance(m, _BatchNorm):
                m.momentum = 0.0  # ok: TL118


def epochs(net: nn.Module, loader, n: int = 2) -> None:
    opt = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.01)
    begin = getattr(net, "start_epoch", net.train)
    for _ in range(n):
        begin()
        for x in loader:
            opt.zero_grad()
            net(x).pow(2).mean().backward()
            opt.step()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    loader = [torch.randn(8, 3) + 4]
    for cls, stays in ((FrozenOnce, False), (FrozenEachEpoch, True), (Averaged, True)):
        net = cls()
        assert cls is not FrozenOnce or not net.trunk[1].training
        before = net.trunk[1].running_mean.clone()
        epochs(net, loader)
        assert torch.equal(net.trunk[1].running_mean, before) is stays, cls
