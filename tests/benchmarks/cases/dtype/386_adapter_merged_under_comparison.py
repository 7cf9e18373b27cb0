"""An adapter is merged into its layer and the outputs before and after are compared in one region: the merge seems to lose the adapter.

source: LoRA merge checks under autocast; X-GenGroup/Flow-Factory#186 kind (in-place writes behind the cached cast)
rules: [TL408]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Lora(nn.Module):
    def __init__(self, dim=8, rank=2, frozen=False):
        super().__init__()
        self.base = nn.Linear(dim, dim).requires_grad_(not frozen)
        self.down, self.up = nn.Parameter(torch.randn(rank, dim)), nn.Parameter(torch.randn(dim, rank))
        self.merged = False

    def merge(self):
        self.base.weight.data += self.up.data @ self.down.data  # use: TL408, TL103
        self.merged = True

    def forward(self, x):
        y = self.base(x)
        return y if self.merged else y + F.linear(F.linear(x, self.down), self.up)


class Tuned(nn.Module):
    def __init__(self, depth=2, **kwargs):
        super().__init__()
        self.layers = nn.ModuleList(Lora(**kwargs) for _ in range(depth))

    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return x


def fold(net):
    for m in net.modules():
        if isinstance(m, Lora):
            m.merge()


@torch.no_grad()
def drift(net, x):
    with torch.autocast(KIND, dtype=torch.bfloat16):
        before = net(x).float()
        fold(net)  # expect: TL408
        after = net(x).float()
    return (before - after).abs().max().item()


@torch.no_grad()
def drift_apart(net, x):
    outs = []
    for change in (None, fold):
        if change is not None:
            change(net)  # ok: TL408
        with torch.autocast(KIND, dtype=torch.bfloat16):
            outs.append(net(x).float())
    return (outs[0] - outs[1]).abs().max().item()


@torch.no_grad()
def drift_once(net, x, before):
    """The merge comes before the first forward of this region."""
    with torch.autocast(KIND, dtype=torch.bfloat16):
        fold(net)  # ok: TL408
        return (before - net(x).float()).abs().max().item()


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(4, 8, device=KIND)
    net = Tuned().to(KIND)
    twin, third = Tuned().to(KIND), Tuned().to(KIND)
    for other in (twin, third):
        other.load_state_dict(net.state_dict())
    with torch.no_grad():
        before = net(x)
    lost, small = drift(net, x), drift_apart(twin, x)
    assert lost > 0.3 > 0.1 > small, (lost, small)
    assert drift_once(third, x, before) < 0.1
