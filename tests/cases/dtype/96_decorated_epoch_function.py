"""The autocast decorator sits on the function that runs a whole epoch: its first cast of the weights serves all batches.

source: X-GenGroup/Flow-Factory#186; scripts with @torch.autocast on train_one_epoch
rules: [TL408]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Task:
    def __init__(self, net, lr=0.1):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=lr)

    @torch.amp.autocast(DEVICE_TYPE, dtype=torch.bfloat16)
    def epoch(self, batches):
        trace = []
        for x, y in batches:
            loss = F.mse_loss(self.net(x), y)
            self.opt.zero_grad()
            loss.backward()  # use: TL402, TL408
            self.opt.step()  # expect: TL408
            trace.append(loss.detach())
        return torch.stack(trace)


class TaskPerBatch:
    def __init__(self, net, lr=0.1):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=lr)

    @torch.amp.autocast(DEVICE_TYPE, dtype=torch.bfloat16)
    def forward_loss(self, x, y):
        return F.mse_loss(self.net(x), y)

    def epoch(self, batches):
        trace = []
        for x, y in batches:
            loss = self.forward_loss(x, y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()  # ok: TL408
            trace.append(loss.detach())
        return torch.stack(trace)


class TaskClearing(TaskPerBatch):
    """One region, but the cache is emptied after each write."""

    def epoch(self, batches):
        trace = []
        with torch.amp.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            for x, y in batches:
                loss = F.mse_loss(self.net(x), y)
                self.opt.zero_grad()
                loss.backward()  # use: TL402
                self.opt.step()  # ok: TL408
                torch.clear_autocast_cache()
                trace.append(loss.detach())
        return torch.stack(trace)


class TaskLastUse(TaskPerBatch):
    """Region per batch, step as its last statement."""

    def epoch(self, batches):
        trace = []
        for x, y in batches:
            self.opt.zero_grad()
            with torch.amp.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
                loss = F.mse_loss(self.net(x), y)
                loss.backward()  # use: TL402
                self.opt.step()  # ok: TL408
            trace.append(loss.detach())
        return torch.stack(trace)


# ---- demonstration ----
def demonstrate():
    def trace(cls):
        torch.manual_seed(0)
        x = torch.randn(16, 4, device=DEVICE_TYPE)
        return cls(nn.Linear(4, 1).to(DEVICE_TYPE)).epoch([(x, x.sum(1, keepdim=True))] * 15)

    frozen = trace(Task)
    assert (frozen == frozen[0]).all(), "every batch saw the first weights"
    for cls in (TaskPerBatch, TaskClearing, TaskLastUse):
        moving = trace(cls)
        assert moving[-1] < 0.3 * moving[0], cls
