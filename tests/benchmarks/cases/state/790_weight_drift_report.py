"""Reports about a network (distance from the start, largest statistic) change the very tensors they look at.

source: OpenMined/PySyft#3613 (same aliasing in averaging code); helpers written from scratch
rules: [TL111]
"""
import copy

import torch
from torch import nn


@torch.no_grad()
def drift_from_start(model: nn.Module, start: dict[str, torch.Tensor]) -> float:
    total = 0.0
    for name, value in model.state_dict().items():
        if value.is_floating_point():
            value -= start[name]  # expect: TL111
            total += float(value.square().sum())
    return total**0.5


@torch.no_grad()
def drift_out_of_place(model: nn.Module, start: dict[str, torch.Tensor]) -> float:
    total = 0.0
    for name, value in model.state_dict().items():
        if value.is_floating_point():
            value = value - start[name]  # ok: TL111
            total += float(value.square().sum())
    return total**0.5


@torch.no_grad()
def drift_on_clones(model: nn.Module, start: dict[str, torch.Tensor]) -> dict[str, float]:
    out = {}
    for name, value in model.state_dict().items():
        if value.is_floating_point():
            value = value.clone()
            value -= start[name]  # ok: TL111
            out[name] = float(value.norm())
    return out


@torch.no_grad()
def largest_statistics(model: nn.Module) -> list[float]:
    peaks = []
    for buf in model.buffers():
        if buf.is_floating_point():
            peaks.append(float(buf.abs_().max()))  # expect: TL111
    return peaks


@torch.no_grad()
def largest_statistics_kept(model: nn.Module) -> list[float]:
    return [float(buf.abs().max()) for buf in model.buffers() if buf.is_floating_point()]  # ok: TL111


def noisy_release(model: nn.Module, sigma: float) -> dict[str, torch.Tensor]:
    """State for publication; the model that trains on is a different object."""
    released = copy.deepcopy(model.state_dict())
    for value in released.values():
        if value.is_floating_point():
            value.add_(torch.randn_like(value), alpha=sigma)  # ok: TL111
    return released


# ---- demonstration: not part of the graded code ----
def _net():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3))
    start = {k: v.clone() for k, v in net.state_dict().items()}
    net(torch.randn(8, 3) - 4.0)
    with torch.no_grad():
        net[0].weight.add_(0.5)
    return net, start


def _changed(net, before) -> bool:
    return any(not torch.equal(v, before[k]) for k, v in net.state_dict().items())


def demonstrate():
    for report, harmless in (
        (drift_from_start, False), (drift_out_of_place, True), (drift_on_clones, True),
        (lambda m, s: largest_statistics(m), False), (lambda m, s: largest_statistics_kept(m), True),
        (lambda m, s: noisy_release(m, 0.1), True),
    ):
        net, start = _net()
        before = copy.deepcopy(net.state_dict())
        report(net, start)
        assert _changed(net, before) is not harmless, report
    net, start = _net()
    assert drift_out_of_place(net, start) == drift_from_start(net, start) > 0
    assert drift_from_start(net, start) != drift_out_of_place(*_net()), "a second report measures something else"
