import torch
from base import Base


class Left(Base):  # class: module; buffers left, top
    def build(self):
        super().build()
        self.register_buffer("left", torch.zeros(1))


class Plain:  # class: plain
    def build(self):
        self.register_buffer("plain", torch.zeros(1))


class Right(Base):  # class: module; buffers right, top
    def build(self):
        super().build()
        self.register_buffer("right", torch.zeros(1))
