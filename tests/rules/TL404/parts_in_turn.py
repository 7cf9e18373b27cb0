"""The parts of a network are converted one by one: by a function that apply() is given, or in a loop over modules()."""

import torch
from torch import nn


def thinned(part):
    if isinstance(part, nn.Linear):
        part.half()  # expect: TL404


def thinned_companion(part):
    if isinstance(part, nn.Linear):
        part.half()  # ok: TL404


def filled(part):
    if isinstance(part, nn.Linear):
        nn.init.zeros_(part.weight)  # ok: TL404


def built():
    net = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4))
    net.apply(thinned)
    net.apply(filled)
    return net


class ByVisitor:
    def __init__(self):
        self.net = built()
        self.guide = nn.Linear(4, 4).requires_grad_(False)
        self.guide.apply(thinned_companion)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu")


class ByLoop:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4))
        for part in self.net.children():
            if not isinstance(part, nn.LayerNorm):
                part.half()  # expect: TL404
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu")


class ByName:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4))
        for name, part in self.net.named_modules():
            if name == "0":
                part.to(torch.float16)  # expect: TL404
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu")


class Prepared:
    """What is shown is converted part by part, the network is not."""

    def __init__(self):
        self.net = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu")

    def narrowed(self, first, second):
        return [part.half() for part in (first, second)]  # ok: TL404


class BackAgain:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4))
        for part in self.net.children():
            part.half()  # ok: TL404
        self.net.float()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu")
