"""Who reads decides: forward, a property and a method of the loss count; extra_repr and a read after a new value do not."""
import torch
from torch import nn


class Read(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.by_property = torch.ones(dim)  # expect: TL101
        self.by_loss = torch.ones(dim)  # expect: TL101
        self.by_nobody = torch.ones(dim)  # ok: TL101
        self.by_repr = torch.ones(dim)  # ok: TL101
        self.made_anew = torch.ones(dim)  # ok: TL101  forward assigns it before it reads it
        self.made_before_call = torch.ones(dim)  # ok: TL101

    @property
    def norm(self):
        return self.by_property.cumsum(0)

    def loss(self, x):
        return (x * self.by_loss).sum()

    def extra_repr(self):
        return f"start={self.by_repr.sum()}"

    def forward(self, x):
        self.made_anew = torch.ones_like(x)
        self.made_before_call = torch.ones_like(x)
        self.extra_repr_later()
        return x / self.norm + self.made_anew + self.made_before_call

    def extra_repr_later(self):
        self.shown = False


def demonstrate():
    module = Read().to("meta")
    x = torch.ones(3, device="meta")
    for call in (module, module.loss):
        try:
            call(x)
            raise AssertionError("a plain tensor was left on the CPU")
        except RuntimeError:
            pass
    module.by_property = module.by_property.to("meta")
    assert module(x).is_meta
