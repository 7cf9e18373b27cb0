import torch
from torch import nn


class BufferDict(nn.Module):  # class: module
    def __init__(self, buffers=None):
        super().__init__()
        if buffers is not None:
            self.update(buffers)

    def __getitem__(self, key):
        return self._buffers[key]

    def __setitem__(self, key, value):
        self.register_buffer(key, value)

    def update(self, buffers):
        for key, value in buffers.items():
            self[key] = value


class BufferList(nn.Module):  # class: module
    def __init__(self, buffers=()):
        super().__init__()
        for index, buffer in enumerate(buffers):
            self.register_buffer(str(index), buffer)
