"""What belongs to another rule: state that is updated, values made of Parameters, converted Parameters, containers."""
import torch
from torch import nn


class Mixed(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.running = torch.zeros(dim)  # ok: TL101  training updates it: a checkpoint must save it
        self.counts = torch.zeros(dim)  # ok: TL101  the same, in place
        self.derived = self.weight * 2  # ok: TL101  made of a Parameter
        self.lost = nn.Parameter(torch.ones(dim)).double()  # ok: TL101  a Parameter that a conversion lost
        self.parts = [torch.ones(dim)]  # ok: TL101  a container
        self.plain = torch.ones(dim)  # expect: TL101

    def forward(self, x):
        self.running = self.running * 0.9 + x.detach().mean(0) * 0.1
        self.counts += 1
        return (x - self.running) * self.derived * self.lost * self.parts[0] / self.counts + self.plain


def demonstrate():
    module = Mixed()
    assert [name for name, _ in module.named_parameters()] == ["weight"]
    assert list(module.state_dict()) == ["weight"]
