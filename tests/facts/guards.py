"""Which conditions hold on a line: if and else, early return and continue, loops, conditional expressions."""
import torch
from torch import nn


def branched(x, a: int, b: int, flag: bool):
    x + 1  # fact: holds nothing; in no loop
    if a > 0:
        x + 1  # fact: holds a > 0
        if flag:
            x + 1  # fact: holds a > 0, flag
    elif b:
        x + 1  # fact: holds not a > 0, b
    else:
        x + 1  # fact: holds not a > 0, not b
    x + 1  # fact: holds nothing
    if not flag:
        x + 1  # fact: holds not flag
    if x is None:
        return x
    x + 1  # fact: holds not x is None
    if a > 5:
        raise ValueError(a)
    else:
        x + 1  # fact: holds not x is None, not a > 5
    x + 1  # fact: holds not x is None, not a > 5
    assert b < 9
    return x + 1  # fact: holds not x is None, not a > 5, b < 9


def returned_from_both(x, a: int):
    if a:
        x + 1  # fact: holds a
        return x
    else:
        x + 1  # fact: holds not a
    return x + 1  # fact: holds not a


def joined(x, a: int, b: int):
    if a:
        if b:
            return x
    x + 1  # fact: holds not (a and b)
    if a or b:
        x + 1  # fact: holds not (a and b), a or b
    if a == 2:
        y = x
    else:
        y = x + 1  # fact: holds not (a and b), not a == 2
    x + 1  # fact: holds not (a and b)
    with torch.no_grad():
        if b:
            return y
    x + 1  # fact: holds not (a and b)
    try:
        if b:
            return y
        x + 1  # fact: holds not (a and b), not b
    finally:
        x + 1  # fact: holds not (a and b)
    return x + 1  # fact: holds not (a and b)


def rejected(x, a: int, b: int):
    x + 1  # fact: holds nothing
    if a:
        x + 1  # fact: holds a
        if b > 5:
            raise ValueError(b)
    x + 1  # fact: holds nothing
    if b:
        x - 1
    x + 1  # fact: holds nothing
    for _ in range(a):
        if b:
            break
    x + 1  # fact: holds nothing
    x * 2  # fact: holds nothing
    return x + 1  # fact: holds nothing


def looped(x, items, count: int):
    for item in items:
        x + 1  # fact: holds nothing; in loop
        if item is None:
            continue
        x + 1  # fact: holds not ? is None; in loop
        if item > 3:
            break
        x + 1  # fact: holds not ? is None, not ? > 3; in loop
    else:
        x + 1  # fact: holds nothing; in no loop
    x + 1  # fact: holds nothing; in no loop
    while count > 0:
        x + 1  # fact: holds count > 0; in loop
        count -= 1
    x + 1  # fact: holds nothing; in no loop
    for item in items:
        if item is None:
            return None
    return x + 1  # fact: holds nothing; in no loop


class Guarded(nn.Module):
    def __init__(self):
        super().__init__()
        self.cache = None

    def forward(self, x):
        if self.training:
            x + 1  # fact: holds self.training
        if self.cache is None:
            self.cache = x.detach()  # fact: holds self.cache is None
        self.cache + 1  # fact: holds nothing
        if not self.training:
            return x
        return x + 1  # fact: holds not not self.training


def demo():
    x = torch.ones(1)
    branched(x, 1, 0, True)
    branched(x, 0, 1, False)
    branched(x, 0, 0, False)
    returned_from_both(x, 0)
    returned_from_both(x, 1)
    joined(x, 1, 0)
    rejected(x, 1, 0)
    joined(x, 0, 0)
    joined(x, 2, 0)
    joined(x, 1, 1)
    looped(x, [None, 1], 2)
    looped(x, [1], 2)
    Guarded()(x)
