"""Annotated, chained, conditional, inside a block or before super().__init__(): all of them are plain assignments."""
import torch
from torch import nn


class Assigned(nn.Module):
    def __init__(self, dim: int = 3, wide: bool = True, table=None):
        self.early = torch.ones(dim)  # expect: TL101
        super().__init__()
        self.annotated: torch.Tensor = torch.ones(dim)  # expect: TL101
        self.first = self.second = torch.ones(dim)  # expect: TL101
        self.perhaps = torch.ones(dim) if wide else None  # expect: TL101
        with torch.no_grad():
            self.inside = torch.ones(dim).cumsum(0)  # expect: TL101
        try:
            self.tried = torch.ones(dim)  # expect: TL101
        except RuntimeError:
            self.tried = None
        self.replaced = table  # ok: TL101  nothing is known of the argument
        local = torch.ones(dim)  # ok: TL101  a local variable
        self.number = float(local.sum())  # ok: TL101
        self.none: torch.Tensor | None = None  # ok: TL101
        self.__dict__["hidden"] = torch.ones(dim)  # ok: TL101  behind the back of the module, on purpose
        self._buffers["known"] = torch.ones(dim)  # ok: TL101  a buffer by the back door

    def forward(self, x):
        x = x * self.early * self.annotated * self.first * self.second * self.inside * self.tried * self.number
        return (x if self.perhaps is None else x * self.perhaps) * self.known


def demonstrate():
    module = Assigned().to("meta")
    assert module.known.is_meta
    assert not any(value.is_meta for value in vars(module).values() if isinstance(value, torch.Tensor))
