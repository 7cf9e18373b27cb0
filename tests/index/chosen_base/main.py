"""Bases that are chosen: both options modules, both plain, one of each."""
import os

import torch
from layers import Fast, Plain, Slow
from torch import nn

FLAG = bool(os.environ.get("NO_SUCH_VARIABLE"))

Both = Fast if FLAG else Slow
Neither = Plain if FLAG else object
OneOfThem = Fast if FLAG else Plain

try:
    Norm = nn.NoSuchNorm
except AttributeError:
    Norm = nn.LayerNorm

if FLAG:
    Chosen = Fast
else:
    Chosen = nn.Module


class OfBoth(Both):  # class: module; buffers fast?, slow
    pass


class OfNeither(Neither):  # class: plain
    pass


class OfOne(OneOfThem):  # class: unknown
    pass


class OfNorm(Norm):  # class: module; parameters weight, bias
    def __init__(self):
        super().__init__(2)


class OfChosen(Chosen):  # class: module; buffers fast?
    pass


class Inline(Fast if FLAG else Slow):  # class: module; buffers fast?, slow
    pass


class InlineOr(FLAG and Fast or Slow):  # class: module; buffers fast?, slow
    pass
