"""What construction reaches in other files: methods of the base, configuration objects, what methods return."""
import torch
from base import Base, Settings
from torch import nn


class Chained(Base):  # class: module; buffers table, scale
    def __init__(self):
        super().__init__()
        self.with_table().with_scale()


class Built(Base):  # class: module; buffers position, table?, scale?
    def __init__(self):
        super().__init__()
        self.register_buffer("position", self.make(4))


class FromSettings(Base):  # class: module; buffers window, table?, scale?
    settings = Settings()

    def __init__(self):
        super().__init__()
        self.register_buffer(self.settings.name, torch.zeros(1))


class Applied(Base):  # class: module; buffers table, scale?
    def __init__(self):
        super().__init__()
        for build in (self.with_table,):
            build()


class Unused(Base):  # class: module; buffers table?, scale?
    def make_all(self):
        return self.with_table().with_scale()
