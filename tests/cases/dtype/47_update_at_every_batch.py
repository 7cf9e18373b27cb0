"""Gradient accumulation: the step waits for a full window but update() is called for every batch; the first one raises.

source: pytorch/pytorch#36601 (questions on accumulation: update only when you step)
rules: [TL406]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Window:
    def __init__(self, every):
        self.every, self.seen = every, 0

    @property
    def full(self):
        self.seen += 1
        return self.seen % self.every == 0


class Accumulate:
    def __init__(self, net, every=2):
        self.net, self.window = net, Window(every)
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler(DEVICE_TYPE, init_scale=16.0)

    def share(self, x, y):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            return F.mse_loss(self.net(x), y) / self.window.every

    def run(self, batches):
        for x, y in batches:
            self.scaler.scale(self.share(x, y)).backward()
            if self.window.full:
                self.scaler.step(self.opt)
                self.opt.zero_grad()
            self.scaler.update()  # expect: TL406


class AccumulateTogether(Accumulate):
    def run(self, batches):
        for x, y in batches:
            self.scaler.scale(self.share(x, y)).backward()
            if self.window.full:
                self.scaler.step(self.opt)
                self.scaler.update()  # ok: TL406
                self.opt.zero_grad()


class AccumulatePair(Accumulate):
    """Two optimizers, two steps, one update."""

    def __init__(self, net, every=2):
        super().__init__(net, every)
        self.other = torch.optim.SGD([net.bias], lr=0.1)
        self.opt = torch.optim.SGD([net.weight], lr=0.01)

    def run(self, batches):
        for x, y in batches:
            self.scaler.scale(self.share(x, y)).backward()
            for opt in (self.opt, self.other):
                self.scaler.step(opt)
            self.scaler.update()  # ok: TL406
            self.net.zero_grad()


# ---- demonstration ----
def demonstrate():
    def moved(cls):
        torch.manual_seed(0)
        net = nn.Linear(3, 1).to(DEVICE_TYPE)
        start = net.weight.detach().clone()
        batch = torch.randn(4, 3, device=DEVICE_TYPE), torch.randn(4, 1, device=DEVICE_TYPE)
        cls(net).run([batch] * 4)
        return not torch.equal(start, net.weight)

    try:
        moved(Accumulate)
        raise RuntimeError("update ran without a step")
    except AssertionError as err:
        assert "No inf checks" in str(err), err
    assert moved(AccumulateTogether) and moved(AccumulatePair)
