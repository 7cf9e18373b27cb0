"""What is frozen and half is trained after all: a later statement, or another method, asks for its gradients again."""

import torch
from torch import nn


class Tuner:
    def __init__(self):
        self.parts = {"body": nn.Linear(2, 2), "head": nn.Linear(2, 1)}
        self.shrink(self.parts["body"])
        self.opt = torch.optim.SGD(self.parts["head"].parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=4.0)

    def shrink(self, part):
        for p in part.parameters():
            p.requires_grad = False
        part.half()  # expect: TL404

    def thaw(self):
        body = self.parts["body"].requires_grad_(True)
        self.opt.add_param_group({"params": list(body.parameters())})

    def step(self, x):
        with torch.autocast("cpu", dtype=torch.float16):
            loss = self.parts["head"](self.parts["body"](x)).float().square().mean()
        self.scaler.scale(loss).backward()
        self.scaler.step(self.opt)
        self.scaler.update()


class Frozen:
    """Nobody asks for the gradients again."""

    def __init__(self):
        self.body, self.head = nn.Linear(2, 2), nn.Linear(2, 1)
        self.body.requires_grad_(False)
        self.body.half()  # ok: TL404
        self.opt = torch.optim.SGD(self.head.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=4.0)


def a_part(x):
    net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
    net.requires_grad_(False)
    net.half()  # expect: TL404
    net[1].requires_grad_(True)
    scaled(net, torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1), x)


def a_part_made_wide(x):
    net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
    net.requires_grad_(False)
    net.half()  # ok: TL404
    net[1].float().requires_grad_(True)
    scaled(net, torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1), x)


def thawed_before(x):
    net, head = nn.Linear(2, 2), nn.Linear(2, 1)
    net.requires_grad_(True)
    net.requires_grad_(False)
    net.half()  # ok: TL404
    scaled(head, torch.optim.SGD(head.parameters(), lr=0.1), x)


def scaled(net, opt, x):
    scaler = torch.amp.GradScaler("cpu", init_scale=4.0)
    with torch.autocast("cpu", dtype=torch.float16):
        loss = net(x).float().square().mean()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()


def demonstrate():
    x = torch.ones(3, 2)
    tuner = Tuner()
    tuner.step(x)
    tuner.thaw()
    for train in (tuner.step, a_part):
        try:
            train(x)
            raise AssertionError("half gradients were unscaled")
        except ValueError as error:
            assert "unscale FP16 gradients" in str(error)
    a_part_made_wide(x)
    thawed_before(x)
