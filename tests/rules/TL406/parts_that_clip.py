"""An object that keeps a network with its optimizer clips when its owner says so.

The finding stands where the owner scales and steps."""

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Side:
    def __init__(self, net):
        self.net, self.opt = net, torch.optim.SGD(net.parameters(), lr=0.1)

    def bound(self, most):
        clip_grad_norm_(self.net.parameters(), most)

    def length(self):
        return sum(p.grad.norm() for p in self.net.parameters())


class Match:
    def __init__(self, first, second):
        self.first, self.second = Side(first), Side(second)
        self.sides = [self.first, self.second]
        self.scaler = torch.amp.GradScaler("cpu")

    def early(self, x):
        self.scaler.scale(self.first.net(x).mean()).backward()
        self.first.bound(1.0)  # expect: TL406
        self.scaler.step(self.first.opt)
        self.scaler.update()

    def each(self, x):
        for side in self.sides:
            self.scaler.scale(side.net(x).mean()).backward()
            self.scaler.unscale_(side.opt)
            side.bound(1.0)  # ok: TL406
            self.scaler.step(side.opt)
        self.scaler.update()

    def plain(self, x):
        self.first.net(x).mean().backward()
        self.first.bound(1.0)  # ok: TL406
        self.first.opt.step()

    def measured(self, x):
        self.scaler.scale(self.first.net(x).mean()).backward()
        norm = self.first.length()  # ok: TL406
        self.scaler.step(self.first.opt)
        self.scaler.update()
        return norm


def cut(weights, most, by_value):
    if by_value:
        nn.utils.clip_grad_value_(weights, most)
    else:
        nn.utils.clip_grad_norm_(weights, most)


def train_step(net, opt, scaler, x, by_value):
    scaler.scale(net(x).mean()).backward()
    cut(net.parameters(), 1.0, by_value)  # expect: TL406
    scaler.step(opt)
    scaler.update()


def train_step_unscaled(net, opt, scaler, x, by_value):
    scaler.scale(net(x).mean()).backward()
    scaler.unscale_(opt)
    cut(net.parameters(), 1.0, by_value)  # ok: TL406
    scaler.step(opt)
    scaler.update()
