"""numpy has no bfloat16."""
import torch
from torch import nn


@torch.no_grad()
def converted(net: nn.Module, x: torch.Tensor):
    return net(x).to(torch.bfloat16).numpy()  # expect: TL306


@torch.no_grad()
def under_autocast(x: torch.Tensor):
    layer = nn.Linear(2, 2)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = layer(x)
    return out.numpy()  # expect: TL306


@torch.no_grad()
def back_again(x: torch.Tensor):
    layer = nn.Linear(2, 2)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = layer(x)
    return out.float().numpy()  # ok: TL306


@torch.no_grad()
def in_float32(x: torch.Tensor):
    layer = nn.Linear(2, 2)
    with torch.autocast("cpu", enabled=False):
        out = layer(x)
    return out.numpy()  # ok: TL306


@torch.no_grad()
def in_half(net: nn.Module, x: torch.Tensor):
    return net(x).half().numpy()  # ok: TL306  numpy has float16


def demonstrate():
    net, x = nn.Linear(2, 2), torch.ones(1, 2)
    for function in (lambda: converted(net, x), lambda: under_autocast(x)):
        try:
            function()
        except TypeError as error:
            assert "BFloat16" in str(error)
        else:
            raise AssertionError("numpy took bfloat16")
    back_again(x), in_float32(x), in_half(net, x)
