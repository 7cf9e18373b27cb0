"""Integers as the keys of a dict train nothing and lose nothing; a progress bar may get its batches by a keyword."""
import torch
from torch import nn
from torch.nn import functional as F
from tqdm import tqdm


def counted(model: nn.Module, x):
    out = model(x)
    best = out.argmax(1)  # ok: TL305
    table = {best: 1}
    loss = out.sum()
    loss.backward()
    return table


def trained(model: nn.Module, optimizer, loader):
    for x, y in tqdm(iterable=loader):
        out = model(x)
        extra = F.mse_loss(out.detach(), y)  # expect: TL305
        loss = F.mse_loss(model(x), y) + extra
        loss.backward()
        optimizer.step()
