"""What is complex may lie deep: in a list or dict of layers, or in a layer that the constructor was given."""

import torch
from torch import nn


class Turn(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.register_buffer("turn", torch.polar(torch.ones(dim), torch.arange(dim) / dim))


class LearnedTurn(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.turn = nn.Parameter(torch.ones(dim, dtype=torch.complex64))


class Angle(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.register_buffer("angle", torch.arange(dim) / dim)


class Block(nn.Module):
    def __init__(self, core):
        super().__init__()
        self.core, self.out = core, nn.Linear(4, 4)


class Net(nn.Module):
    def __init__(self, depth: int = 2):
        super().__init__()
        self.blocks = nn.ModuleList([Block(Turn()) for _ in range(depth)])


class RealNet(nn.Module):
    def __init__(self, depth: int = 2):
        super().__init__()
        self.blocks = nn.ModuleList([Block(Angle()) for _ in range(depth)])


def of_list():
    net = Net()
    return net.to(torch.bfloat16).blocks[0].core.turn  # expect: TL301


def of_sequence():
    net = nn.Sequential(nn.Linear(2, 2), Block(core=Turn()))
    return net.to(dtype=torch.float16)[1].core.turn  # expect: TL301


def of_learned():
    return LearnedTurn().to(torch.float16).turn  # expect: TL301


def real():
    return RealNet().to(torch.bfloat16).blocks[0].core.angle  # ok: TL301


def by_method():
    return Net().bfloat16().blocks[0].core.turn  # ok: TL301


def moved():
    return Net().to("cpu").blocks[0].core.turn  # ok: TL301


def demonstrate():
    assert not of_list().is_complex() and not of_sequence().is_complex() and not of_learned().is_complex()
    assert by_method().is_complex() and moved().is_complex() and real().is_floating_point()
