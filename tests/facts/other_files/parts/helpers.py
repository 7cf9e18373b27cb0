"""Functions that the other files call."""
import torch


class Config:
    dtype = torch.float16

    def __init__(self, given=None):
        self.given = given


def build_mask(size):
    return torch.ones(size, size).tril() > 0  # fact: tensor bool


def cast(x, dtype=torch.bfloat16):
    return x.to(dtype)  # fact: unknown dtype ?


def choose(x, flag):
    if flag:
        return x
    return torch.zeros(1).half()


def count_of(x):
    return len(x)


def pair():
    return torch.zeros(1), torch.zeros(1).long()


def register_tables(module, size):
    module.register_buffer("helper_table", torch.zeros(size).half())
    module.passed = module.forward
