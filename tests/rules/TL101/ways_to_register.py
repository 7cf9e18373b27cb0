"""By super(), by a helper of its own, through a list of names: a registered name is registered."""
import torch
from torch import nn


class Base(nn.Module):
    def add_constant(self, name: str, value: torch.Tensor) -> None:
        self.register_buffer(name, value, persistent=False)

    def forward(self, x):
        return x


class Registered(Base):
    names = ("left", "right")

    def __init__(self, dim: int = 3):
        super().__init__()
        super().register_buffer("above", torch.ones(dim))  # ok: TL101
        self.add_constant("named", torch.ones(dim))
        self.named = torch.zeros(dim)  # ok: TL101  the helper has registered the name
        for index, name in enumerate(self.names):
            self.register_buffer(name, torch.full((dim,), float(index)))  # ok: TL101
        self.left = torch.ones(dim)  # ok: TL101
        for index in range(2):
            self.register_buffer(f"level{index}", torch.ones(dim))  # ok: TL101
        self.level0 = torch.zeros(dim)  # ok: TL101
        self.level_one = torch.zeros(dim)  # expect: TL101
        nn.Module.register_buffer(self, "direct", torch.ones(dim))
        self.direct = torch.zeros(dim)  # ok: TL101

    def forward(self, x):
        return x + self.above + self.named + self.left + self.right + self.level0 + self.level_one + self.direct


def demonstrate():
    module = Registered().to("meta")
    assert not module.level_one.is_meta
    assert all(getattr(module, name).is_meta for name in ("above", "named", "left", "right", "level0", "direct"))
