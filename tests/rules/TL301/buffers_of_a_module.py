"""All buffers are converted in place; parameters are floating anyway."""
import itertools

import torch
from torch import nn


def halve(model: nn.Module):
    for buffer in model.buffers():
        buffer.data = buffer.data.half()  # expect: TL301


def halve_named(model: nn.Module):
    for _, buffer in model.named_buffers():
        buffer.data = buffer.bfloat16()  # expect: TL301


def halve_registry(model: nn.Module):
    for name, buffer in model._buffers.items():
        model._buffers[name] = buffer.half()  # expect: TL301


def halve_chained(model: nn.Module):
    for tensor in itertools.chain(model.parameters(), model.buffers()):
        tensor.data = tensor.data.half()  # expect: TL301


def halve_floating(model: nn.Module):
    for parameter in model.parameters():
        parameter.data = parameter.data.half()  # ok: TL301
    for buffer in model.buffers():
        if buffer.is_floating_point():
            buffer.data = buffer.data.half()  # ok: TL301


def halve_learned(model: nn.Module):
    for value in model.state_dict(keep_vars=True).values():
        if value.requires_grad:
            value.data = value.data.half()  # ok: TL301  what learns is floating


def halve_norms(model: nn.Module):
    for module in model.modules():
        if isinstance(module, nn.BatchNorm1d):
            module.weight.data = module.weight.data.half()  # ok: TL301


def move(model: nn.Module, device: str):
    for buffer in model.buffers():
        buffer.data = buffer.data.to(device)  # ok: TL301  a device, no dtype


def demonstrate():
    for function, exact in (
        (halve, False), (halve_named, False), (halve_registry, False), (halve_chained, False),
        (halve_floating, True), (halve_learned, True),
    ):
        norm = nn.BatchNorm1d(2)
        function(norm)
        assert (norm.num_batches_tracked.dtype == torch.int64) is exact, function
