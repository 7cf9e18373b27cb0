"""A device that is a parameter is what its callers give: where all of them say "cpu", the program has no accelerator."""
import numpy as np
import torch
from torch import nn


class Energy:
    def __init__(self, device, scale: float = 1.0):
        self.device = device
        self.scale = scale

    def of(self, codes):
        spread = torch.eye(codes.shape[1]).to(self.device) * self.scale
        return (codes @ spread).sum()


def placed(rows, device="cpu"):
    return torch.as_tensor(rows).to(device)


def beside(x):
    return torch.ones(4).to(x.device) + x  # the device of another value is nobody's choice


def scores(model: nn.Module, rows):
    energy = Energy("cpu")
    out = model(placed(rows))
    loss = energy.of(beside(out))
    return out.detach().numpy(), loss.item()  # ok: TL306


def quiet(model: nn.Module, rows):
    with torch.no_grad():
        out = model(placed(rows, torch.device("cpu")))
    return np.argmax(out.numpy(), 1)  # ok: TL306


def demonstrate():
    rows = np.ones((2, 4), dtype="float32")
    out, loss = scores(nn.Linear(4, 4), rows)
    assert out.shape == (2, 4) and loss > 0
    assert quiet(nn.Linear(4, 4), rows).shape == (2,)
