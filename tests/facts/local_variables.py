"""A local variable is what was last assigned to it."""
import torch


def straight(count: int, anything):
    first = torch.zeros(3)
    second = first  # fact: tensor float32 on cpu detached from nothing made by torch.zeros
    second = second.half()  # fact: tensor float16 from nothing
    first  # fact: tensor float32
    second  # fact: tensor float16
    third = fourth = second.long()  # fact: tensor int64
    third  # fact: tensor int64
    fourth += 1  # fact: tensor int64
    total = count  # fact: number integral from count
    total = total / 2  # fact: number floating from count
    anything  # fact: not known
    other = anything  # fact: not known
    product = anything * first  # fact: tensor floating from anything
    shifted = first + anything  # fact: tensor floating from anything
    return product  # fact: tensor dtype ? from anything


def reused(anything):
    value = torch.zeros(3)
    value = anything(value)  # fact: not known
    value  # fact: not known
    (walrus := torch.ones(2).bool())  # fact: tensor bool
    walrus  # fact: tensor bool
    del value
    text = "float16"  # fact: other
    return text  # fact: other dtype ?


def demo():
    straight(3, torch.ones(3))
    reused(lambda value: 3)
