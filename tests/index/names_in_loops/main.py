"""Names that loops take from constant tuples, of this file, of another one, of the class."""
import constants
import torch
from constants import GAINS, LIMITS
from torch import nn

OWN = ["red", "green"]


class FromOther(nn.Module):  # class: module; buffers low, high
    def __init__(self):
        super().__init__()
        for name in LIMITS:
            self.register_buffer(name, torch.zeros(1))


class FromDotted(nn.Module):  # class: module; buffers low, high
    def __init__(self):
        super().__init__()
        for index, name in enumerate(constants.LIMITS):
            self.register_buffer(name, torch.zeros(index + 1))


class FromOwn(nn.Module):  # class: module; buffers red, green, blue
    def __init__(self):
        super().__init__()
        for name in [*OWN, "blue"]:
            self.register_buffer(name, torch.zeros(1))


class FromClass(nn.Module):  # class: module; parameters left, right
    sides = ("left", "right")

    def __init__(self):
        super().__init__()
        for name in self.sides:
            self.register_parameter(name, nn.Parameter(torch.zeros(1)))


class FromZip(nn.Module):  # class: module; buffers low, high
    def __init__(self):
        super().__init__()
        for name, value in zip(LIMITS, (0.0, 1.0)):
            self.register_buffer(name, torch.tensor(value))


class FromSum(nn.Module):  # class: module; buffers low, high, mean, std
    def __init__(self):
        super().__init__()
        for name in LIMITS + constants.MOMENTS:
            self.register_buffer(name, torch.zeros(1))


class NotRegistered(nn.Module):  # class: module; plain low, high
    def __init__(self):
        super().__init__()
        for name in LIMITS:
            setattr(self, name, torch.zeros(1))


class OnAnother(nn.Module):  # class: module; modules child; buffers gain
    def __init__(self):
        super().__init__()
        self.child = nn.Module()
        for name in LIMITS:
            self.child.register_buffer(name, torch.zeros(1))
        for name in GAINS:
            self.register_buffer(name, torch.zeros(1))


class Notes:  # class: plain
    def __init__(self):
        for name in LIMITS:
            self.register_buffer(name, torch.zeros(1))

    def register_buffer(self, name, value):
        setattr(self, name, value)
