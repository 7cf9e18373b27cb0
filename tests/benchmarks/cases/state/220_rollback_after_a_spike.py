"""A spike guard keeps the last good state of model and optimizer in one record; the record follows the spike.

source: kmzzhang/nbi#11, open-mmlab/mmengine#266, roll-back helpers of large-batch training scripts
rules: [TL116]
"""
import copy
import math
from typing import Any, Dict

import torch
from torch import nn


class SpikeGuard:
    def __init__(self, net: nn.Module, opt: torch.optim.Optimizer, factor: float = 3.0):
        self.net, self.opt, self.factor = net, opt, factor
        self.level = math.inf
        self.good: Dict[str, Any] = {}

    def record(self, step: int) -> Dict[str, Any]:
        raise NotImplementedError

    def after(self, step: int, loss: float) -> bool:
        """Returns True when the step was taken back."""
        if math.isfinite(loss) and loss < self.factor * self.level:
            self.level = min(loss, self.level)
            self.good = self.record(step)
            return False
        self.net.load_state_dict(self.good["net"])
        return True


class LiveGuard(SpikeGuard):
    def record(self, step):
        return dict(step=step, net=self.net.state_dict(), lr=self.opt.param_groups[0]["lr"])  # expect: TL116


class ShallowGuard(SpikeGuard):
    def record(self, step):
        entry = {"step": step}
        entry["net"] = copy.copy(self.net.state_dict())  # expect: TL116
        return entry


class CopiedGuard(SpikeGuard):
    def record(self, step):
        return copy.deepcopy({"step": step, "net": self.net.state_dict()})  # ok: TL116


class OffloadedGuard(SpikeGuard):
    def record(self, step):
        net = {k: v.to("cpu", copy=True) for k, v in self.net.state_dict().items()}  # ok: TL116
        return {"step": step, "net": net}


class PreallocatedGuard(SpikeGuard):
    """One set of tensors, refilled each time."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.slots = {k: torch.empty_like(v) for k, v in self.net.state_dict().items()}

    @torch.no_grad()
    def record(self, step):
        for k, v in self.net.state_dict().items():  # ok: TL116
            self.slots[k].copy_(v)
        return {"step": step, "net": self.slots}


def run(guard: SpikeGuard, batches) -> int:
    undone = 0
    for step, (x, y) in enumerate(batches):
        loss = (guard.net(x) - y).pow(2).mean()
        undone += guard.after(step, loss.item())
        guard.opt.zero_grad()
        loss.backward()
        guard.opt.step()
    return undone


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, keeps in (
        (LiveGuard, False), (ShallowGuard, False), (CopiedGuard, True), (OffloadedGuard, True), (PreallocatedGuard, True),
    ):
        torch.manual_seed(0)
        net = nn.Linear(2, 1)
        guard = cls(net, torch.optim.SGD(net.parameters(), lr=0.1))
        guard.after(0, 1.0)
        good = net.weight.detach().clone()
        assert run(guard, [(torch.ones(4, 2), torch.full((4, 1), 50.0))]) == 1
        assert guard.after(2, math.nan)
        assert torch.equal(net.weight, good) is keeps, cls
