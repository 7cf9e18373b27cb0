"""Bases by a re-export, by a module alias and by the full path."""
import layers
import layers.base as base_module
import torch
from layers import Positions, RegisteredBase


class ByReexport(Positions):
    def build(self, length):
        self.table = torch.linspace(0, 1, length)  # expect: TL101


class ByAlias(base_module.PositionBase):
    def build(self, length):
        self.table = torch.linspace(0, 1, length)  # expect: TL101


class ByPath(layers.base.PositionBase):
    def build(self, length):
        self.table = torch.linspace(0, 1, length)  # expect: TL101
        self.length = length  # ok: TL101

    def forward(self, x):
        return super().forward(x) * self.spread


class Filled(RegisteredBase):
    def fill(self, length):
        self.table = torch.linspace(0, 1, length)  # ok: TL101  the base of the other file registers it
