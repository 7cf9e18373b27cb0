"""A dict of named_parameters(recurse=False) that is saved is the checkpoint of one module."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(dim))
        self.body = nn.Linear(dim, dim)


def save(model: nn.Module, path):
    torch.save({name: value.cpu() for name, value in model.named_parameters(recurse=False)}, path)  # expect: TL110


def save_all(model: nn.Module, path):
    torch.save({name: value.cpu() for name, value in model.named_parameters()}, path)  # ok: TL110


def own_of_each(model: nn.Module):
    return {  # each module gives its own
        f"{prefix}.{name}": value
        for prefix, part in model.named_modules()
        for name, value in part.named_parameters(recurse=False)  # ok: TL110
    }


def demonstrate():
    import io

    buffer = io.BytesIO()
    save(Model(2), buffer)
    buffer.seek(0)
    assert set(torch.load(buffer)) == {"scale"}
    save_all(Model(2), io.BytesIO())
    assert len(own_of_each(Model(2))) == 3
