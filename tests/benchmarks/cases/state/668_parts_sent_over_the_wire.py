"""A split-learning worker sends the weights of its part and measures how far statistics have drifted; it sends one level and writes the live ones.

source: reports of checkpoints that miss nested layers (recurse=False), and of models changed by a report over named_buffers()
rules: [TL110, TL111]
"""
import io

import torch
from torch import nn


def part() -> nn.Module:
    body = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3))
    body.register_parameter("gain", nn.Parameter(torch.ones(3)))
    return body


class Worker:
    def __init__(self, module: nn.Module):
        self.module = module

    def pack(self) -> dict:
        raise NotImplementedError

    def send(self) -> bytes:
        wire = io.BytesIO()
        torch.save(self.pack(), wire)
        return wire.getvalue()


class FlatWorker(Worker):
    def pack(self):
        return {k: p.detach().clone() for k, p in self.module.named_parameters(recurse=False)}  # expect: TL110


class DeepWorker(Worker):
    def pack(self):
        return {k: p.detach().clone() for k, p in self.module.named_parameters()}  # ok: TL110


class WalkingWorker(Worker):
    """One level each, but of every module: that is the whole."""

    def pack(self):
        out = {}
        for prefix, m in self.module.named_modules():
            for k, p in m.named_parameters(recurse=False):  # ok: TL110
                out[f"{prefix}.{k}" if prefix else k] = p.detach().clone()
        return out


@torch.no_grad()
def drift(module: nn.Module, reference: dict) -> dict:
    report = {}
    for name, value in module.named_buffers():
        if value.is_floating_point():
            value -= reference[name]  # expect: TL111
            report[name] = value.abs().mean().item()
    return report


@torch.no_grad()
def drift_measured(module: nn.Module, reference: dict) -> dict:
    report = {}
    for name, value in module.named_buffers():
        if value.is_floating_point():
            value = value - reference[name]
            value /= reference[name].abs() + 1  # ok: TL111
            report[name] = value.abs().mean().item()
    return report


@torch.no_grad()
def restart_statistics(module: nn.Module) -> None:
    """Meant to change the module: says so."""
    for m in module.modules():
        if isinstance(m, nn.BatchNorm1d):
            m.running_mean.zero_()  # ok: TL111
            m.running_var.fill_(1.0)  # ok: TL111


# ---- demonstration: not part of the graded code ----
def demonstrate():
    net = part()
    net(torch.randn(8, 3) + 2)
    assert set(FlatWorker(net).pack()) == {"gain"}
    want = set(dict(net.named_parameters()))
    assert set(DeepWorker(net).pack()) == set(WalkingWorker(net).pack()) == want
    assert len(DeepWorker(net).send()) > len(FlatWorker(net).send())
    reference = {k: v.clone() for k, v in part().named_buffers()}
    before = net[1].running_mean.clone()
    drift_measured(net, reference)
    assert torch.equal(net[1].running_mean, before)
    assert drift(net, reference)["1.running_var"] >= 0
    kept = part()
    drift(kept, reference)
    assert kept[1].running_var.abs().sum() == 0  # the variance of the live net is gone
    restart_statistics(net)
