"""Registrations that depend on arguments: in either arm, in one arm, with None, later."""
import torch
from torch import nn


class Either(nn.Module):  # class: module; parameters weight, bias
    def __init__(self, bias=True):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(1))
        if bias:
            self.bias = nn.Parameter(torch.zeros(1))
        else:
            self.register_parameter("bias", None)


class EitherBuffer(nn.Module):  # class: module; buffers mask
    def __init__(self, size=None):
        super().__init__()
        if size is None:
            self.register_buffer("mask", None)
        else:
            self.register_buffer("mask", torch.zeros(size))


class OneArm(nn.Module):  # class: module; buffers scale?
    def __init__(self, scaled=False):
        super().__init__()
        if scaled:
            self.register_buffer("scale", torch.zeros(1))


class NoneOrParameter(nn.Module):  # class: module; parameters gamma?
    def __init__(self, scale=0.0):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(1) * scale) if scale > 0 else None


class NoneThenParameter(nn.Module):  # class: module; parameters weight
    def __init__(self):
        super().__init__()
        self.weight = None
        self.weight = nn.Parameter(torch.zeros(1))


class LearnedOrFixed(nn.Module):  # class: module; parameters scale; buffers shift
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1), requires_grad=False)
        self.register_buffer(persistent=False, tensor=torch.ones(1), name="shift")


class Later(nn.Module):  # class: module; buffers cache?
    def forward(self, x):
        self.register_buffer("cache", x)
        return x


class Plainly(nn.Module):  # class: module; plain scale, bias
    def __init__(self, bias=False):
        super().__init__()
        self.scale = torch.zeros(1) if bias else None
        if bias:
            self.bias = torch.zeros(1)
        else:
            self.bias = None
