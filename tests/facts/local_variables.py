"""A local variable is what was last assigned to it."""
import torch


def assigned_again(count: int, anything):
    first = torch.zeros(3)
    second = first  # fact: tensor float32 on cpu detached from nothing made by torch.zeros
    second = second.half()  # fact: tensor float16 from nothing
    first  # fact: tensor float32
    second  # fact: tensor float16
    third = fourth = second.long()
    third  # fact: tensor int64
    fourth += 1  # fact: tensor int64
    total = count / 2  # fact: number floating from count
    anything  # fact: not known
    other = anything  # fact: not known
    product = anything * first  # fact: tensor floating from anything
    indexed = anything * fourth  # fact: tensor dtype ? from anything
    return anything - count  # fact: not known


def replaced_by_something_unknown(anything):
    value = torch.zeros(3)
    value = anything(value)  # fact: not known
    value  # fact: not known
    value = value.tiny  # fact: not known
    (walrus := torch.ones(2).bool())  # fact: tensor bool
    walrus  # fact: tensor bool
    text = "float16"
    return text  # fact: other dtype ?


def deleted(value):
    kept = torch.zeros(1)
    del kept
    kept = value  # fact: not known
    return kept  # fact: not known


def declared_global():
    global shared
    shared = torch.zeros(2)
    return shared  # todo: not known  what another function assigns to a global is not joined


def demo():
    global shared
    assigned_again(3, torch.ones(3))
    replaced_by_something_unknown(lambda value: torch.finfo(torch.float16))
    declared_global()
