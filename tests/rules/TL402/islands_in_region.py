"""backward() in a region: a note; a warning where an island of that region keeps a product in float32."""
import torch
from torch import nn


def plain(layer: nn.Linear, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = layer(x).float().square().sum()
        loss.backward()  # note: TL402


def with_island(layer: nn.Linear, head: nn.Linear, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        hidden = layer(x)
        with torch.autocast("cpu", enabled=False):
            loss = head(hidden.float()).square().sum()
        loss.backward()  # expect: TL402


def after(layer: nn.Linear, head: nn.Linear, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        hidden = layer(x)
        with torch.autocast("cpu", enabled=False):
            loss = head(hidden.float()).square().sum()
    loss.backward()  # ok: TL402


def in_island(layer: nn.Linear, head: nn.Linear, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        hidden = layer(x)
        with torch.autocast("cpu", enabled=False):
            loss = head(hidden.float()).square().sum()
            loss.backward()  # ok: TL402  autocast is off here


def with_island_of_arithmetic(layer: nn.Linear, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        hidden = layer(x)
        with torch.autocast("cpu", enabled=False):
            loss = hidden.float().square().sum()
        loss.backward()  # note: TL402  no product in the island


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 4))

    @torch.autocast("cpu", enabled=False)
    def forward(self, x):
        return x.float() @ self.weight


class Step:
    def __init__(self):
        self.layer, self.head = nn.Linear(4, 4), Head()

    def run(self, x):
        context = torch.autocast("cpu", dtype=torch.bfloat16)
        with context:
            loss = self.head(self.layer(x)).square().sum()
            loss.backward()  # expect: TL402

    def backward(self, x):
        self.layer(x).sum().backward()  # note: TL402  run in a region below

    def run_backward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            self.backward(x)  # ok: TL402  a method of the project


@torch.autocast("cpu", dtype=torch.bfloat16)
def compute_loss(layer, x):
    return layer(x).square().mean()


def by_decorated(layer, x):
    compute_loss(layer, x).backward()  # ok: TL402  the region is inside


@torch.autocast("cpu", dtype=torch.bfloat16)
def decorated(layer, x):
    layer(x).sum().backward()  # note: TL402


def demonstrate():
    def gradient(run):
        torch.manual_seed(0)
        layer, head = nn.Linear(64, 64), nn.Linear(64, 64)
        run(layer, head, torch.randn(64, 64))
        return head.weight.grad

    assert not torch.equal(gradient(with_island), gradient(after))
    assert torch.equal(gradient(in_island), gradient(after))
    x = torch.rand(2, 4)
    Step().run(x)
    Step().run_backward(x)
    for run in (plain, with_island_of_arithmetic, by_decorated, decorated):
        run(nn.Linear(4, 4), x)
