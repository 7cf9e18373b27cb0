"""A table on the CPU cannot be indexed by a tensor of an accelerator: converting what was picked comes too late."""
import torch
from torch import nn


class Schedule(nn.Module):
    def __init__(self, steps: int = 8, dim: int = 4):
        super().__init__()
        self.steps = steps
        self.layer = nn.Linear(dim, dim)
        self.picked = torch.linspace(0, 1, steps)  # expect: TL101
        self.order = torch.arange(steps).flip(0)  # expect: TL101
        self.by_helper = torch.ones(steps)  # expect: TL101
        self.moved_first = torch.ones(steps)  # note: TL101
        self.first = torch.ones(steps, dim)  # note: TL101  a number selects from any device
        self.rows = torch.ones(steps, dim)  # note: TL101  so does a slice
        self.each = torch.ones(steps, dim)  # note: TL101  and an element of range()
        self.by_cpu = torch.ones(steps)  # note: TL101  this index is made on the CPU, and stays there
        self.by_copy = torch.ones(steps)  # note: TL101  this one is brought there
        self.by_number = torch.ones(steps, dim)  # note: TL101  a tensor without dimensions selects as a number does
        self.register_buffer("kept", torch.ones(steps))  # ok: TL101

    def forward(self, x):
        t = torch.randint(0, self.steps, (x.shape[0],), device=x.device).long()
        y = self.layer(x) * (self.picked[t].to(x.device) + self.kept[t])[:, None]
        y = y * self.moved_first.to(x.device)[t][:, None] + self.order[t].to(x.device)[:, None]
        y = y + self.first[0].to(x.device) + self.rows[: x.shape[0]].to(x.device)
        for step in range(self.steps):
            y = y + self.each[step].to(x.device)
        random = torch.randint(0, self.steps, (x.shape[0],))
        y = y + (self.by_cpu[random].to(x.device) + self.by_copy[t.cpu()].to(x.device))[:, None]
        y = y + self.by_number[torch.zeros((), dtype=torch.long, device=x.device)].to(x.device)
        return self.weighted(y, t)

    def weighted(self, x, t):
        return x * self.by_helper[t].to(x.device)[:, None]


class AsksItself(nn.Module):
    def __init__(self, steps: int = 8, dim: int = 4):
        super().__init__()
        self.steps = steps
        self.layer = nn.Linear(dim, dim)
        self.picked = torch.linspace(0, 1, steps)  # expect: TL101
        self.register_buffer("kept", torch.ones(steps))  # ok: TL101

    @property
    def device(self):
        return self.layer.weight.device

    def forward(self, x):
        t = torch.full((x.shape[0],), 2, device=self.device)
        return self.layer(x) * (self.picked[t].to(self.device) + self.kept[t])[:, None]


class KeepsDevice(nn.Module):
    def __init__(self, steps: int = 8):
        super().__init__()
        self.steps = steps
        self.device = torch.device("cpu")  # note: TL119
        self.table = torch.ones(steps)  # note: TL101  the index is where the attribute says

    def forward(self, x):
        t = torch.randint(0, self.steps, (x.shape[0],), device=self.device)
        return x * self.table[t].to(x.device)[:, None]


class Placed(nn.Module):
    def __init__(self, device, steps: int = 8):
        super().__init__()
        self.steps = steps
        self.table = torch.ones(steps, device=device)  # note: TL101  it may lie where the index does

    def forward(self, x):
        t = torch.randint(0, self.steps, (x.shape[0],), device=x.device)
        return x * self.table[t].to(x.device)[:, None]


def demonstrate():
    module = Schedule()
    assert module(torch.ones(3, 4)).shape == (3, 4)
    assert AsksItself()(torch.ones(3, 4)).shape == KeepsDevice()(torch.ones(3, 4)).shape == (3, 4)
    assert Placed("cpu")(torch.ones(3, 4)).shape == (3, 4)
    for name in ("picked", "order", "by_helper"):
        assert not getattr(module.to("meta"), name).is_meta
