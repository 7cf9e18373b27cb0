"""A trainer with hooks: the clipping hook runs between backward and step, and nobody has unscaled; the scaler sits in a settings object.

source: Lightning-AI/pytorch-lightning#9599, harubaru/waifu-diffusion#64, pytorch/examples#1196
rules: [TL406]
"""
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class BaseTrainer:
    max_norm = 1.0

    def __init__(self, net):
        self.net = net
        self.amp = SimpleNamespace(scaler=torch.amp.GradScaler(DEVICE_TYPE), dtype=torch.bfloat16)
        self.optimizer = torch.optim.SGD(net.parameters(), lr=1.0)

    def before_step(self):
        pass

    def clip(self):
        return nn.utils.clip_grad_norm_(self.net.parameters(), self.max_norm)  # expect: TL406

    def train_step(self, x, y):
        self.optimizer.zero_grad()
        with torch.autocast(DEVICE_TYPE, dtype=self.amp.dtype):
            loss = F.mse_loss(self.net(x), y)
        self.amp.scaler.scale(loss).backward()
        self.before_step()
        self.clip()  # use: TL406
        self.amp.scaler.step(self.optimizer)
        self.amp.scaler.update()
        return loss.detach()


class TrainerUnscaled:
    """The same steps, but the hook in front of the clipping unscales."""

    max_norm = 1.0

    def __init__(self, net):
        self.net = net
        self.scaler = torch.amp.GradScaler(DEVICE_TYPE)
        self.optimizer = torch.optim.SGD(net.parameters(), lr=1.0)

    def before_step(self):
        self.scaler.unscale_(self.optimizer)

    def train_step(self, x, y):
        self.optimizer.zero_grad()
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            loss = F.mse_loss(self.net(x), y)
        self.scaler.scale(loss).backward()
        self.before_step()
        nn.utils.clip_grad_norm_(self.net.parameters(), self.max_norm)  # ok: TL406
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.detach()


class TrainerSwitched(TrainerUnscaled):
    """Clips in both branches; each is right."""

    def __init__(self, net, fp16=False):
        super().__init__(net)
        self.fp16 = fp16

    def train_step(self, x, y):
        self.optimizer.zero_grad()
        loss = F.mse_loss(self.net(x), y)
        if self.fp16:
            self.scaler.scale(loss).backward()
            self.scaler.unscale_(self.optimizer)
            nn.utils.clip_grad_norm_(self.net.parameters(), self.max_norm)  # ok: TL406
            self.scaler.step(self.optimizer)
            self.scaler.update()
        else:
            loss.backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), self.max_norm)  # ok: TL406
            self.optimizer.step()  # ok: TL406
        return loss.detach()


# ---- demonstration ----
def demonstrate():
    def moved(cls):
        torch.manual_seed(0)
        net = nn.Linear(4, 1).to(DEVICE_TYPE)
        start = net.weight.detach().clone()
        x = torch.randn(8, 4, device=DEVICE_TYPE)
        cls(net).train_step(x, x.sum(1, keepdim=True))
        return (net.weight - start).norm().item()

    right = moved(TrainerUnscaled)
    assert right > 0.1 and moved(BaseTrainer) < right / 1000
    assert abs(moved(TrainerSwitched) - right) < 0.05
