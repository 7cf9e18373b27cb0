"""A package of the project's own called nn, whose Module derives from torch's."""
import torch
from pack import nn
from pack.nn import functional as F
from torch import nn as torch_nn


class Own(nn.Module):  # class: module; buffers steps
    pass


class Torchs(torch_nn.Module):  # class: module
    pass


class OwnPlain(nn.Linear):  # class: plain
    pass


class NotALayer(F.Linear):  # class: plain
    pass
