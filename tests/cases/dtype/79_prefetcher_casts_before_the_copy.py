"""A prefetcher widens uint8 frames to float32 on the host and moves them afterwards; the report adds .item() in every step.

source: facebookresearch/habitat-lab#297 (cast before the transfer)
rules: [TL307]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Prefetch:
    def __init__(self, frames, device, scale=255.0):
        self.frames, self.device, self.scale = frames, device, scale

    def ready(self, frame):
        return frame.float().to(self.device) / self.scale  # expect: TL307

    def __iter__(self):
        for frame in self.frames:
            yield self.ready(frame)


class PrefetchNarrow(Prefetch):
    def ready(self, frame):
        return frame.to(self.device).float() / self.scale  # ok: TL307


class PrefetchOneCall(Prefetch):
    def ready(self, frame):
        return frame.to(self.device, torch.float32) / self.scale  # ok: TL307


class Meter:
    def __init__(self):
        self.sum, self.n = 0.0, 0

    def add(self, value):
        self.sum, self.n = self.sum + value, self.n + 1


def fit(net, loader, optimizer):
    meter = Meter()
    for x in loader:
        optimizer.zero_grad()
        loss = F.mse_loss(net(x), x)
        loss.backward()
        optimizer.step()
        meter.add(loss.item())  # expect: TL307
    return meter.sum / meter.n


def fit_quietly(net, loader, optimizer):
    seen = []
    for x in loader:
        optimizer.zero_grad()
        loss = F.mse_loss(net(x), x)
        loss.backward()
        optimizer.step()
        seen.append(loss.detach())
    return torch.stack(seen).mean().item()  # ok: TL307


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    frames = [torch.randint(0, 255, (2, 4), dtype=torch.uint8) for _ in range(3)]
    assert frames[0].float().nbytes == 4 * frames[0].nbytes  # what crosses the bus
    outs = [list(cls(frames, "cpu")) for cls in (Prefetch, PrefetchNarrow, PrefetchOneCall)]
    assert all(torch.equal(a, b) for a, b in zip(outs[0], outs[1]))
    assert all(torch.equal(a, b) for a, b in zip(outs[0], outs[2]))
    results = []
    for loop in (fit, fit_quietly):
        torch.manual_seed(0)
        net = nn.Linear(4, 4)
        results.append(loop(net, outs[0], torch.optim.SGD(net.parameters(), lr=0.1)))
    assert abs(results[0] - results[1]) < 1e-6
