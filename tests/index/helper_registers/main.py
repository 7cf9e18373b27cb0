"""Functions of another file register on the module that they are handed."""
import helpers
import torch
from helpers import fill, register_named, register_tables
from torch import nn


class Whole(nn.Module):  # class: module; buffers sine, cosine
    def __init__(self):
        super().__init__()
        register_tables(self, 4)


class Dotted(nn.Module):  # class: module; buffers sine, cosine
    def __init__(self):
        super().__init__()
        helpers.register_tables(module=self, size=4)


class Named(nn.Module):  # class: module; buffers extra
    def __init__(self):
        super().__init__()
        register_named(self, "extra", torch.zeros(1))


class Deep(nn.Module):  # class: module; buffers outer, sine, cosine; parameters gain; plain note
    def __init__(self):
        super().__init__()
        fill(self)


class OfChild(nn.Module):  # class: module; modules child
    def __init__(self):
        super().__init__()
        self.child = nn.Module()
        register_tables(self.child, 4)


class ByStatic(nn.Module):  # class: module; buffers table
    def __init__(self):
        super().__init__()
        helpers.Tools.register(self)


class Mentions(nn.Module):  # class: module
    def __init__(self):
        super().__init__()
        helpers.describe(self)
