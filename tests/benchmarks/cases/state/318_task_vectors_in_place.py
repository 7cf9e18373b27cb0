"""Task arithmetic: the difference of two models is computed in the dict that still belongs to one of them.

source: model-editing scripts (task vectors), OpenMined/PySyft#3613 (a state_dict is not a copy), alibaba/FederatedScope#664
rules: [TL111]
"""
import copy

import torch
from torch import nn


def is_real(t: torch.Tensor) -> bool:
    return t.dtype.is_floating_point


class TaskVector:
    def __init__(self, base: nn.Module, tuned: nn.Module):
        self.delta = self.difference(base.state_dict(), tuned)

    def difference(self, origin, tuned):
        vector = tuned.state_dict()
        for name, value in vector.items():
            if is_real(value):
                value.sub_(origin[name])  # expect: TL111
        return vector

    def apply_to(self, model: nn.Module, scale: float = 1.0) -> nn.Module:
        merged = copy.deepcopy(model)
        with torch.no_grad():
            for name, value in merged.state_dict().items():
                if is_real(value):
                    value.add_(self.delta[name], alpha=scale)  # ok: TL111
        return merged


class FreshTaskVector(TaskVector):
    def difference(self, origin, tuned):
        return {n: v - origin[n] for n, v in tuned.state_dict().items() if is_real(v)}  # ok: TL111


class CopiedTaskVector(TaskVector):
    def difference(self, origin, tuned):
        vector = {n: v.clone() for n, v in tuned.state_dict().items()}
        for name, value in vector.items():
            if is_real(value):
                value.sub_(origin[name])  # ok: TL111
        return vector


def report_ranges(model: nn.Module) -> dict[str, float]:
    """Largest entry of each buffer after centring, for a log line."""
    out = {}
    for name, buf in model.named_buffers():
        if is_real(buf):
            buf -= buf.mean()  # expect: TL111
            out[name] = float(buf.abs().max())
    return out


def report_ranges_apart(model: nn.Module) -> dict[str, float]:
    out = {}
    for name, buf in model.named_buffers():
        if is_real(buf):
            buf = buf - buf.mean()  # ok: TL111
            out[name] = float(buf.abs().max())
    return out


def forget_statistics(model: nn.Module) -> None:
    """Meant to change the model."""
    for m in model.modules():
        if isinstance(m, nn.BatchNorm1d):
            m.reset_running_stats()  # ok: TL111


# ---- demonstration: not part of the graded code ----
def _pair():
    torch.manual_seed(0)
    return [nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3)) for _ in range(2)]


def demonstrate():
    for cls, untouched in ((TaskVector, False), (FreshTaskVector, True), (CopiedTaskVector, True)):
        base, tuned = _pair()
        before = copy.deepcopy(tuned.state_dict())
        vector = cls(base, tuned)
        after = tuned.state_dict()
        assert all(torch.equal(before[k], after[k]) for k in before) is untouched, cls
        back = vector.apply_to(base)
        assert torch.allclose(back[0].weight, before["0.weight"])
    for report, untouched in ((report_ranges, False), (report_ranges_apart, True)):
        net = _pair()[0]
        net[1].running_mean.fill_(5.0)
        report(net)
        assert bool((net[1].running_mean == 5).all()) is untouched, report
    forget_statistics(net)
