import torch


class Cooperative:  # class: plain
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.register_buffer("history", torch.zeros(1))


class Named:  # class: plain
    def __init__(self, name):
        self.name = name
