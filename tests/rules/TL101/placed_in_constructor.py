"""A device chosen in the constructor is no handling: the module moves on and the tensor stays."""
import torch
from torch import nn


class Placed(nn.Module):
    def __init__(self, dim: int = 4, device: str = "cpu", use_cuda: bool = False):
        super().__init__()
        self.grid = torch.ones(dim).to(device)  # expect: TL101
        self.steps = torch.linspace(0, 1, dim, device=device)  # expect: TL101
        self.shift = torch.ones(dim)  # expect: TL101
        if use_cuda:
            self.shift = self.shift.cuda()
        self.device = torch.device(device)  # ok: TL101
        self.register_buffer("kept", torch.ones(dim, device=device))  # ok: TL101
        self.weight = nn.Parameter(torch.ones(dim, device=device))  # ok: TL101

    def forward(self, x):
        return x * self.weight + self.grid + self.steps + self.shift + self.kept


def demonstrate():
    module = Placed(device="cpu").to("meta")
    assert module.kept.is_meta
    assert module.weight.is_meta
    assert not any(value.is_meta for value in (module.grid, module.steps, module.shift))
