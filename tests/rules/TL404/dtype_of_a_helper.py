"""A helper chooses the dtype, and what is trained is known as a module by its parameters()."""
import torch
from torch import nn

BY_NAME = {"fp16": torch.float16, "fp32": torch.float32}


def wanted_dtype(precision):
    if precision == "fp16":
        return torch.float16
    return torch.float32


def scaled_step(module, optimizer, scaler, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = module(x).float().square().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()


def train_head(head, precision, x):
    head.to(wanted_dtype(precision))  # expect: TL404
    optimizer = torch.optim.SGD([{"params": [p for p in head.parameters()]}], lr=0.1)
    scaled_step(head, optimizer, torch.amp.GradScaler("cpu"), x)


def train_adapter(adapter, precision, x):
    adapter.to(BY_NAME.get(precision, torch.float32))  # expect: TL404
    optimizer = torch.optim.SGD(adapter.parameters(), lr=0.1)
    scaled_step(adapter, optimizer, torch.amp.GradScaler("cpu"), x)


def train_beside(frozen, head, precision, x):
    frozen.to(wanted_dtype(precision))  # ok: TL404
    for p in frozen.parameters():
        p.requires_grad = False
    optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    scaled_step(head, optimizer, torch.amp.GradScaler("cpu"), x)


def train_wide(head, x):
    head.to(wanted_dtype("fp32")).float()  # ok: TL404
    optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    scaled_step(head, optimizer, torch.amp.GradScaler("cpu"), x)


def move_batch(batch, head, x, device, dtype):
    batch.to(device, wanted_dtype(dtype))  # ok: TL404  no module
    optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    scaled_step(head, optimizer, torch.amp.GradScaler("cpu"), x)


def demonstrate():
    x = torch.ones(3, 2)
    for train in (train_head, train_adapter):
        try:
            train(nn.Linear(2, 2), "fp16", x)
            raise AssertionError("float16 gradients were unscaled")
        except ValueError as error:
            assert "unscale FP16 gradients" in str(error)
    train_beside(nn.Linear(2, 2), nn.Linear(2, 2), "fp16", x)
    train_wide(nn.Linear(2, 2), x)
    move_batch(x, nn.Linear(2, 2), x, "cpu", "fp16")
