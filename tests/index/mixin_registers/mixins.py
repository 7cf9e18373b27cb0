import torch


class Scaled:  # class: plain
    def make_scale(self):
        self.register_buffer("scale", torch.ones(1))
        self.shift = torch.zeros(1)


class Cached:  # class: plain
    def make_cache(self, size):
        self.register_buffer("cache", torch.zeros(size), persistent=False)


class Notes:  # class: plain
    def register_buffer(self, name, value):
        setattr(self, name, value)
