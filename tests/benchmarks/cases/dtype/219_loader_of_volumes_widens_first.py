"""A loader for volumes widens 8-bit data on the host and ships four times the bytes; a reward list takes two steps to become floating.

source: facebookresearch/habitat-lab#297, pytorch/pytorch#121414 kind, in a medical loader and an actor-critic
rules: [TL307]
"""
from functools import partial

import numpy as np
import torch
from torch import nn


class Loader:
    def __init__(self, volumes, place, ship):
        self.volumes, self.place, self.ship = volumes, place, ship

    def __iter__(self):
        for volume in self.volumes:
            yield self.ship(torch.from_numpy(volume), self.place)


def ship_wide(volume, place):
    return volume.float().to(place, non_blocking=True) / 255  # expect: TL307


def ship_narrow(volume, place):
    return volume.to(place, non_blocking=True).float() / 255  # ok: TL307


def returns(rewards, gamma=0.9):
    total, out = 0.0, []
    for r in reversed(rewards):
        total = r + gamma * total
        out.insert(0, total)
    return torch.tensor(out).float()  # expect: TL307


def returns_typed(counts):
    as_float = partial(torch.tensor, dtype=torch.float32)
    return as_float(counts)  # ok: TL307


def weigh(net, loader):
    parts = []
    for x in loader:
        parts.append(net(x.flatten()[None]).detach())
    return torch.cat(parts).cpu()  # ok: TL307


def main(place="cpu"):
    volumes = [np.full((2, 2, 2), 255, dtype=np.uint8) for _ in range(3)]
    net = nn.Linear(8, 1).to(place)
    return [weigh(net, Loader(volumes, place, ship)) for ship in (ship_wide, ship_narrow)]


def demonstrate():
    torch.manual_seed(0)
    wide, narrow = main()
    assert torch.equal(wide, narrow), "same numbers ..."
    raw = torch.zeros(8, dtype=torch.uint8)
    assert raw.float().nbytes == 4 * raw.nbytes, "... four times the traffic"
    assert torch.equal(returns([1.0, 2.0]), returns_typed([2.8, 2.0]))
    assert torch.tensor([2.8]).dtype is torch.float32, "it was floating before"
