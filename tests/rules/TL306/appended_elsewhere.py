"""A method named append that takes four things gets nothing of what a list is given; a grid of the CPU stays there."""
import numpy as np
import torch
from torch import distributions, nn


class Memory:
    def __init__(self, size):
        self.rows, self.index = np.empty((size, 2), dtype=np.float32), 0

    def append(self, row, reward, done, step):
        self.rows[self.index] = row.numpy()  # ok: TL306  play() gives it rows of the CPU
        self.index += 1


class Frames:
    def __init__(self):
        self.arrays = []

    def append(self, row):
        self.arrays.append(row.numpy())  # expect: TL306


@torch.no_grad()
def play(model: nn.Module, world, device):
    memory, shown = Memory(8), []
    row = world.reset()
    for step in range(2):
        out = model.to(device)(row.to(device))
        shown.append(out)
        memory.append(row, 0.0, False, step)
        row = world.step(out.cpu())
    return memory, shown


@torch.no_grad()
def film(model: nn.Module, x, device):
    frames = Frames()
    out = model.to(device)(x.to(device))
    frames.append(out)
    return frames


@torch.no_grad()
def density(model: nn.Module, x, device):
    place = distributions.Normal(model.to(device)(x.to(device)), 1.0)
    grid = torch.linspace(-1, 1, 2)
    return place.log_prob(grid).exp().numpy()  # ok: TL306  on an accelerator log_prob() itself raises


@torch.no_grad()
def density_there(model: nn.Module, x, device):
    place = distributions.Normal(model.to(device)(x.to(device)), 1.0, validate_args=False)
    grid = torch.linspace(-1, 1, 2).to(device)
    return place.log_prob(grid).exp().numpy()  # expect: TL306


class World:
    def reset(self):
        return torch.zeros(2)

    def step(self, action):
        return action + 1


def demonstrate():
    model, x = nn.Linear(2, 2), torch.ones(2)
    play(model, World(), "cpu"), film(model, x, "cpu"), density(model, x, "cpu"), density_there(model, x, "cpu")
    away = nn.Linear(2, 2, device="meta")
    for function in (film, density_there):
        try:
            function(away, x, "meta")
        except (TypeError, NotImplementedError) as error:
            assert "cpu" in str(error).lower() or "meta" in str(error), error
        else:
            raise AssertionError("numpy took a tensor of another device")
