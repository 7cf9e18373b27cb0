"""A name must be a string without a dot, and not empty."""
from collections import OrderedDict

import torch
from torch import nn


class Dotted(nn.Module):
    def __init__(self, count: int = 2):
        super().__init__()
        self.register_buffer("running.mean", torch.zeros(1))  # expect: TL107


class Numbered(nn.Module):
    def __init__(self, count: int = 2):
        super().__init__()
        for i in range(count):
            self.add_module(i, nn.Linear(1, 1))  # expect: TL107


class Empty(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_parameter("", nn.Parameter(torch.zeros(1)))  # expect: TL107


class Joined(nn.Module):
    def __init__(self, count: int = 2):
        super().__init__()
        for i in range(count):
            self.add_module(f"block.{i}", nn.Linear(1, 1))  # expect: TL107


class Keyed(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({"head.a": nn.Linear(1, 1)})  # expect: TL107


class KeyedLater(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict()
        for i in range(2):
            self.heads[i] = nn.Linear(1, 1)  # expect: TL107


class KeyOfMember(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({"type": nn.Linear(1, 1)})  # expect: TL107


class Ordered(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(OrderedDict([("conv.1", nn.Linear(1, 1))]))  # expect: TL107


class InAnother(nn.Module):
    def __init__(self):
        super().__init__()
        body = nn.Sequential()
        body.add_module("act", nn.ReLU())  # ok: TL107
        body.add_module("conv.1", nn.Conv1d(1, 1, 1))  # expect: TL107
        self.body = body


class SetByName(nn.Module):
    def __init__(self):
        super().__init__()
        for name in ("low.rank", "high"):
            setattr(self, name, nn.Parameter(torch.zeros(1)))  # expect: TL107


class Helped(nn.Module):
    def __init__(self):
        super().__init__()
        self._add("a.b", nn.Linear(1, 1))

    def _add(self, name, layer):
        self.add_module(name, layer)  # expect: TL107


class Good(nn.Module):
    def __init__(self, count: int = 2, prefix: str = "x"):
        super().__init__()
        self.register_buffer("running_mean", torch.zeros(1))  # ok: TL107
        for i in range(count):
            self.add_module(str(i), nn.Linear(1, 1))  # ok: TL107
            self.add_module(f"block_{i}", nn.Linear(1, 1))  # ok: TL107
            setattr(self, f"layer.{i}", nn.Linear(1, 1))  # ok: TL107  a module is assigned without a check
            self.register_buffer(prefix + str(i), torch.zeros(1))  # ok: TL107
        self.heads = nn.ModuleDict({"head_a": nn.Linear(1, 1)})  # ok: TL107
        self.heads["b"] = nn.Linear(1, 1)  # ok: TL107
        self.heads[str(3)] = nn.Linear(1, 1)  # ok: TL107
        self.table = {"a.b": 1}  # ok: TL107  a plain dict
        self.table[3] = 2  # ok: TL107
        self.body = nn.Sequential(OrderedDict([("conv_1", nn.Linear(1, 1))]))  # ok: TL107
        self.body[0] = nn.Linear(1, 1)  # ok: TL107  a position
        for name in ("low_rank", "high"):
            setattr(self, name, nn.Parameter(torch.zeros(1)))  # ok: TL107
        self._add("a_b", nn.Linear(1, 1))

    def _add(self, name, layer):
        self.register_module(name, layer)  # ok: TL107


def demonstrate():
    for bad in (Dotted, Empty, Joined, Keyed, KeyOfMember, Ordered, InAnother, SetByName, Helped):
        assert raises(bad) is KeyError
    assert raises(Numbered) is raises(KeyedLater) is TypeError
    assert raises(Good) is None


def raises(kind):
    try:
        kind()
    except (KeyError, TypeError) as error:
        return type(error)
    return None
