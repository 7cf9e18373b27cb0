"""A helper makes a new model at each call: that one of them is half says nothing of the other."""

import torch
from torch import nn


def build():
    return nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4))


def train_one_and_serve_the_other(x):
    learned, served = build(), build()
    optimizer = torch.optim.SGD(learned.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler()
    served = served.half()  # ok: TL404  another object than the one that is trained
    with torch.autocast("cuda", dtype=torch.float16):
        loss = learned(x).sum()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return served(x.half())


def train_the_half_one(x):
    learned = build()
    learned = learned.half()  # expect: TL404
    optimizer = torch.optim.SGD(learned.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = learned(x).sum()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
