"""Two classes of one name in one file: in two branches, and one on top of the other."""
import os

import torch
from torch import nn

if os.environ.get("NO_SUCH_VARIABLE"):

    class Layer(nn.Module):  # class: module; buffers fast; not built
        def __init__(self):
            super().__init__()
            self.register_buffer("fast", torch.zeros(2))

    class Mixed(nn.Module):  # class: module; not built
        pass

else:

    class Layer(nn.Module):  # class: module; buffers slow
        def __init__(self):
            super().__init__()
            self.register_buffer("slow", torch.zeros(2))

    class Mixed:  # class: plain
        pass


class OfLayer(Layer):  # class: module; buffers fast?, slow?
    pass


class OfMixed(Mixed):  # class: unknown
    pass


class Grown(nn.Module):  # class: module; buffers first
    def __init__(self):
        super().__init__()
        self.register_buffer("first", torch.zeros(2))


class Grown(Grown):  # class: module; buffers first, second
    def __init__(self):
        super().__init__()
        self.register_buffer("second", torch.zeros(2))


class OfGrown(Grown):  # class: module; buffers first, second
    pass
