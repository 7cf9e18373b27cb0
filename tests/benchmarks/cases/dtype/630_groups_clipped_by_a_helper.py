"""The old loss.backward branch clips in a helper over param_groups; the scaler branch, added later, calls the same helper too early.

source: harubaru/waifu-diffusion#64, rwth-i6/returnn#1595, NCAR/miles-credit#141
rules: [TL406]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


def grad_params(optimizer):
    return [p for group in optimizer.param_groups for p in group["params"] if p.grad is not None]


class Updater:
    def __init__(self, model, clip=0.5, fp16=True):
        self.model, self.clip = model, clip
        self.opt = torch.optim.SGD(model.parameters(), lr=1.0)
        self.scaler = torch.amp.GradScaler(DEVICE_TYPE) if fp16 else None

    def loss(self, x, y):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16, enabled=self.scaler is not None):
            return F.mse_loss(self.model(x), y)

    def update(self, x, y):
        self.opt.zero_grad()
        loss = self.loss(x, y)
        if self.scaler is None:
            loss.backward()
            nn.utils.clip_grad_norm_(grad_params(self.opt), self.clip)  # ok: TL406
            self.opt.step()
        else:
            self.scaler.scale(loss).backward()
            nn.utils.clip_grad_norm_(grad_params(self.opt), self.clip)  # expect: TL406
            self.scaler.step(self.opt)
            self.scaler.update()


class UpdaterFixed(Updater):
    def update(self, x, y):
        self.opt.zero_grad()
        loss = self.loss(x, y)
        if self.scaler is None:
            loss.backward()
        else:
            self.scaler.scale(loss).backward()
            self.scaler.unscale_(self.opt)
        nn.utils.clip_grad_norm_(grad_params(self.opt), self.clip)  # ok: TL406
        if self.scaler is None:
            self.opt.step()  # ok: TL406
        else:
            self.scaler.step(self.opt)
            self.scaler.update()


class UpdaterForeach(Updater):
    """Own arithmetic over all gradients at once, after they were unscaled."""

    def update(self, x, y):
        self.opt.zero_grad()
        self.scaler.scale(self.loss(x, y)).backward()
        self.scaler.unscale_(self.opt)
        total = torch._foreach_norm([p.grad for p in grad_params(self.opt)])
        scale = (self.clip / (torch.stack(total).norm() + 1e-6)).clamp(max=1.0)
        torch._foreach_mul_([p.grad for p in grad_params(self.opt)], scale)  # ok: TL406
        self.scaler.step(self.opt)
        self.scaler.update()


def demonstrate():
    def moved(cls, **kw):
        torch.manual_seed(0)
        model = nn.Linear(4, 1).to(DEVICE_TYPE)
        start = model.weight.detach().clone()
        x = torch.randn(8, 4, device=DEVICE_TYPE)
        cls(model, **kw).update(x, x.sum(1, keepdim=True))
        return (model.weight - start).norm().item()

    right = moved(Updater, fp16=False)
    assert moved(Updater) < right / 1000
    for cls in (UpdaterFixed, UpdaterForeach):
        assert abs(moved(cls) - right) < 0.02 * right
