"""Modules and classes under other names; some of the names are those of something else."""
import layers.base as lb
import layers.plain as base
from layers import base as module_of_layers
from layers import plain as nn
from layers.base import Base as Plain
from layers.plain import Base as Module


class ByAliasOfModule(lb.Base):  # class: module; buffers table
    pass


class ByImportedModule(module_of_layers.Base):  # class: module; buffers table
    pass


class ByAliasOfClass(Plain):  # class: module; buffers table
    pass


class OnlyCalledBase(base.Base):  # class: plain
    pass


class OnlyCalledModule(Module):  # class: plain
    pass


class OnlyCalledNn(nn.Module):  # class: plain
    pass
