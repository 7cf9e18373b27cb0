"""A personalisation script places all its parts with one dict of arguments; two of them are trained, and they become half, too.

source: huggingface/diffusers#7925, Nerogar/OneTrainer#146, kvablack/ddpo-pytorch#8 (half only for what is not trained)
rules: [TL404]
"""
from itertools import chain

import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


def make():
    return {"words": nn.Linear(4, 6), "net": nn.Linear(6, 6), "side": nn.Linear(6, 1)}


class Script:
    trained = ("words", "side")

    def __init__(self, low=torch.float16):
        self.parts = make()
        self.place(device=KIND, dtype=low)
        params = chain.from_iterable(self.parts[n].parameters() for n in self.trained)
        self.opt = torch.optim.AdamW([p for p in params if p.requires_grad], lr=1e-3, eps=1e-6)
        self.scaler = torch.amp.GradScaler(KIND, init_scale=4.0)

    def place(self, **where):
        for part in self.parts.values():
            part.to(**where)  # expect: TL404

    def out(self, x):
        for part in self.parts.values():
            x = part(x)
        return x

    def step(self, x, y):
        with torch.autocast(KIND, dtype=torch.float16):
            loss = F.l1_loss(self.out(x).float(), y)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.opt)
        self.scaler.update()
        self.opt.zero_grad()


class Sorted(Script):
    """Frozen parts become half, trained parts only move."""

    def place(self, **where):
        for name, part in self.parts.items():
            if name in self.trained:
                part.to(where["device"])
            else:
                part.requires_grad_(False)
                part.to(**where)  # ok: TL404


class Lifted(Script):
    """All half at first, but what will be trained is brought back to float32 before the optimizer is made."""

    def place(self, **where):
        for name, part in self.parts.items():
            part.to(**where)  # ok: TL404
            if name in self.trained:
                part.float()


class Wide(Script):
    def place(self, device, dtype):
        self.low = dtype  # only for the inputs of the preview
        for part in self.parts.values():
            part.to(device=device)  # ok: TL404


def demonstrate():
    torch.manual_seed(0)
    x, y = torch.randn(5, 4, device=KIND), torch.randn(5, 1, device=KIND)
    try:
        Script().step(x, y)
        raise AssertionError("half gradients were unscaled")
    except ValueError as err:
        assert "unscale FP16 gradients" in str(err)
    for cls in (Sorted, Lifted, Wide):
        script = cls()
        script.step(x, y)
        assert script.parts["side"].weight.dtype is torch.float32, cls
