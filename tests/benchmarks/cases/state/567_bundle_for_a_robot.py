"""A deployment tool writes the weights of a controller and measures what rounding would cost: it writes one level and rounds the live weights.

source: meta-pytorch/torchrec#1091 kind (tensors of one level), thunlp/OpenKE#131 (state_dict is the live memory); rebuilt from scratch
rules: [TL110, TL111]
"""
import io

import torch
from torch import nn


class Controller(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(2))
        self.register_buffer("limit", torch.full((2,), 3.0))
        self.body = nn.Linear(2, 2)

    def forward(self, x):
        return torch.minimum(self.body(x) * self.gain, self.limit)


class Bundle:
    def __init__(self, net: nn.Module):
        self.net = net

    def tensors(self) -> dict[str, torch.Tensor]:
        raise NotImplementedError

    def write(self) -> bytes:
        blob = io.BytesIO()
        torch.save(self.tensors(), blob)
        return blob.getvalue()


class OwnBundle(Bundle):
    def tensors(self):
        own = dict(self.net.named_parameters(recurse=False))  # expect: TL110
        own.update(self.net.named_buffers())
        return own


class WalkedBundle(Bundle):
    """One level at a time, over all levels."""

    def tensors(self):
        out = {}
        for path, part in self.net.named_modules():
            for name, p in part.named_parameters(recurse=False):  # ok: TL110
                out[f"{path}.{name}".lstrip(".")] = p
            for name, b in part.named_buffers(recurse=False):  # ok: TL110
                out[f"{path}.{name}".lstrip(".")] = b
        return out


@torch.no_grad()
def rounding_cost(net: nn.Module, steps: int = 7) -> dict[str, float]:
    cost = {}
    for name, value in net.state_dict().items():
        before = value.clone()
        size = value.abs().amax() / steps
        value.div_(size).round_().mul_(size)  # expect: TL111
        cost[name] = (value - before).norm().item()
    return cost


@torch.no_grad()
def rounding_cost_fixed(net: nn.Module, steps: int = 7) -> dict[str, float]:
    cost = {}
    for name, value in net.state_dict().items():
        size = value.abs().amax() / steps
        rounded = value.div(size).round_().mul_(size)  # ok: TL111
        cost[name] = (rounded - value).norm().item()
    return cost


@torch.no_grad()
def rounding_cost_of_copy(net: nn.Module, steps: int = 7) -> dict[str, float]:
    cost, state = {}, {k: v.clone() for k, v in net.state_dict().items()}
    for name, value in state.items():
        size = value.abs().amax() / steps
        value.div_(size).round_().mul_(size)  # ok: TL111
        cost[name] = (value - net.state_dict()[name]).norm().item()
    return cost


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, whole in ((OwnBundle, False), (WalkedBundle, True)):
        net = Controller()
        got = torch.load(io.BytesIO(cls(net).write()), weights_only=False)
        assert (set(got) == set(net.state_dict())) is whole, cls
    for rule, still in ((rounding_cost, False), (rounding_cost_fixed, True), (rounding_cost_of_copy, True)):
        net = Controller()
        before = net.body.weight.detach().clone()
        assert rule(net)["body.weight"] > 0
        assert torch.equal(net.body.weight, before) is still, rule
