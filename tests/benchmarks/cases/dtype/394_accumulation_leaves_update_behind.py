"""Accumulated gradients: step happens through the scaler in a callback of the window; nobody calls update().

source: espnet/espnet#2362 kind (update must follow every step), pytorch/pytorch#36601
rules: [TL406]
"""
import itertools

import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Loop:
    def __init__(self, net, window=2, clip=1.0):
        self.net, self.window, self.clip = net.to(KIND), window, clip
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler(KIND)

    def backward(self, x, y):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            loss = F.mse_loss(self.net(x), y) / self.window
        self.scaler.scale(loss).backward()

    def window_done(self):
        raise NotImplementedError

    def run(self, batches):
        count = itertools.count(1)
        for batch in batches:
            self.backward(*batch)
            if next(count) % self.window == 0:
                self.window_done()


class NeverUpdates(Loop):
    def window_done(self):
        self.scaler.unscale_(self.opt)  # use: TL406
        nn.utils.clip_grad_norm_(self.net.parameters(), self.clip)  # ok: TL406
        self.scaler.step(self.opt)  # expect: TL406
        self.opt.zero_grad()


class Updates(Loop):
    def window_done(self):
        self.scaler.unscale_(self.opt)
        nn.utils.clip_grad_norm_(self.net.parameters(), self.clip)  # ok: TL406
        self.scaler.step(self.opt)  # ok: TL406
        self.close()

    def close(self):
        self.scaler.update()
        self.opt.zero_grad()


class UpdatesOutside(Loop):
    """Steps a list of optimizers and updates once after it."""

    def window_done(self):
        for opt in (self.opt,):
            self.scaler.step(opt)  # ok: TL406
            opt.zero_grad()
        self.scaler.update()


def demonstrate():
    torch.manual_seed(0)
    batches = [(torch.randn(4, 3, device=KIND), torch.randn(4, 1, device=KIND)) for _ in range(4)]
    try:
        NeverUpdates(nn.Linear(3, 1)).run(batches)
        raise AssertionError("a second window passed without update()")
    except RuntimeError as err:
        assert "unscale_() is being called after step()" in str(err), err
    for cls in (Updates, UpdatesOutside):
        cls(nn.Linear(3, 1)).run(batches)
