"""A helper is told where to make its tensor; a network that takes what was made on the CPU is on the CPU."""
import random

import numpy as np
import torch
from torch import nn


def sample(population: int, count: int, device=None):
    if population <= count:
        return torch.arange(population, device=device)
    return torch.tensor(random.sample(range(population), count), device=device)


def moved(x: torch.Tensor, device="cpu"):
    return x.to(device)


def negatives(edges: torch.Tensor, population: int):
    taken = edges.to("cpu")
    found = sample(population, 4, device="cpu")
    mask = np.isin(found.numpy(), taken.numpy())  # ok: TL306
    return torch.from_numpy(mask), np.isin(found, edges.cpu())  # ok: TL306


def by_default(population: int):
    return sample(population, 4).numpy()  # ok: TL306  no device is the CPU


def where_the_edges_are(edges: torch.Tensor, population: int):
    return sample(population, 4, edges.device).numpy()  # expect: TL306


def moved_by_a_helper(edges: torch.Tensor, device):
    there = moved(edges, device)
    return moved(there).numpy(), there.numpy()  # expect: TL306


def compared(model: nn.Module, expected: np.ndarray, example=None):
    if example is None:
        example = torch.randn(1, 4)
    with torch.inference_mode():
        out = model(example)
    return np.abs(out.numpy() - expected)  # ok: TL306  the model takes an example of the CPU


def compared_there(model: nn.Module, expected: np.ndarray, device):
    example = torch.randn(1, 4).to(device)
    with torch.inference_mode():
        out = model(example)
    return np.abs(out.numpy() - expected)  # expect: TL306


def demonstrate():
    edges, expected = torch.tensor([1, 2]), np.zeros((1, 4), dtype="float32")
    model = nn.Linear(4, 4)
    negatives(edges, 8), by_default(8), compared(model, expected)
    away = edges.to("meta")
    for function in (
        lambda: where_the_edges_are(away, 8),
        lambda: moved_by_a_helper(edges, "meta"),
        lambda: compared_there(nn.Linear(4, 4, device="meta"), expected, "meta"),
    ):
        try:
            function()
        except (TypeError, NotImplementedError) as error:
            assert "cpu" in str(error).lower() or "meta" in str(error), error
        else:
            raise AssertionError("numpy took a tensor of another device")
