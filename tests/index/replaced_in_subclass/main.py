"""What subclasses do to the buffers and parameters of their base."""
import torch
from base import Base
from torch import nn


class Deletes(Base):  # class: module; buffers scale; parameters weight
    def __init__(self):
        super().__init__()
        del self.table


class DeletesByName(Base):  # class: module; buffers scale; parameters weight
    def __init__(self):
        super().__init__()
        delattr(self, "table")


class SetsNone(Base):  # class: module; buffers table, scale; parameters weight
    def __init__(self):
        super().__init__()
        self.table = None


class Reassigns(Base):  # class: module; buffers table, scale; parameters weight
    def __init__(self):
        super().__init__()
        self.table = torch.ones(3)


class DeletesAndAssigns(Base):  # class: module; buffers scale; parameters weight; plain table
    def __init__(self):
        super().__init__()
        del self.table
        self.table = torch.ones(3)


class DeletesAndRegisters(Base):  # class: module; buffers table, scale; parameters weight
    def __init__(self):
        super().__init__()
        del self.table
        self.register_buffer("table", torch.ones(3), persistent=False)


class RegistersAgain(Base):  # class: module; buffers table, scale; parameters weight
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.ones(3))


class ParameterToBuffer(Base):  # class: module; buffers table, scale, weight
    def __init__(self):
        super().__init__()
        del self.weight
        self.register_buffer("weight", torch.ones(3))


class BufferToParameter(Base):  # class: module; buffers scale; parameters weight, table
    def __init__(self):
        super().__init__()
        del self.table
        self.table = nn.Parameter(torch.ones(3))


class ParameterToNone(Base):  # class: module; buffers table, scale; parameters weight
    def __init__(self):
        super().__init__()
        self.weight = None


class DeletesLater(Base):  # class: module; buffers table, scale; parameters weight
    def forget(self):
        del self.table
