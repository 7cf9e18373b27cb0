"""A star import takes the public names, what the file imported among them, and leaves the private ones."""
from plain import Hidden as _Hidden
from names import *


class Public(Base):  # class: module; buffers table
    pass


class ImportedThere(nn.Linear):  # class: module; parameters weight, bias
    def __init__(self):
        super().__init__(2, 2)


class PrivateStaysOurs(_Hidden):  # class: plain
    pass
