"""The program converts the module to what it was not constructed for; constructed for it, there is no harm."""

import torch
from torch import nn


class Denoiser(nn.Module):
    def __init__(self, dim: int, use_half: bool = False):
        super().__init__()
        self.dtype = torch.float16 if use_half else torch.float32  # expect: TL119
        self.layer = nn.Linear(dim, dim)

    def forward(self, x):
        return self.layer(x.type(self.dtype))


class Told(nn.Module):
    def __init__(self, dim: int, device="cpu"):
        super().__init__()
        self.born_on = str(device)  # ok: TL119  a text for the report
        self.layer = nn.Linear(dim, dim)

    def extra_repr(self):
        return f"born_on={self.born_on}"

    def forward(self, x):
        return self.layer(x)


class Encoder(nn.Module):
    def __init__(self, dim: int, device="cpu"):
        super().__init__()
        self.device = device  # expect: TL119
        self.layer = nn.Linear(dim, dim)

    def forward(self, x):
        return self.layer(x.to(self.device))


class Agreed(nn.Module):
    def __init__(self, dim: int, device="cpu", dtype=torch.float32):
        super().__init__()
        self.device = device  # note: TL119  every caller gives it the device that it moves to
        self.dtype = dtype  # note: TL119
        self.layer = nn.Linear(dim, dim, dtype=dtype)

    def forward(self, x):
        return self.layer(x.to(self.device).to(self.dtype))


class Asked(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.device = "cuda" if torch.cuda.is_available() else "cpu"  # note: TL119  the caller asks the same
        self.layer = nn.Linear(dim, dim)

    def forward(self, x):
        return self.layer(x.to(self.device))  # expect: TL207


def build(dim: int, target: str):
    model = Denoiser(dim)
    model = model.to(torch.bfloat16)
    agreed = Agreed(dim, target, torch.bfloat16).to(target).to(torch.bfloat16)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return model, Encoder(dim).to(target), agreed, Told(dim).to(target), Asked(dim).to(device)


def demonstrate():
    build(3, "cpu")
