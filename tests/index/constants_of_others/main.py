"""Names of buffers that are constants: of another file, of its own file, of a class, of an enum, of an instance."""
import names
import torch
from names import TABLE, Names, Plain, Words
from torch import nn

OWN = "own"


class Model(nn.Module):  # class: module; buffers table, own, scale, mean, window, dotted; plain shift
    window_name = "window"

    def __init__(self):
        super().__init__()
        self.register_buffer(TABLE, torch.zeros(1))
        self.register_buffer(OWN, torch.zeros(1))
        self.register_buffer(Names.scale, torch.zeros(1))
        self.register_buffer(Words.MEAN.value, torch.zeros(1))
        self.register_buffer(self.window_name, torch.zeros(1))
        self.register_buffer(names.DOTTED, torch.zeros(1))
        setattr(self, names.SHIFT, torch.zeros(1))


class Notes(Plain):  # class: plain
    def __init__(self):
        self.register_buffer(TABLE, torch.zeros(1))
