"""forward() makes a layer for each new width and registers it beside the dict; what runs it by a method does not."""
import torch
from torch import nn


class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = {}  # ok: TL105

    def forward(self, x):
        key = f"head_{x.shape[1]}"
        if key not in self.heads:
            self.heads[key] = nn.Linear(x.shape[1], 2)
            self.add_module(key, self.heads[key])
        return self.heads[key](x)


class NamedHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = {}  # ok: TL105

    def forward(self, x):
        key = f"head_{x.shape[1]}"
        if key not in self.heads:
            head = nn.Linear(x.shape[1], 2)
            self.register_module(key, head)
            self.heads[key] = head
        return self.heads[key](x)


class Forgetful(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = {}  # expect: TL105

    def forward(self, x):
        key = f"head_{x.shape[1]}"
        if key not in self.heads:
            self.heads[key] = nn.Linear(x.shape[1], 2)
            self.add_module(key, nn.Identity())
        return self.heads[key](x)


def demonstrate():
    for kind, count in ((Heads, 4), (NamedHeads, 4), (Forgetful, 0)):
        module = kind()
        module(torch.rand(1, 2))
        module(torch.rand(1, 3))
        assert len(list(module.parameters())) == count
