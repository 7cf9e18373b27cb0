"""Collocation points of a physics-informed network are made with numpy: float64 points meet float32 weights.

source: PINN tutorials and forum threads "mat1 and mat2 must have the same dtype, but got Double and Float"
rules: [TL203]
"""
import numpy as np
import torch
from torch import nn


class Field(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, t):
        return self.body(t)


def time_grid(n):
    grid = np.linspace(0.0, 2.0, n).reshape(-1, 1)
    return torch.from_numpy(grid)  # expect: TL203


def decay_residual(field, n=32):
    t = time_grid(n).requires_grad_()
    u = field(t)
    du = torch.autograd.grad(u.sum(), t, create_graph=True)[0]
    return (du + u).pow(2).mean()


def boundary_loss(field, n=8):
    noise = np.random.normal(scale=0.01, size=(n, 1))
    start = torch.tensor(noise)  # expect: TL203
    return (field(start) - 1.0).pow(2).mean()


def time_grid_fixed(n):
    grid = np.linspace(0.0, 2.0, n, dtype=np.float32).reshape(-1, 1)
    return torch.from_numpy(grid)  # ok: TL203


def decay_residual_fixed(field, n=32):
    t = time_grid_fixed(n).requires_grad_()
    u = field(t)
    du = torch.autograd.grad(u.sum(), t, create_graph=True)[0]
    return (du + u).pow(2).mean()


def boundary_loss_fixed(field, n=8):
    noise = np.random.normal(scale=0.01, size=(n, 1))
    start = torch.tensor(noise, dtype=torch.float32)  # ok: TL203
    return (field(start) - 1.0).pow(2).mean()


def sensor_loss(field, sensors: np.ndarray):
    times = torch.from_numpy(np.sort(sensors) / 10.0).unsqueeze(1)  # ok: TL203
    return field(times.to(torch.float32)).pow(2).mean()


def plot_against_exact(field, n=5):
    grid = np.linspace(0.0, 2.0, n)
    points = torch.zeros(n, 1)
    points[:, 0] = torch.from_numpy(grid)  # ok: TL203
    with torch.no_grad():
        guess = field(points).squeeze(1)
    return np.abs(guess.cpu().numpy() - np.exp(-grid)).max()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    field = Field()
    for broken in (decay_residual, boundary_loss):
        try:
            broken(field)
            raise AssertionError("float64 points were accepted")
        except RuntimeError as err:
            assert "dtype" in str(err), err
    for good in (decay_residual_fixed, boundary_loss_fixed):
        loss = good(field)
        loss.backward()
        assert loss.dtype is torch.float32
    assert sensor_loss(field, np.array([3, 1, 2])).dtype is torch.float32
    assert plot_against_exact(field) > 0
