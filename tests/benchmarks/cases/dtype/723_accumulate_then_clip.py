"""Gradient accumulation with a scaler: every n-th micro-batch clips and steps, and nobody unscales before the clipping.

source: harubaru/waifu-diffusion#64, pytorch/examples#1196 (the same order)
rules: [TL406]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


def train_epoch(model, loader, opt, scaler, accum=2, max_norm=1.0, sched=None):
    model.train()
    opt.zero_grad(set_to_none=True)
    for i, (x, y) in enumerate(loader):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            loss = F.mse_loss(model(x), y) / accum
        scaler.scale(loss).backward()
        if (i + 1) % accum == 0:
            nn.utils.clip_grad_norm_(model.parameters(), max_norm)  # expect: TL406
            scaler.step(opt)
            scaler.update()
            opt.zero_grad(set_to_none=True)
            if sched is not None:
                sched.step()


def train_epoch_fixed(model, loader, opt, scaler, accum=2, max_norm=1.0, sched=None):
    model.train()
    opt.zero_grad(set_to_none=True)
    for i, (x, y) in enumerate(loader):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            loss = F.mse_loss(model(x), y) / accum
        scaler.scale(loss).backward()
        if (i + 1) % accum != 0:
            continue
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)  # ok: TL406
        scaler.step(opt)
        scaler.update()
        opt.zero_grad(set_to_none=True)
        if sched is not None:
            sched.step()  # ok: TL406


def train_epoch_either(model, loader, opt, scaler=None, max_norm=1.0):
    model.train()
    for x, y in loader:
        opt.zero_grad()
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16, enabled=scaler is not None):
            loss = F.mse_loss(model(x), y)
        if scaler is not None:
            scaler.scale(loss).backward()
            scaler.unscale_(opt)
            nn.utils.clip_grad_norm_(model.parameters(), max_norm)  # ok: TL406
            scaler.step(opt)
            scaler.update()
        else:
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), max_norm)  # ok: TL406
            opt.step()  # ok: TL406


# ---- demonstration: not part of the graded code ----
def demonstrate():
    def moved(train, **kw):
        torch.manual_seed(0)
        model = nn.Linear(4, 1).to(DEVICE_TYPE)
        start = model.weight.detach().clone()
        x = torch.randn(8, 4, device=DEVICE_TYPE)
        loader = [(x, 3 * x.sum(1, keepdim=True))] * 2
        opt = torch.optim.SGD(model.parameters(), lr=0.1)
        scaler = torch.amp.GradScaler(DEVICE_TYPE) if kw.pop("scaled", True) else None
        train(model, loader, opt, scaler, **kw)
        return (model.weight - start).norm().item()

    right = moved(train_epoch_fixed)
    assert right > 0.05
    assert moved(train_epoch) < right / 1000, "clipped to 1 and then divided by 65536"
    assert moved(train_epoch_either) > 0.05
    assert abs(moved(train_epoch_either, scaled=False) - moved(train_epoch_either)) < 0.02
