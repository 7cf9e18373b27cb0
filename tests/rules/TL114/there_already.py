"""The tensor inside was made on the device, or converted, as the call outside names it: it gives the Parameter back."""
import torch
from torch import nn


class Kept(nn.Module):
    def __init__(self, device: str = "meta", dtype: torch.dtype = torch.float64):
        super().__init__()
        self.device = device
        self.moved = nn.Parameter(torch.randn(3, 3).to(device), requires_grad=True).to(device)  # ok: TL114
        self.made = nn.Parameter(torch.randn(3, device=self.device)).to(self.device)  # ok: TL114
        self.cast = nn.Parameter(torch.randn(3).to(dtype)).to(dtype)  # ok: TL114
        self.named = nn.Parameter(torch.zeros(3, device="meta")).to(device="meta")  # ok: TL114


class Lost(nn.Module):
    def __init__(self, device: str = "meta", other: str = "cpu", dtype: torch.dtype = torch.float64):
        super().__init__()
        self.moved = nn.Parameter(torch.randn(3, 3).to(other), requires_grad=True).to(device)  # expect: TL114
        self.made = nn.Parameter(torch.randn(3, device=other)).to(device)  # expect: TL114
        self.cast = nn.Parameter(torch.randn(3).to(device)).to(dtype)  # expect: TL114
        self.both = nn.Parameter(torch.randn(3).to(device)).to(device, dtype)  # expect: TL114
        self.twice = nn.Parameter(torch.randn(3).to(device)).to(device) * 2  # expect: TL114


def demonstrate():
    assert [name for name, _ in Kept().named_parameters()] == ["moved", "made", "cast", "named"]
    assert not list(Lost().parameters())
