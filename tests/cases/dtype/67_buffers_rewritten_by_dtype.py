"""A policy object casts `.data` of parameters and of all buffers to its low precision; positions and counters are buffers, too.

source: hand-written FSDP/DeepSpeed style precision policies; NVIDIA/apex#133
rules: [TL301]
"""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Policy:
    params: torch.dtype = torch.bfloat16
    buffers: torch.dtype = torch.bfloat16

    def apply(self, net: nn.Module):
        for p in net.parameters():
            p.data = p.data.to(torch.bfloat16)  # ok: TL301
        for part in net.modules():
            for name, buf in part.named_buffers(recurse=False):
                setattr(part, name, buf.to(torch.bfloat16))  # expect: TL301
        return net


class CarefulPolicy(Policy):
    def apply(self, net):
        for p in net.parameters():
            p.data = p.data.to(torch.bfloat16)  # ok: TL301
        for part in net.modules():
            for name, buf in part.named_buffers(recurse=False):
                if not torch.is_floating_point(buf):
                    continue
                setattr(part, name, buf.to(torch.bfloat16))  # ok: TL301
        return net


class BuiltinPolicy(Policy):
    def apply(self, net):
        return net.to(dtype=self.params)  # ok: TL301


class Ranked(nn.Module):
    def __init__(self, n=600):
        super().__init__()
        self.norm, self.lin = nn.BatchNorm1d(4), nn.Linear(4, 4)
        self.register_buffer("order", torch.arange(n).flip(0))

    def forward(self, table, picks):
        return self.lin(self.norm(table[self.order[picks]]))


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    table, picks = torch.randn(600, 4).bfloat16(), torch.tensor([1, 2])
    bad = Policy().apply(Ranked()).eval()
    assert bad.order.dtype is torch.bfloat16 and bad.order.unique().numel() < 600
    try:
        bad(table, picks)
        raise AssertionError("floating positions were used as an index")
    except IndexError as err:
        assert "indices" in str(err), err
    for policy in (CarefulPolicy(), BuiltinPolicy()):
        good = policy.apply(Ranked()).eval()
        assert good.order.dtype is torch.int64 and good(table, picks).dtype is torch.bfloat16
