"""Gradient accumulation: the rest of the last window is flushed after the loop with a plain step; a bad loss calls update() alone.

source: espnet/espnet#2362 (update must run in every iteration), huggingface/accelerate#357 (no inf checks recorded prior to update)
rules: [TL406]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Epoch:
    def __init__(self, net, window=2):
        self.net, self.window = net, window
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler(KIND)

    def loss(self, x, y):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            return F.mse_loss(self.net(x).float(), y) / self.window

    def flush(self):
        self.scaler.step(self.opt)
        self.scaler.update()
        self.opt.zero_grad()

    def run(self, batches):
        waiting = 0
        for x, y in batches:
            self.scaler.scale(self.loss(x, y)).backward()
            waiting += 1
            if waiting == self.window:
                self.flush()
                waiting = 0
        if waiting:
            self.opt.step()  # expect: TL406
            self.opt.zero_grad()


class WholeEpoch(Epoch):
    def run(self, batches):
        waiting = 0
        for x, y in batches:
            self.scaler.scale(self.loss(x, y)).backward()
            waiting = (waiting + 1) % self.window
            if not waiting:
                self.flush()
        if waiting:
            self.flush()  # ok: TL406

    def warm(self, batches):
        for x, y in batches:
            F.mse_loss(self.net(x), y).backward()
            self.opt.step()  # ok: TL406
            self.opt.zero_grad()


class GuardedEpoch(Epoch):
    def run(self, batches):
        for x, y in batches:
            loss = self.loss(x, y)
            if not torch.isfinite(loss):
                self.scaler.update()  # expect: TL406
                continue
            self.scaler.scale(loss).backward()
            self.flush()


class GuardedEpochFixed(Epoch):
    def run(self, batches):
        for x, y in batches:
            loss = self.loss(x, y)
            if not torch.isfinite(loss):
                self.opt.zero_grad()
                continue
            self.scaler.scale(loss).backward()
            self.flush()  # ok: TL406


def demonstrate():
    def start(cls):
        torch.manual_seed(0)
        return cls(nn.Linear(3, 1).to(KIND))

    x = torch.randn(8, 3, device=KIND)
    batches = [(x, x.sum(1, keepdim=True))] * 3
    broken, whole = start(Epoch), start(WholeEpoch)
    broken.run(batches), whole.run(batches)
    assert broken.net.weight.abs().max() > 1000 > whole.net.weight.abs().max()
    whole.warm(batches)
    bad = [(x * float("inf"), batches[0][1])]
    try:
        start(GuardedEpoch).run(batches[:1] + bad)
        raise AssertionError("update without a step")
    except AssertionError as err:
        assert "No inf checks" in str(err), err
    start(GuardedEpochFixed).run(bad + batches)
