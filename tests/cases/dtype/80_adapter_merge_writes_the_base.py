"""LoRA deltas are added to a 'float32 copy' of the base weight to export it; in a float32 model the base itself is changed.

source: LoRA merge scripts that are right for half models only; NVIDIA/Megatron-LM#1594 (float() before in-place steps)
rules: [TL308]
"""
import torch
import torch.nn.functional as F
from torch import nn


class LoraLinear(nn.Module):
    def __init__(self, dim=4, rank=2, scale=2.0):
        super().__init__()
        self.base, self.scale = nn.Linear(dim, dim), scale
        self.down = nn.Parameter(torch.randn(rank, dim))
        self.up = nn.Parameter(torch.randn(dim, rank))

    def forward(self, x):
        return self.base(x) + self.scale * F.linear(F.linear(x, self.down), self.up)

    @torch.no_grad()
    def merged(self):
        w = self.base.weight.to(torch.float32)
        w += self.scale * (self.up @ self.down)  # expect: TL308
        return w


class LoraLinearSum(LoraLinear):
    @torch.no_grad()
    def merged(self):
        w = self.base.weight.float()
        return w + self.scale * (self.up @ self.down)  # ok: TL308


class LoraLinearCopy(LoraLinear):
    @torch.no_grad()
    def merged(self):
        w = self.base.weight.to(torch.float32, copy=True)
        w.add_(self.up @ self.down, alpha=self.scale)  # ok: TL308
        return w


class LoraLinearSub(LoraLinear):
    """The product is this method's own tensor."""

    @torch.no_grad()
    def merged(self):
        w = (self.up @ self.down).float()
        w.mul_(self.scale).add_(self.base.weight)  # ok: TL308
        return w


def export(net):
    return {name: part.merged() for name, part in net.named_modules() if isinstance(part, LoraLinear)}


# ---- demonstration ----
def demonstrate():
    def unchanged(cls, half=False):
        torch.manual_seed(0)
        net = nn.Sequential(cls())
        net = net.half() if half else net
        before = net[0].base.weight.clone()
        export(net)
        return torch.equal(before, net[0].base.weight)

    assert not unchanged(LoraLinear)
    assert unchanged(LoraLinear, half=True), "the half model gets a real copy, which hides the fault"
    for cls in (LoraLinearSum, LoraLinearCopy, LoraLinearSub):
        assert unchanged(cls)
