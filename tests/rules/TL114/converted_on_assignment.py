"""A converted Parameter is a plain tensor wherever the conversion does something."""
import torch
from torch import nn


class Lost(nn.Module):
    def __init__(self, device: str = "meta", dtype: torch.dtype = torch.float64, dim: int = 3):
        super().__init__()
        self.moved = nn.Parameter(torch.zeros(dim)).to(device)  # expect: TL114
        self.cast = nn.Parameter(torch.zeros(dim)).to(device="cpu", dtype=dtype)  # expect: TL114
        self.frozen_half = nn.Parameter(torch.zeros(dim), requires_grad=False).half()  # expect: TL114
        self.chained = nn.Parameter(torch.zeros(dim)).double().requires_grad_()  # expect: TL114
        weight = nn.Parameter(torch.zeros(dim))
        weight = weight.to(device)
        self.local = weight  # expect: TL114
        chosen = nn.Parameter(torch.zeros(dim))
        if device != "cpu":
            chosen = chosen.to(device)
        self.chosen = chosen  # expect: TL114
        if device != "cpu":
            self.branched = nn.Parameter(torch.zeros(dim)).to(device)  # expect: TL114
        else:
            self.branched = nn.Parameter(torch.zeros(dim))  # ok: TL114
        setattr(self, "named", nn.Parameter(torch.zeros(dim)).to(device))  # expect: TL114


class Kept(nn.Module):
    def __init__(self, device: str = "meta", dtype: torch.dtype = torch.float64, dim: int = 3):
        super().__init__()
        self.moved = nn.Parameter(torch.zeros(dim).to(device))  # ok: TL114
        self.cast = nn.Parameter(torch.zeros(dim, device="cpu", dtype=dtype))  # ok: TL114
        self.frozen_half = nn.Parameter(torch.zeros(dim).half(), requires_grad=False)  # ok: TL114
        self.frozen = nn.Parameter(torch.zeros(dim)).requires_grad_(False)  # ok: TL114  the Parameter itself
        self.again = nn.Parameter(nn.Parameter(torch.zeros(dim)).to(device))  # ok: TL114
        self.same = nn.Parameter(torch.zeros(dim)).float()  # ok: TL114  float32 already
        self.plain = nn.Parameter(torch.zeros(dim)).cpu()  # ok: TL114
        self.register_buffer("start", nn.Parameter(torch.zeros(dim)).to(device))  # ok: TL114
        self.register_buffer("table", None)
        self.table = nn.Parameter(torch.zeros(dim)).double()  # ok: TL114  a buffer of that name


def demonstrate():
    lost, kept = Lost(), Kept()
    assert not list(lost.parameters()) and not lost.state_dict()
    names = {name for name, _ in kept.named_parameters()}
    assert names == {"moved", "cast", "frozen_half", "frozen", "again", "same", "plain"}
    on_cpu = Lost("cpu", torch.float32)
    assert {name for name, _ in on_cpu.named_parameters()} == {"moved", "cast", "local", "chosen", "branched", "named"}
