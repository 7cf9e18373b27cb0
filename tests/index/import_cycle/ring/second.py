import torch

from .first import Base, Plain


class Child(Base):  # class: module; buffers table, own
    def __init__(self):
        super().__init__()
        self.register_buffer("own", torch.zeros(2))


class PlainChild(Plain):  # class: plain
    pass
