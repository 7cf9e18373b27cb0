"""forward() hands the layers of a list to a method that is set from outside: that runs them and registers nothing."""
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Listed(nn.Module):
    def __init__(self, dim: int = 3, count: int = 2):
        super().__init__()
        self.layers = [nn.Linear(dim, dim) for _ in range(count)]  # expect: TL105

    def forward(self, x):
        for layer in self.layers:
            x = self.run(layer, x)
        return x


class Registered(nn.Module):
    def __init__(self, dim: int = 3, count: int = 2):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(dim, dim) for _ in range(count))  # ok: TL105

    def forward(self, x):
        for layer in self.layers:
            x = self.run(layer, x)
        return x


def with_checkpoints(module: nn.Module) -> nn.Module:
    object.__setattr__(module, "run", lambda layer, x: checkpoint(layer, x, use_reentrant=False))
    return module


def demonstrate():
    listed, registered = with_checkpoints(Listed()), with_checkpoints(Registered())
    assert listed(torch.ones(1, 3)).shape == registered(torch.ones(1, 3)).shape
    assert not list(listed.parameters()) and len(list(registered.parameters())) == 4
