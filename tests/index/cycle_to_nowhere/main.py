"""Names that run in a circle, and classes that would be their own ancestors."""
# not run: Python refuses the imports
from ring import Ghost
from torch import nn


class Odd(Ghost):  # class: unknown
    pass


class Surely(Ghost, nn.Module):  # class: module
    pass
