import torch
from torch import nn


class Family:  # class: plain
    held = nn.Module

    class Inner(nn.Module):  # class: module; buffers table
        def __init__(self):
            super().__init__()
            self.register_buffer("table", torch.zeros(2))

    class Middle:  # class: plain
        class Inner(nn.Module):  # class: module; buffers deep
            def __init__(self):
                super().__init__()
                self.register_buffer("deep", torch.zeros(2))


class Child(Family):  # class: plain
    pass


class Other:  # class: plain
    class Inner:  # class: plain
        pass
