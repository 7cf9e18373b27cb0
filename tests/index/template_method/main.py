"""The constructor of the base calls a method that subclasses replace, extend or inherit."""
import torch
from base import Base
from torch import nn


class Inherits(Base):  # class: module; buffers default, size
    pass


class Replaces(Base):  # class: module; buffers own, size
    def build(self):
        self.register_buffer("own", torch.zeros(1))


class Extends(Base):  # class: module; buffers default, more, size
    def build(self):
        super().build()
        self.register_buffer("more", torch.zeros(1))


class Empties(Base):  # class: module; buffers size
    def build(self):
        pass


class ReplacesAgain(Extends):  # class: module; buffers last, size; parameters weight
    def build(self):
        self.register_buffer("last", torch.zeros(1))
        self.weight = nn.Parameter(torch.zeros(1))


class NeverCalled(Base):  # class: module; buffers default, size
    def build_more(self):
        self.late = nn.Module()


class Plain:  # class: plain
    def __init__(self):
        self.build()

    def build(self):
        self.register_buffer("default", torch.zeros(1))


class OfPlain(Plain):  # class: plain
    def build(self):
        pass
