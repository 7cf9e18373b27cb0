"""The same layers under names of the project, and a class that only has the name of one."""
import main
from torch import nn


class Linear:  # class: plain
    pass


class Child(main.Affine):  # class: module; parameters weight, bias; buffers mask
    pass


class Unlearned(main.Words):  # class: module; buffers weight
    def __init__(self):
        super().__init__()
        table = self.weight.data
        del self.weight
        self.register_buffer("weight", table)


class NotTheLayer(Linear):  # class: plain
    pass
