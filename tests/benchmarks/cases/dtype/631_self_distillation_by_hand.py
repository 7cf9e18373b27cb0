"""A port of a self-distillation trainer writes its own per-layer clipping; the mixed-precision branch of the port forgot to unscale.

source: self-distillation trainers whose original unscales in that branch; milesial/Pytorch-UNet#468, TorchSSL/TorchSSL#59
rules: [TL406]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


def clip_gradients(model, clip):
    for _, p in model.named_parameters():
        if p.grad is not None:
            coef = clip / (p.grad.data.norm(2) + 1e-6)
            if coef < 1:
                p.grad.data.mul_(coef)


def cancel_last_layer(epoch, model, freeze):
    if epoch < freeze:
        model[-1].zero_grad()


def train_one_epoch(student, loader, opt, epoch, fp16_scaler, clip_grad=0.3, freeze=0):
    for x, y in loader:
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16, enabled=fp16_scaler is not None):
            loss = F.mse_loss(student(x), y)
        opt.zero_grad()
        if fp16_scaler is None:
            loss.backward()
            clip_gradients(student, clip_grad)  # ok: TL406
            cancel_last_layer(epoch, student, freeze)
            opt.step()
        else:
            fp16_scaler.scale(loss).backward()
            if clip_grad:
                clip_gradients(student, clip_grad)  # expect: TL406
            cancel_last_layer(epoch, student, freeze)
            fp16_scaler.step(opt)
            fp16_scaler.update()


def train_one_epoch_fixed(student, loader, opt, epoch, fp16_scaler, clip_grad=0.3, freeze=0):
    for x, y in loader:
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            loss = F.mse_loss(student(x), y)
        opt.zero_grad()
        fp16_scaler.scale(loss).backward()
        if clip_grad:
            fp16_scaler.unscale_(opt)
            clip_gradients(student, clip_grad)  # ok: TL406
        # setting gradients to zero needs no unscaling
        cancel_last_layer(epoch, student, freeze)  # ok: TL406
        fp16_scaler.step(opt)
        fp16_scaler.update()


def demonstrate():
    def moved(epoch_fn, scaler):
        torch.manual_seed(0)
        student = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1)).to(DEVICE_TYPE)
        start = [p.detach().clone() for p in student.parameters()]
        x = torch.randn(8, 4, device=DEVICE_TYPE)
        opt = torch.optim.SGD(student.parameters(), lr=1.0)
        epoch_fn(student, [(x, x.sum(1, keepdim=True))], opt, 0, scaler)
        return sum((p - s).norm().item() for p, s in zip(student.parameters(), start))

    right = moved(train_one_epoch, None)
    assert moved(train_one_epoch, torch.amp.GradScaler(DEVICE_TYPE)) < right / 1000
    assert abs(moved(train_one_epoch_fixed, torch.amp.GradScaler(DEVICE_TYPE)) - right) < 0.02 * right
