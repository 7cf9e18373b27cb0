"""The same with float(): whole numbers survive, their type does not, so it is a note."""
import torch
from torch import nn


def widen(model: nn.Module):
    return {name: value.float() for name, value in model.state_dict().items()}  # note: TL301


def widen_buffers(model: nn.Module):
    for buffer in model.buffers():
        buffer.data = buffer.data.to(torch.float32)  # note: TL301


def widen_halves(model: nn.Module):
    return {
        name: value.float() if value.dtype == torch.float16 else value  # ok: TL301
        for name, value in model.state_dict().items()
    }


def widen_module(model: nn.Module):
    return model.float()  # ok: TL301


def demonstrate():
    norm = nn.BatchNorm1d(2)
    assert widen(norm)["num_batches_tracked"].is_floating_point()
    assert not widen_halves(norm)["num_batches_tracked"].is_floating_point()
    assert not widen_module(norm).num_batches_tracked.is_floating_point()
    widen_buffers(norm)
    assert norm.num_batches_tracked.is_floating_point()
