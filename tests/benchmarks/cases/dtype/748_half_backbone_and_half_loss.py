"""Segmentation fine-tuning: the whole net is halved before a GradScaler run; elsewhere the loss takes the dtype of the logits.

source: Lightning-AI/pytorch-lightning#5140, pytorch/pytorch#74739
rules: [TL404, TL405]
"""
import copy

import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


def make_net(classes=3):
    return nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, classes, 1)).to(DEVICE_TYPE)


def finetune(images, masks, lr=0.1):
    net = make_net()
    net.half()  # expect: TL404
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    scaler = torch.amp.GradScaler(DEVICE_TYPE)
    with torch.autocast(DEVICE_TYPE, dtype=torch.float16):
        logits = net(images)
        loss = F.cross_entropy(logits.float(), masks)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return net, scaler


def finetune_same_type(images, masks, lr=0.1):
    net = make_net()
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    scaler = torch.amp.GradScaler(DEVICE_TYPE)
    with torch.autocast(DEVICE_TYPE, dtype=torch.float16):
        logits = net(images)
    loss = F.cross_entropy(logits.float(), masks).type_as(logits)  # expect: TL405
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return net, scaler


def distil(images, masks, teacher, lr=0.1):
    net = make_net()
    teacher = copy.deepcopy(teacher).half().eval().requires_grad_(False)  # ok: TL404
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    scaler = torch.amp.GradScaler(DEVICE_TYPE)
    with torch.autocast(DEVICE_TYPE, dtype=torch.float16):
        logits = net(images)
        with torch.no_grad():
            soft = teacher(images).softmax(1)
    loss = F.cross_entropy(logits.float(), masks) + F.mse_loss(logits.float().softmax(1), soft.float())
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    history = loss.detach().half().item()  # ok: TL405
    return net, scaler, history


def export(net):
    return copy.deepcopy(net).half()  # ok: TL404


def demonstrate():
    torch.manual_seed(0)
    images = torch.randn(2, 1, 6, 6, device=DEVICE_TYPE)
    masks = torch.randint(0, 3, (2, 6, 6), device=DEVICE_TYPE)
    try:
        finetune(images, masks)
        raise AssertionError("fp16 gradients were unscaled")
    except ValueError as err:
        assert "unscale FP16 gradients" in str(err)
    torch.manual_seed(1)
    start = make_net()[0].weight.detach().clone()
    torch.manual_seed(1)
    net, scaler = finetune_same_type(images, masks)
    assert torch.equal(net[0].weight, start) and scaler.get_scale() == 32768.0  # inf, step skipped
    torch.manual_seed(1)
    net, scaler, _ = distil(images, masks, make_net())
    assert torch.isfinite(net[0].weight).all() and scaler.get_scale() == 65536.0
    assert export(net)[0].weight.dtype is torch.float16 and net[0].weight.dtype is torch.float32
