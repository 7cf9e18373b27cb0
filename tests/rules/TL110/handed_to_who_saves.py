"""A method or function gives the tensors of one module, and another one saves them as the whole model."""

import torch
from torch import nn


class Exporter:
    def __init__(self, model: nn.Module):
        self.model = model

    def entries(self):
        raise NotImplementedError

    def write(self, path):
        torch.save({name: value.detach().clone() for name, value in self.entries()}, path)


class OfTheRoot(Exporter):
    def entries(self):
        yield from self.model.named_parameters(recurse=False)  # expect: TL110
        yield from self.model.named_buffers(recurse=False)  # expect: TL110


class OneByOne(Exporter):
    def entries(self):
        for name, value in self.model.named_parameters(recurse=False):  # expect: TL110
            yield name, value


class OfAllModules(Exporter):
    def entries(self):
        for prefix, module in self.model.named_modules():
            for name, value in module.named_parameters(prefix, recurse=False):  # ok: TL110
                yield name, value


class OfTheTree(Exporter):
    def entries(self):
        yield from self.model.named_parameters()  # ok: TL110


class Printing(Exporter):
    def entries(self):
        yield from self.model.named_parameters(recurse=False)  # ok: TL110  shown, and not saved

    def write(self, path):
        for name, value in self.entries():
            print(name, tuple(value.shape))


def own_tensors(model: nn.Module):
    return list(model.named_parameters(recurse=False))  # expect: TL110


def save_model(model: nn.Module, path: str) -> None:
    torch.save(dict(own_tensors(model)), path)
