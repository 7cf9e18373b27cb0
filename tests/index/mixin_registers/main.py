"""A mixin that is no module calls register_buffer on the object that it is mixed into."""
from mixins import Cached, Notes, Scaled
from torch import nn


class Model(Scaled, Cached, nn.Module):  # class: module; buffers cache, scale; plain shift
    def __init__(self):
        super().__init__()
        self.make_scale()
        self.make_cache(4)


class NotMade(Scaled, nn.Module):  # class: module; buffers scale?
    pass


class Notebook(Notes):  # class: plain
    def __init__(self):
        self.register_buffer("text", "")
