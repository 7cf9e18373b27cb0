"""Names that join() puts together, and the keys of a ModuleDict as keywords, pairs, a zip() and an update()."""
import torch
from torch import nn


def layer() -> nn.Module:
    return nn.Linear(1, 1)


class Joined(nn.Module):
    def __init__(self, names):
        super().__init__()
        for name in names:
            self.register_buffer(".".join((name, "mean")), torch.zeros(1))  # expect: TL107


class JoinedOtherwise(nn.Module):
    def __init__(self, names):
        super().__init__()
        for name in names:
            self.register_buffer("_".join((name, "mean")), torch.zeros(1))  # ok: TL107
            self.add_module("".join([name, "layer"]), layer())  # ok: TL107
        self.labels = [".".join((name, "mean")) for name in names]  # ok: TL107


class Keywords(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict(dict(body=layer(), keys=layer()))  # expect: TL107


class Pairs(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict([("body", layer()), ("pop", layer())])  # expect: TL107


class Zipped(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict(zip(("body", "train"), (layer(), layer())))  # expect: TL107


class Updated(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict()
        self.parts.update({"items": layer()})  # expect: TL107


class Free(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict(dict(body=layer(), key=layer()))  # ok: TL107
        self.parts.update({"item": layer()})  # ok: TL107
        self.more = nn.ModuleDict(zip(("body", "trains"), (layer(), layer())))  # ok: TL107
        self.counts = {"body": 0}
        self.counts.update({"items": 1, "a.b": 2})  # ok: TL107


def demonstrate():
    for kind in (lambda: Joined(["a"]), Keywords, Pairs, Zipped, Updated):
        try:
            kind()
            raise AssertionError(kind)
        except KeyError:
            pass
    JoinedOtherwise(["a"])
    Free()
