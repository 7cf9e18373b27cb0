"""A class that makes room for the value, or does not save it, can load what it saved."""

import torch
from torch import nn


class Room(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", None)  # ok: TL120

    def _load_from_state_dict(self, state_dict, prefix, *args):
        if prefix + "mean" in state_dict:
            self.mean = torch.empty_like(state_dict[prefix + "mean"])
        super()._load_from_state_dict(state_dict, prefix, *args)

    def forward(self, x):
        self.mean = x.detach().mean(0)
        return x - self.mean


class ByHook(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", None)  # ok: TL120
        self.register_load_state_dict_pre_hook(self.make_room)

    @staticmethod
    def make_room(module, state_dict, prefix, *args):
        if prefix + "mean" in state_dict:
            module.mean = torch.empty_like(state_dict[prefix + "mean"])

    def forward(self, x):
        self.mean = x.detach().mean(0)
        return x - self.mean


def demonstrate():
    for kind in (Room, ByHook):
        used = kind()
        used(torch.randn(5, 3))
        kind().load_state_dict(used.state_dict())
