"""A network that was converted to bfloat16 answers in it, whoever hands the answer to numpy."""

import numpy as np
import torch
from torch import nn


class Encoder:
    def __init__(self, net: nn.Module):
        self.net = net.to(torch.bfloat16).eval()

    def array_of(self, part):
        return part.cpu().numpy()  # expect: TL306

    @torch.inference_mode()
    def encode(self, x):
        return np.stack([self.array_of(self.net(row.to(torch.bfloat16))) for row in x])


class EncoderWidened(Encoder):
    def array_of(self, part):
        return part.float().cpu().numpy()  # ok: TL306  # note: TL307


class EncoderWidenedByDtype(Encoder):
    def array_of(self, part):
        part = part.to(torch.float32)
        return part.cpu().numpy()  # ok: TL306  # note: TL307


class EncoderOfNumbers(Encoder):
    def array_of(self, part):
        return np.array([row.norm().item() for row in part])  # ok: TL306


class Back:
    def __init__(self, net: nn.Module):
        self.net = net.bfloat16().float()

    @torch.no_grad()
    def array(self, x):
        return self.net(x).numpy()  # ok: TL306  float32 again


@torch.no_grad()
def by_statement(net: nn.Module, x: torch.Tensor):
    net.bfloat16()
    return net(x.bfloat16()).numpy()  # expect: TL306


@torch.no_grad()
def compared(net: nn.Module, x: torch.Tensor):
    before = net(x)
    net.to(torch.bfloat16)
    return before.numpy(), net(x.bfloat16()).float().numpy()  # ok: TL306  the first ran before the conversion


@torch.no_grad()
def on_one_branch(net: nn.Module, x: torch.Tensor, is_narrow: bool = False):
    if is_narrow:
        net.bfloat16()
        return net(x.bfloat16()).float().numpy()  # ok: TL306
    return net(x).numpy()  # ok: TL306  this branch converts nothing


class Chosen:
    def __init__(self, net: nn.Module, is_wide: bool = True):
        self.net = net if is_wide else net.bfloat16()

    @torch.no_grad()
    def array(self, x):
        return self.net(x).numpy()  # ok: TL306  the caller chose


@torch.no_grad()
def probabilities(net: nn.Module, x: torch.Tensor):
    model = net.to(dtype=torch.bfloat16)
    return torch.softmax(model(x.bfloat16()), -1).numpy()  # expect: TL306


@torch.no_grad()
def by_method(net: nn.Module, x: torch.Tensor):
    net.bfloat16()
    best = net(x.bfloat16()).argmax(-1).numpy()  # ok: TL306  integers
    mask = net(x.bfloat16()).bool().numpy()  # ok: TL306
    return best, mask, net(x.bfloat16()).softmax(-1).numpy()  # expect: TL306


@torch.no_grad()
def in_half(net: nn.Module, x: torch.Tensor):
    net = net.half()
    return net(x.half()).numpy()  # ok: TL306  numpy has float16


@torch.no_grad()
def another(net: nn.Module, other: nn.Module, x: torch.Tensor):
    other.bfloat16()
    return net(x).numpy()  # ok: TL306  another network was converted


def demonstrate():
    x = torch.ones(2, 3)
    refused = [
        lambda: Encoder(nn.Linear(3, 3)).encode(x),
        lambda: by_statement(nn.Linear(3, 3), x),
        lambda: probabilities(nn.Linear(3, 3), x),
        lambda: by_method(nn.Linear(3, 3), x),
    ]
    for call in refused:
        try:
            call()
            raise AssertionError("numpy took bfloat16")
        except TypeError as error:
            assert "BFloat16" in str(error)
    for cls in (EncoderWidened, EncoderWidenedByDtype, EncoderOfNumbers):
        cls(nn.Linear(3, 3)).encode(x)
    compared(nn.Linear(3, 3), x), on_one_branch(nn.Linear(3, 3), x), Chosen(nn.Linear(3, 3)).array(x)
    Back(nn.Linear(3, 3)).array(x), in_half(nn.Linear(3, 3), x), another(nn.Linear(3, 3), nn.Linear(3, 3), x)
