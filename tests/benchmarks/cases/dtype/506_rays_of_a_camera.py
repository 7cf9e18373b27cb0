"""Rays of a camera: the inverse intrinsics and the poses come from numpy as doubles and meet float32 pixels, or the field itself.

source: bennyguo/instant-nsr-pl#66 (expected Float but found Double), ray helpers of radiance-field code
rules: [TL203]
"""
import numpy as np
import torch
from torch import nn


def intrinsics(focal: float, size: int) -> np.ndarray:
    return np.array([[focal, 0.0, size / 2], [0.0, focal, size / 2], [0.0, 0.0, 1.0]])


def look_from(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def pixels(size: int) -> torch.Tensor:
    y, x = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    return torch.stack([x + 0.5, y + 0.5, torch.ones(size, size)], dim=-1).flatten(0, 1)


class Field(nn.Module):
    def __init__(self, width: int = 8):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, width), nn.ReLU(), nn.Linear(width, 4))

    def forward(self, rays):
        return self.net(rays)


def render(field: Field, size: int, focal: float) -> torch.Tensor:
    back = torch.from_numpy(np.linalg.inv(intrinsics(focal, size)))  # expect: TL203
    return field(pixels(size) @ back.t())


def render_turned(field: Field, angles: list[float]) -> torch.Tensor:
    """All poses at once: the viewing directions are a column of the poses and go straight into the network."""
    poses = torch.tensor(np.stack([look_from(a) for a in angles]))  # expect: TL203
    return field(poses[:, :, 2])


def render_fixed(field: Field, size: int, focal: float) -> torch.Tensor:
    back = torch.from_numpy(np.linalg.inv(intrinsics(focal, size))).float()  # ok: TL203
    return field(pixels(size) @ back.t())


def render_turned_fixed(field: Field, angles: list[float]) -> torch.Tensor:
    poses = torch.Tensor(np.stack([look_from(a) for a in angles]))  # ok: TL203
    return field(poses[:, :, 2])


def render_in_place(field: Field, angles: list[float]) -> torch.Tensor:
    """Writing into a float32 tensor converts."""
    poses = torch.empty(len(angles), 3, 3)
    for i, a in enumerate(angles):
        poses[i] = torch.from_numpy(look_from(a))  # ok: TL203
    return field(poses[:, :, 2])


def path_length(angles: list[float]) -> float:
    """Geometry only: doubles never meet the network."""
    eyes = torch.from_numpy(np.stack([look_from(a) for a in angles]))[:, :, 2]  # ok: TL203
    return (eyes[1:] - eyes[:-1]).norm(dim=-1).sum().item()


def demonstrate():
    field, angles = Field(), [0.0, 0.5, 1.0]
    for bad in (lambda: render(field, 4, 2.0), lambda: render_turned(field, angles)):
        try:
            bad()
            raise AssertionError("doubles were accepted")
        except RuntimeError as err:
            assert "dtype" in str(err) or "Double" in str(err), err
    assert render_fixed(field, 4, 2.0).shape == (16, 4)
    assert torch.allclose(render_turned_fixed(field, angles), render_in_place(field, angles))
    assert path_length(angles) > 0
