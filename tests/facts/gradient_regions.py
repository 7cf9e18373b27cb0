"""Where autograd records: no_grad, inference_mode, set_grad_enabled, detach."""
import torch
from torch import inference_mode, no_grad


def regions(x: torch.Tensor, flag: bool):
    x * 1  # fact: gradients on
    with torch.no_grad():
        x * 1  # fact: gradients off
        with torch.enable_grad():
            x * 1  # todo: gradients on  enable_grad inside of no_grad turns gradients on
    x * 1  # fact: gradients on
    with no_grad(), open("/dev/null"):
        x * 1  # fact: gradients off
    with inference_mode():
        x * 1  # fact: gradients off
    with torch.inference_mode(False):
        x * 1  # fact: gradients on
    with torch.set_grad_enabled(False):
        x * 1  # fact: gradients off
    with torch.set_grad_enabled(True):
        x * 1  # fact: gradients on
    with torch.set_grad_enabled(flag):
        x * 1  # fact: gradients on
    with torch.set_grad_enabled(mode=False):
        x * 1  # fact: gradients off
    with torch.autocast("cpu"):
        x * 1  # fact: gradients on
    with torch.enable_grad():
        x * 1  # fact: gradients on
    return x * 1  # fact: gradients on


@torch.no_grad()
def decorated(x):
    with torch.autocast("cpu"):
        x * 1  # fact: gradients off
    return x * 1  # fact: gradients off


@torch.no_grad
def decorated_without_parentheses(x):
    return x * 1  # fact: gradients off


@torch.enable_grad()
def enabled(x):
    return x * 1  # fact: gradients on


@torch.jit.ignore
def otherwise(x):
    return x * 1  # fact: gradients on


def detached(x: torch.Tensor, weight: torch.nn.Parameter):
    x.detach()  # fact: tensor detached from x
    x.data  # fact: tensor detached from x
    weight * 2  # fact: tensor attached from weight
    weight.detach() * 2  # fact: tensor detached from weight
    weight.detach() * x  # fact: tensor attached from weight, x
    weight.clone()  # fact: tensor attached from weight
    weight > 0  # fact: tensor bool detached from weight
    weight.argmax()  # fact: tensor int64 detached from weight
    torch.zeros_like(weight)  # fact: tensor detached from weight
    weight.new_zeros(3)  # fact: tensor detached from weight
    torch.zeros(2)  # fact: tensor float32 detached from nothing
    decorated(weight)  # fact: tensor detached from weight
    enabled(weight)  # fact: tensor attached from weight
    with torch.no_grad():
        inside = weight * 2
    inside  # todo: tensor detached from weight  what is computed in a no_grad region has no graph
    return weight.item()  # fact: number from weight


def demo():
    x = torch.ones(1, requires_grad=True)
    for flag in (True,):
        regions(x, flag)
    decorated(x)
    decorated_without_parentheses(x)
    enabled(x)
    otherwise(x)
    detached(x, torch.nn.Parameter(torch.ones(1)))
