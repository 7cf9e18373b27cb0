"""Retrieval head: a layer is assigned before Module.__init__, and results of add_module / register_parameter are kept.

source: chemprop/chemprop#766 (result of a register call), pyg-team/pytorch_geometric#681 (order); classes written from scratch
rules: [TL109, TL115]
"""
import torch
import torch.nn.functional as F
from torch import nn


class HeadBase(nn.Module):
    def __init__(self, bits: int):
        super().__init__()
        self.bits = bits

    def codes(self, x: torch.Tensor) -> torch.Tensor:
        return self(x) > 0


class EarlyProjectionHead(HeadBase):
    def __init__(self, dim: int = 6, bits: int = 4):
        self.temperature = 0.07  # ok: TL109
        self.proj = nn.Linear(dim, bits)  # expect: TL109
        super().__init__(bits)

    def forward(self, x):
        return self.proj(x) / self.temperature


class KeptResultHead(HeadBase):
    def __init__(self, dim: int = 6, bits: int = 4):
        super().__init__(bits)
        self.proj = nn.Linear(dim, bits)
        self.norm = self.add_module("norm", nn.LayerNorm(bits))  # expect: TL115
        self.gain = self.register_parameter("gain", nn.Parameter(torch.ones(bits)))  # expect: TL115

    def forward(self, x):
        return self.norm(self.proj(x)) * self.gain


class OrderedHead(HeadBase):
    def __init__(self, dim: int = 6, bits: int = 4, temperature: float = 0.07):
        self.temperature = temperature  # ok: TL109
        self.names = [f"bit{i}" for i in range(bits)]  # ok: TL109
        proj = nn.Linear(dim, bits)  # ok: TL109
        super().__init__(bits)
        self.proj = proj
        self.add_module("norm", nn.LayerNorm(bits))  # ok: TL115
        self.register_parameter("gain", nn.Parameter(torch.ones(bits)))  # ok: TL115
        self.seen = 0
        # a hook handle is a real result
        self.handle = self.norm.register_forward_hook(self._count)  # ok: TL115

    def _count(self, module, inputs, output) -> None:
        self.seen += output.shape[0]

    def forward(self, x):
        return self.norm(self.proj(x)) * self.gain / self.temperature


class ExplicitInitHead(HeadBase):
    """The base call is spelled differently, but it does come first."""

    def __init__(self, dim: int = 6, bits: int = 4):
        HeadBase.__init__(self, bits)
        self.proj = nn.Linear(dim, bits)  # ok: TL109

    def forward(self, x):
        return F.normalize(self.proj(x), dim=-1)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(3, 6)
    try:
        EarlyProjectionHead()
        raise AssertionError("assignment before Module.__init__ should be refused")
    except AttributeError as exc:
        assert "before Module.__init__" in str(exc)
    kept = KeptResultHead()
    assert kept.norm is None and kept.gain is None and len(list(kept.parameters())) == 2
    try:
        kept(x)
        raise AssertionError("None is not callable")
    except TypeError:
        pass
    good = OrderedHead()
    assert good.codes(x).shape == (3, 4) and good.seen == 3 and len(list(good.parameters())) == 5
    good.handle.remove()
    assert ExplicitInitHead().codes(x).dtype == torch.bool
