"""An item of a dict of the function is what was put there, unless something else may have changed it."""

import torch


class Holder:
    def __init__(self):
        self.kept = None

    def close(self):
        self.kept = torch.ones(2).half()

    def keep_and_close(self):
        self.kept = torch.zeros(3).double()
        self.close()
        return self.kept  # fact: tensor floating


def put_there(flag):
    items = {}
    items["mask"] = torch.zeros(3).bool()
    items["mask"]  # fact: tensor bool
    other = items
    other["mask"] = torch.zeros(3).long()
    return items["mask"]  # fact: tensor int64


def changed_by_a_nested_function():
    items = {}
    items["mask"] = torch.zeros(3).bool()

    def change():
        items["mask"] = torch.zeros(3)

    change()
    return items["mask"]  # fact: not known


def changed_by_a_lambda(run):
    items = {}
    items["mask"] = torch.zeros(3).bool()
    run(lambda: items.update(mask=3))
    return items["mask"]  # fact: not known


def one_of_two(flag):
    first, second = {}, {}
    first["mask"] = torch.zeros(3).bool()
    chosen = first if flag else second
    chosen["mask"] = torch.zeros(3)
    return first["mask"]  # fact: not known


def written_again(flag, anything):
    items = {}
    items["mask"] = torch.zeros(3).bool()
    items["size"] = torch.zeros(3)
    items["size"] += 1
    items["size"]  # fact: tensor float32
    items["mask"] = anything
    items["mask"]  # fact: not known
    items["size"] = items["size"].half()
    return items["size"]  # fact: tensor float16


def taken_out(anything):
    items = {}
    items["mask"] = torch.zeros(3).bool()
    items["mask"]  # fact: tensor bool
    items[anything] = torch.zeros(3)
    return items["mask"]  # fact: not known
