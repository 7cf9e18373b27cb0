"""Uncertainty by dropout: the network is put to eval mode, its dropouts back to train mode, and it is asked many times, recording everything.

source: hszhao/semseg#60, chrischoy/FCGF#15 (evaluation that records gradients); dropout sampling scripts, rebuilt from scratch
rules: [TL304]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self, dim: int = 4, classes: int = 3):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(dim, 8), nn.ReLU(), nn.Dropout(0.5))
        self.head = nn.Linear(8, classes)

    def forward(self, x):
        return self.head(self.body(x))


def wake(net: nn.Module) -> None:
    for part in net.modules():
        if isinstance(part, nn.Dropout):
            part.train()


def uncertainty(net, loader, draws: int = 4):
    net.eval()  # expect: TL304
    wake(net)
    found = []
    for x, _ in loader:
        votes = torch.stack([net(x).softmax(-1) for _ in range(draws)])
        found.append(votes.var(0).sum(-1))
    return torch.cat(found)


def uncertainty_fixed(net, loader, draws: int = 4):
    net.eval()  # ok: TL304
    wake(net)
    found = []
    with torch.inference_mode():
        for x, _ in loader:
            votes = torch.stack([net(x).softmax(-1) for _ in range(draws)])
            found.append(votes.var(0).sum(-1))
    return torch.cat(found)


@torch.no_grad()
def scores(net, x):
    return net(x).softmax(-1)


def calibration(net, loader):
    """The helper that asks is guarded itself."""
    net.eval()  # ok: TL304
    hits, sure = [], []
    for x, y in loader:
        p = scores(net, x)
        best, label = p.max(-1)
        hits.append((label == y).float()), sure.append(best)
    return (torch.cat(sure).mean() - torch.cat(hits).mean()).abs()


def attacked_accuracy(net, loader, size: float = 0.1):
    """An attack needs the gradient of the input, in eval mode, too."""
    net.eval()  # ok: TL304
    right = total = 0
    for x, y in loader:
        x = x.clone().requires_grad_(True)
        (slope,) = torch.autograd.grad(F.cross_entropy(net(x), y), x)
        with torch.no_grad():
            right += (net(x + size * slope.sign()).argmax(-1) == y).sum().item()
        total += len(y)
    return right / total


# ---- demonstration: not part of the graded code ----
def demonstrate():
    net = Net()
    loader = [(torch.randn(5, 4), torch.randint(0, 3, (5,))) for _ in range(2)]
    assert uncertainty(net, loader).requires_grad
    assert not uncertainty_fixed(net, loader).requires_grad
    assert not calibration(net, loader).requires_grad
    assert 0 <= attacked_accuracy(net, loader) <= 1
