"""_apply() gets every parameter and buffer, so the function that it is given must ask for the dtype."""
import torch
from torch import nn


def halve(tensor):
    return tensor.half()


def compress(model: nn.Module):
    return model._apply(lambda t: t.half())  # expect: TL301


def compress_children(model: nn.Module):
    for child in model.children():
        child._apply(lambda t: t.to(torch.bfloat16))  # expect: TL301
    return model


def compress_by_function(model: nn.Module):
    return model._apply(halve)  # expect: TL301


def compress_floating(model: nn.Module):
    return model._apply(lambda t: t.half() if t.is_floating_point() else t)  # ok: TL301


def move(model: nn.Module):
    return model._apply(lambda t: t.to("cpu"))  # ok: TL301


def initialize(model: nn.Module):
    return model.apply(lambda m: m.half())  # ok: TL301  apply() gets modules


def demonstrate():
    for function, exact in (
        (compress, False), (compress_children, False), (compress_by_function, False), (compress_floating, True),
        (move, True), (initialize, True),
    ):
        model = function(nn.Sequential(nn.BatchNorm1d(2)))
        assert (model[0].num_batches_tracked.dtype == torch.int64) is exact, function
