"""Averaged weights are swapped in for validation; the dict that is saved was taken inside and is written outside the swap.

source: hand-made averages of diffusion trainers with a context manager (ema_scope), devilismyfriend/StableTuner#126, fadel/pytorch_ema
rules: [TL116]
"""
import contextlib
import io

import torch
from torch import nn


class Average:
    def __init__(self, net: nn.Module, rate: float = 0.5):
        self.net, self.rate = net, rate
        self.mean = {k: v.clone() for k, v in net.state_dict().items()}

    @torch.no_grad()
    def update(self) -> None:
        for k, v in self.net.state_dict().items():
            self.mean[k].lerp_(v, self.rate)

    @contextlib.contextmanager
    def swapped(self):
        raw = {k: v.clone() for k, v in self.net.state_dict().items()}  # ok: TL116
        self.net.load_state_dict(self.mean)
        try:
            yield self.net
        finally:
            self.net.load_state_dict(raw)


class Runner:
    def __init__(self, net: nn.Module):
        self.net, self.average = net, Average(net)
        self.opt = torch.optim.SGD(net.parameters(), lr=0.5)
        self.files: list[bytes] = []

    def write(self, payload) -> None:
        blob = io.BytesIO()
        torch.save(payload, blob)
        self.files.append(blob.getvalue())

    def step(self, x) -> None:
        self.opt.zero_grad()
        self.net(x).pow(2).mean().backward()
        self.opt.step()
        self.average.update()

    def checkpoint(self, x) -> None:
        with self.average.swapped() as net, torch.no_grad():
            score = float(net(x).pow(2).mean())
            payload = {"weights": net.state_dict()}  # expect: TL116
        payload["score"] = score
        self.write(payload)


class InsideRunner(Runner):
    def checkpoint(self, x):
        with self.average.swapped() as net, torch.no_grad():
            score = float(net(x).pow(2).mean())
            self.write({"weights": net.state_dict(), "score": score})  # ok: TL116


class CopyingRunner(Runner):
    def checkpoint(self, x):
        with self.average.swapped() as net, torch.no_grad():
            weights = {k: v.cpu().clone() for k, v in net.state_dict().items()}  # ok: TL116
            score = float(net(x).pow(2).mean())
        self.write({"weights": weights, "score": score})


class MeanRunner(Runner):
    """The shadow itself is written."""

    def checkpoint(self, x):
        self.write({"weights": dict(self.average.mean), "raw": self.net.state_dict()})  # ok: TL116


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, right in ((Runner, False), (InsideRunner, True), (CopyingRunner, True), (MeanRunner, True)):
        torch.manual_seed(0)
        runner, x = cls(nn.Linear(2, 1)), torch.randn(8, 2)
        for _ in range(3):
            runner.step(x)
        runner.checkpoint(x)
        saved = torch.load(io.BytesIO(runner.files[0]), weights_only=True)["weights"]
        assert torch.allclose(saved["weight"], runner.average.mean["weight"]) is right, cls
        assert torch.allclose(saved["weight"], runner.net.weight) is not right, cls
