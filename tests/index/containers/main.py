"""Containers that register what they hold, of torch and of the project, and containers that do not."""
import torch
from boxes import BufferDict, BufferList
from torch import nn


class Lists(nn.Module):  # class: module; modules weights, table, layers, buffers, several; plain hidden, kept, pair
    def __init__(self):
        super().__init__()
        self.weights = nn.ParameterList([nn.Parameter(torch.zeros(1))])
        self.table = nn.ParameterDict({"a": nn.Parameter(torch.zeros(1))})
        self.layers = nn.ModuleList([nn.Linear(1, 1)])
        self.buffers = BufferDict({"low": torch.zeros(1)})
        self.several = BufferList([torch.zeros(1)])
        self.hidden = [nn.Parameter(torch.zeros(1))]
        self.kept = {"a": torch.zeros(1)}
        self.pair = (nn.Linear(1, 1), nn.Linear(1, 1))


class Tables(BufferDict):  # class: module; buffers low, high
    def __init__(self):
        super().__init__()
        self["low"] = torch.zeros(1)
        self["high"] = torch.zeros(1)


class FilledTables(BufferDict):  # class: module; buffers low, high
    def __init__(self):
        super().__init__({"low": torch.zeros(1), "high": torch.zeros(1)})


class Settings(dict):  # class: plain
    def __init__(self):
        super().__init__()
        self["low"] = torch.zeros(1)
