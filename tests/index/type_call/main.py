"""Classes that type() makes."""
from made import Bare, Made, Renamed
from torch import nn


class OfMade(Made):  # class: module
    pass


class OfInline(type("Inline", (nn.Module,), {})):  # class: module
    pass


class OfRenamed(Renamed):  # class: module; parameters weight, bias
    def __init__(self):
        super().__init__(2, 2)


class OfBare(Bare):  # class: plain
    pass


class OfType(type):  # class: plain
    pass
