"""What is computed from a new Parameter is a plain tensor on every device."""
import torch
from torch import nn
from torch.nn import functional as F


def scaled(dim: int):
    return nn.Parameter(torch.randn(dim)) * 0.02


def on_device(tensor, device):
    return tensor.to(device)


class Lost(nn.Module):
    def __init__(self, dim: int = 3, device: str = "meta"):
        super().__init__()
        self.scaled = nn.Parameter(torch.randn(dim)) * dim**-0.5  # expect: TL114
        self.data = nn.Parameter(torch.randn(dim)).data  # expect: TL114
        self.row = nn.Parameter(torch.randn(dim)).unsqueeze(0)  # expect: TL114
        self.first = nn.Parameter(torch.randn(dim, dim))[0]  # expect: TL114
        self.copied = nn.Parameter(torch.randn(dim)).clone()  # expect: TL114
        self.normed = F.normalize(nn.Parameter(torch.randn(dim, dim)))  # expect: TL114
        self.helped = scaled(dim)  # expect: TL114
        self.placed = on_device(nn.Parameter(torch.randn(dim)), device)  # expect: TL114


class Kept(nn.Module):
    def __init__(self, dim: int = 3, device: str = "meta"):
        super().__init__()
        self.scaled = nn.Parameter(torch.randn(dim) * dim**-0.5)  # ok: TL114
        self.row = nn.Parameter(torch.randn(dim).unsqueeze(0))  # ok: TL114
        self.drawn = nn.init.normal_(nn.Parameter(torch.empty(dim)))  # ok: TL114  the Parameter itself
        self.zeros = torch.zeros_like(nn.Parameter(torch.randn(dim)))  # ok: TL114  only its shape is used
        weight = nn.Parameter(torch.randn(dim, dim))
        self.weight = weight
        self.turned = weight.t()  # ok: TL114  the Parameter is registered
        self.tied = self.weight.t()  # ok: TL114
        other = nn.Parameter(torch.randn(dim))
        self.register_parameter("other", other)
        self.half_of_it = other * 0.5  # ok: TL114
        self.total = nn.Parameter(torch.randn(dim)).numel()  # ok: TL114  a number
        self.numbers = nn.Parameter(torch.randn(dim)).tolist()  # ok: TL114
        self.placed = nn.Parameter(on_device(torch.randn(dim), device))  # ok: TL114


class NoModule:
    def __init__(self, device: str = "meta"):
        self.weight = nn.Parameter(torch.randn(3)).to(device)  # ok: TL114


def demonstrate():
    assert not list(Lost().parameters()) and not Lost().state_dict()
    names = {name for name, _ in Kept().named_parameters()}
    assert names == {"scaled", "row", "drawn", "weight", "other", "placed"}
