"""What belongs to another rule: state that is updated, values made of Parameters, converted Parameters, containers."""
import torch
from torch import nn


class Mixed(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.running = torch.zeros(dim)  # expect: TL122  # ok: TL101  a checkpoint must save it
        self.counts = torch.zeros(dim)  # expect: TL122  # ok: TL101  the same, in place
        self.hits = torch.zeros(dim)  # expect: TL122  # ok: TL101
        self.slots = torch.zeros(dim)  # ok: TL101
        self.derived = self.weight * 2  # expect: TL106  # ok: TL101
        self.layer = nn.Linear(dim, dim)
        self.of_layer = torch.exp(self.layer.weight)  # expect: TL106  # ok: TL101
        self.lost = nn.Parameter(torch.ones(dim)).double()  # ok: TL101  a Parameter that a conversion lost  # expect: TL114
        self.parts = [torch.ones(dim)]  # ok: TL101  a container  # expect: TL105
        self.plain = torch.ones(dim)  # expect: TL101
        self.register_buffer("kept", torch.zeros(dim))  # ok: TL101
        self.build()

    def build(self):
        self.scale = torch.exp(self.weight.detach())  # expect: TL106  # ok: TL101  made of a Parameter too

    def forward(self, x):
        self.running = self.running * 0.9 + x.detach().mean(0) * 0.1
        self.counts += 1
        self.hits.add_(1)
        self.kept.add_(1)
        self.slots[0] = 1
        learned = self.derived * self.lost * self.parts[0] + self.scale + self.of_layer[0]
        return (x - self.running) * learned / self.counts + self.plain + self.hits + self.slots


def demonstrate():
    module = Mixed()
    assert set(module.state_dict()) == {"weight", "kept", "layer.weight", "layer.bias"}
    assert {name for name, _ in module.named_parameters()} == {"weight", "layer.weight", "layer.bias"}
