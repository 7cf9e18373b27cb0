"""A GAN trainer keeps its networks in a dict; the generator is halved for speed although a scaler steps it. The sampling copy may be.

source: mk-minchul/AdaFace#127, QwenAudio/FunMusic#28
rules: [TL404]
"""
import copy

import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Gan:
    def __init__(self, dim=4):
        self.nets = {"gen": nn.Linear(dim, dim), "dis": nn.Linear(dim, 1)}
        self.convert()
        self.opts = {k: torch.optim.SGD(net.parameters(), lr=0.1) for k, net in self.nets.items()}
        self.scaler = torch.amp.GradScaler(DEVICE_TYPE, init_scale=4.0)

    def convert(self):
        for net in self.nets.values():
            net.to(DEVICE_TYPE)
        self.nets["gen"].half()  # expect: TL404

    def step(self, noise):
        self.opts["gen"].zero_grad()
        with torch.autocast(DEVICE_TYPE, dtype=torch.float16):
            verdict = self.nets["dis"](self.nets["gen"](noise))
        loss = F.softplus(-verdict.float()).mean()  # ok: TL401
        self.scaler.scale(loss).backward()
        self.scaler.step(self.opts["gen"])
        self.scaler.update()
        return loss.detach()


class GanSingle(Gan):
    def convert(self):
        for net in self.nets.values():
            net.to(DEVICE_TYPE)

    @torch.no_grad()
    def preview(self, noise):
        light = copy.deepcopy(self.nets["gen"]).half()  # ok: TL404
        return light(noise.half())

    def checkpoint_size(self):
        rounded = copy.deepcopy(self.nets["gen"]).half().float()  # ok: TL404
        return sum(p.abs().sum().item() for p in rounded.parameters())


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    noise = torch.randn(3, 4, device=DEVICE_TYPE)
    try:
        Gan().step(noise)
        raise AssertionError("fp16 gradients were unscaled")
    except ValueError as err:
        assert "unscale FP16 gradients" in str(err), err
    good = GanSingle()
    assert torch.isfinite(good.step(noise))
    assert good.preview(noise).dtype is torch.float16 and good.nets["gen"].weight.dtype is torch.float32
    assert good.checkpoint_size() > 0
