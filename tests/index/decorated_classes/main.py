"""Decorators that hand the class on, of this project, of functools, of torch; a decorated base is still the base."""
import functools

import torch
from registry import register, register_as
from torch import nn


@register
class Base(nn.Module):  # class: module; buffers table
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(1))


@register_as("child")
class Child(Base):  # class: module; buffers table
    pass


@functools.total_ordering
class Ordered(Child):  # class: module; buffers table
    def __lt__(self, other):
        return False


@register
class Plain:  # class: plain
    pass


@register_as("plain")
class PlainChild(Plain):  # class: plain
    pass
