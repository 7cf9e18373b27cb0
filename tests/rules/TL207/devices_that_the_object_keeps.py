"""An attribute names the device for good: a value of the class, or what the constructor chose by the machine."""
import torch
from torch import nn


class Named(nn.Module):
    card = "cuda:0"

    def __init__(self, dim=3):
        super().__init__()
        self.mean = nn.Linear(dim, dim)

    def start(self, x):
        return torch.zeros(x.size(0), 3).to(self.card)  # expect: TL207

    def forward(self, x):
        return self.mean(x) + self.start(x)


class Chosen(nn.Module):
    def __init__(self, dim=3):
        super().__init__()
        self.place = torch.device("cuda" if torch.cuda.is_available() else "cpu")  # note: TL119
        self.mean = nn.Linear(dim, dim)

    def forward(self, x):
        return self.mean(x) + torch.zeros(x.size(0), 3, device=self.place)  # expect: TL207


class Given(nn.Module):
    def __init__(self, place, dim=3):
        super().__init__()
        self.place = place  # note: TL119
        self.mean = nn.Linear(dim, dim)

    def forward(self, x):
        return self.mean(x) + torch.zeros(x.size(0), 3, device=self.place)  # ok: TL207  its user decides


class Moving(nn.Module):
    def __init__(self, dim=3):
        super().__init__()
        self.place = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.mean = nn.Linear(dim, dim)

    def forward(self, x):
        self.place = x.device
        return self.mean(x) + torch.zeros(x.size(0), 3, device=self.place)  # ok: TL207


def demonstrate():
    assert Given("cpu")(torch.rand(2, 3)).shape == Moving()(torch.rand(2, 3)).shape == (2, 3)
