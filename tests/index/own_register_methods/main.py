"""Methods of a base that register under other words, or use torch's words for something else."""
import torch
from base import Base, Registry


class Model(Base):  # class: module; buffers table, cache; parameters weight
    def __init__(self):
        super().__init__()
        self.add_table("table", 2)
        self.buffer(cache=torch.zeros(1))
        self.learn("weight")


class Plugins(Registry):  # class: module; buffers real
    def __init__(self):
        super().__init__()
        self.register_plugin("first", torch.zeros(1))
        self.register_buffer("real", torch.zeros(1))
