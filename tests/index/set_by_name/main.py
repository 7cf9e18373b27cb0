"""setattr and its relatives: what goes through nn.Module and what goes past it."""
import torch
from torch import nn


class BySetattr(nn.Module):  # class: module; parameters weight, gain; plain table
    def __init__(self):
        super().__init__()
        setattr(self, "weight", nn.Parameter(torch.zeros(1)))
        name = "gain"
        setattr(self, name, nn.Parameter(torch.zeros(1)))
        setattr(self, "table", torch.zeros(1))


class ByMethod(nn.Module):  # class: module; parameters weight
    def __init__(self):
        super().__init__()
        self.__setattr__("weight", nn.Parameter(torch.zeros(1)))


class PastTorch(nn.Module):  # class: module; plain weight, gain
    def __init__(self):
        super().__init__()
        object.__setattr__(self, "weight", nn.Parameter(torch.zeros(1)))
        self.__dict__["gain"] = nn.Parameter(torch.zeros(1))


class IntoTorch(nn.Module):  # class: module; buffers table; parameters weight
    def __init__(self):
        super().__init__()
        self._buffers["table"] = torch.zeros(1)
        self._parameters["weight"] = nn.Parameter(torch.zeros(1))


class OnAnother(nn.Module):  # class: module; modules child
    def __init__(self):
        super().__init__()
        self.child = nn.Module()
        setattr(self.child, "weight", nn.Parameter(torch.zeros(1)))
