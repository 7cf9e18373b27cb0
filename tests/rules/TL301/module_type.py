"""Module.type(dtype) converts every buffer; half(), bfloat16() and to(dtype) convert the floating ones."""
import torch
from torch import nn


def compress(model: nn.Module):
    return model.type(torch.float16)  # expect: TL301


def restore(model: nn.Module):
    return model.type(torch.float32)  # expect: TL301


def compress_children(model: nn.Module):
    for child in model.children():
        child.half()  # ok: TL301
        child.bfloat16()  # ok: TL301
        child.to(torch.float16)  # ok: TL301
    return model.to(dtype=torch.bfloat16)  # ok: TL301


def convert_tensor(x: torch.Tensor):
    return x.type(torch.float16) + x.half() + x.to(torch.bfloat16)  # ok: TL301  one tensor


def demonstrate():
    for function, exact in ((compress, False), (restore, False), (compress_children, True)):
        model = function(nn.Sequential(nn.BatchNorm1d(2)))
        assert (model[0].num_batches_tracked.dtype == torch.int64) is exact, function
