"""A class that renames the words: its own register_buffer, its own __setattr__."""
import torch
from base import Quiet, Registering


class Model(Registering):  # class: module; buffers table
    def __init__(self):
        super().__init__()
        self.table = torch.zeros(1)


class Silent(Quiet):  # class: module; plain table
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(1))
