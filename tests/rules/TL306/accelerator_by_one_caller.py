"""One caller that chooses the device is enough for a program that may leave the CPU."""
import torch
from torch import nn


class Energy:
    def __init__(self, device, scale: float = 1.0):
        self.device = device
        self.scale = scale

    def of(self, codes):
        spread = torch.eye(codes.shape[1]).to(self.device) * self.scale
        return (codes @ spread).sum()


def scores(model: nn.Module, rows):
    loss = Energy("cpu").of(torch.ones(2, 4))
    out = model(rows)
    return out.detach().numpy(), loss.item()  # expect: TL306


def quiet(model: nn.Module, rows):
    with torch.no_grad():
        out = model(rows)
    return out.cpu().numpy()  # ok: TL306


def measured(codes):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return Energy(device).of(codes.to(device))


def demonstrate():
    rows = torch.ones(2, 4)
    assert scores(nn.Linear(4, 4), rows)[0].shape == quiet(nn.Linear(4, 4), rows).shape
    assert measured(rows) > 0
