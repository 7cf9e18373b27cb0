"""How a constructor goes up: by super in both spellings, by the name of the base, past the base, not at all."""
import torch
from base import Base
from torch import nn


class ByName(Base):  # class: module; buffers table, own
    def __init__(self):
        Base.__init__(self)
        self.register_buffer("own", torch.zeros(1))


class BySuperOfTwo(Base):  # class: module; buffers table, own
    def __init__(self):
        super(BySuperOfTwo, self).__init__()
        self.register_buffer("own", torch.zeros(1))


class PastTheBase(Base):  # class: module; buffers own
    def __init__(self):
        nn.Module.__init__(self)
        self.register_buffer("own", torch.zeros(1))


class PastTheBaseBySuper(Base):  # class: module; buffers own
    def __init__(self):
        super(Base, self).__init__()
        self.register_buffer("own", torch.zeros(1))


class NotAtAll(Base):  # class: module; plain scale
    def __init__(self):
        self.scale = torch.zeros(1)


class NotAtAllAndRegisters(Base):  # class: module; parameters scale?; not built
    def __init__(self):
        self.scale = nn.Parameter(torch.zeros(1))


class TooLate(Base):  # class: module; buffers table; plain early
    def __init__(self):
        self.early = torch.zeros(1)
        super().__init__()


class ByNew(Base):  # class: module; buffers table
    def __new__(cls):
        return super().__new__(cls)
