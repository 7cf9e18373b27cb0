"""The names that the package offers."""
import torch

from . import base
from .base import Scale, _hidden
from .base import make as made
from .base import make as renamed

COUNT = 3
TABLE = torch.zeros(2)
computed = base.compute(lambda: 1)
swapped = base.identity


def __getattr__(name):
    return lambda *arguments: name
