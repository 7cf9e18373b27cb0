"""What is unpacked into a call, and the sizes of a tensor of known dimensions."""

import torch
from torch.nn.utils import parameters_to_vector
from torch.nn.utils.rnn import pad_sequence


def make(size, dtype=torch.float16):
    return torch.zeros(size, dtype=dtype)


def unpacked(flag):
    given = {"size": 2, "dtype": torch.int64}
    make(**given)  # fact: tensor int64
    make(**dict(size=2, dtype=torch.int32))  # fact: tensor int32
    make(**{**given, "dtype": torch.bool})  # fact: tensor bool
    make(*[3], **{})  # fact: tensor float16
    given["dtype"] = torch.float64
    make(**given)  # fact: tensor dtype ?
    both = [2, torch.int64]
    both[1] = torch.int32
    make(*both)  # fact: tensor dtype ?
    make(**dict(given, size=4))  # fact: tensor dtype ?
    filled = {"size": 2}
    fill(filled)
    return make(**filled)  # fact: tensor dtype ?


def fill(options):
    options["dtype"] = torch.int64


def joined():
    pad_sequence([torch.zeros(2).long(), torch.zeros(1).long()])  # fact: tensor int64
    return parameters_to_vector([torch.zeros(2).double()])  # fact: tensor float64


def demo():
    unpacked(True)
    joined()
