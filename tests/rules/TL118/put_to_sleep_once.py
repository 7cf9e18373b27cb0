"""Parts that the constructor puts into eval mode, by whatever way, in a module that has others to train."""
import copy

import torch
from torch import nn


def backbone() -> nn.Module:
    return nn.Sequential(nn.Conv2d(3, 4, 1), nn.BatchNorm2d(4))


class Direct(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = backbone()
        self.head = nn.Conv2d(4, 2, 1)
        self.body.eval()  # expect: TL118
        self.head.train()  # ok: TL118

    def forward(self, x):
        return self.head(self.body(x))


class InOneExpression(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = backbone().eval().requires_grad_(False)  # expect: TL118
        self.head = nn.Conv2d(4, 2, 1)  # ok: TL118


class Local(nn.Module):
    def __init__(self):
        super().__init__()
        body = backbone()
        body.train(False)  # expect: TL118
        self.body = body
        self.head = nn.Conv2d(4, 2, 1)
        probe = backbone()
        probe.eval()  # ok: TL118  not kept


class Teacher(nn.Module):
    def __init__(self, student: nn.Module):
        super().__init__()
        self.student = student
        self.teacher = copy.deepcopy(student)
        self.teacher.eval()  # expect: TL118
        for parameter in self.teacher.parameters():
            parameter.requires_grad = False  # ok: TL118


class Perceptual(nn.Module):
    """The caller's network is to be trained, the judge is not."""

    def __init__(self, network: nn.Module, judge: nn.Module):
        super().__init__()
        self.network = network
        self.judge = judge.eval().requires_grad_(False)  # expect: TL118
        self.weight = 0.5  # ok: TL118


class ByFreeze(nn.Module):
    def __init__(self, frozen: bool = True):
        super().__init__()
        self.body = backbone()
        self.head = nn.Conv2d(4, 2, 1)
        if frozen:
            self.freeze()

    def freeze(self):
        for part in self.body.modules():
            if isinstance(part, nn.BatchNorm2d):
                part.eval()  # expect: TL118
                part.requires_grad_(False)  # ok: TL118


class AllNorms(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = backbone()
        self.head = nn.Conv2d(4, 2, 1)
        for part in self.modules():
            if isinstance(part, nn.BatchNorm2d):
                part.eval()  # expect: TL118


class Sized(nn.Module):
    """The mode is put back: eval() was for a dry run."""

    def __init__(self):
        super().__init__()
        self.body = backbone()
        self.body.eval()  # ok: TL118
        self.width = self.body(torch.zeros(1, 3, 2, 2)).shape[1]
        self.body.train()
        self.head = nn.Conv2d(self.width, 2, 1)


def demonstrate():
    for make in (Direct, InOneExpression, Local, ByFreeze, AllNorms):
        net = make()
        norm = net.body[1]
        assert not norm.training, make
        net.train()
        assert norm.training, make
    net = Teacher(backbone())
    assert not net.teacher.training and net.train().teacher.training
    net = Perceptual(backbone(), backbone()).train()
    assert net.judge.training
    assert Sized().body.training
