"""Assignments that register, in every form that Python has, and those that only look so."""
import torch
from helpers import learned, table
from torch import nn
from torch.nn import Buffer, Parameter


class Assigned(nn.Module):  # class: module; parameters a, b, c, d, e, f, g, h; buffers table, cache; modules layer, other
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Parameter(torch.zeros(1)), nn.Parameter(torch.zeros(1))
        self.c = self.d = Parameter(torch.zeros(1))
        self.e: nn.Parameter = nn.Parameter(torch.zeros(1))
        weight = nn.Parameter(torch.zeros(1))
        self.f = weight
        self.g = learned(2)
        [self.h] = [torch.nn.parameter.Parameter(torch.zeros(1))]
        self.table = nn.Buffer(torch.zeros(1))
        self.cache = Buffer(torch.zeros(1), persistent=False)
        self.layer, self.other = nn.Linear(1, 1), nn.Sequential()


class NotRegistered(nn.Module):  # class: module; parameters weight; plain a, b, c, d, e, g
    def __init__(self):
        super().__init__()
        self.a = torch.zeros(1)
        self.b = nn.Parameter(torch.zeros(1)).data
        self.c = nn.Parameter(torch.zeros(1)) * 2
        self.d, self.weight = torch.zeros(1), nn.Parameter(torch.zeros(1))
        self.e = torch.zeros(1, requires_grad=True)
        self.g = table(2)
        f = nn.Parameter(torch.zeros(1))
        f.mean()


class Lazy(nn.Module):  # class: module; parameters weight; buffers table
    def __init__(self):
        super().__init__()
        self.weight = nn.UninitializedParameter()
        self.register_buffer("table", nn.UninitializedBuffer())


class Tied(nn.Module):  # class: module; parameters weight, same; modules layer
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(1, 1)
        self.weight = self.layer.weight
        self.same = self.weight


class FromBuffer(nn.Module):  # class: module; buffers table; plain same
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(1))
        self.same = self.table
