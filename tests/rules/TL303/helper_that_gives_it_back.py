"""A helper returns the module that it is given, so that its result is the module that eval() was called on."""

import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(2))
        self.kept = None

    def train(self, mode: bool = True):
        super().train(mode)
        self.kept = None if mode else self.scale.detach() * 2  # expect: TL103
        return self

    def forward(self, x):
        return x * (self.scale * 2 if self.kept is None else self.kept)


def frozen(net: nn.Module) -> nn.Module:
    for p in net.parameters():
        p.requires_grad_(False)
    return net


def checked(net, name="net"):
    if name == "":
        raise ValueError(name)
    print(name)
    return net


def another(net: nn.Module) -> nn.Module:
    return Scaled()


class Deployment:
    def __init__(self, dtype):
        self.dtype = dtype

    def frozen(self, net):
        net.requires_grad_(False)
        return net

    def by_a_method(self):
        net = self.frozen(Scaled().eval())
        return net.to(dtype=self.dtype)  # expect: TL303


def through_a_helper(dtype):
    net = Scaled()
    net.eval()
    net = frozen(net)
    return net.to(device="cpu", dtype=dtype)  # expect: TL303


def through_two(dtype):
    net = checked(frozen(Scaled().eval()), name="scaled")
    net.to(dtype)  # expect: TL303
    return net


def eval_of_the_result(dtype):
    net = Scaled()
    frozen(net).eval()
    return net.to(dtype)  # expect: TL303


def converted_first(dtype):
    net = frozen(Scaled()).to(dtype)  # ok: TL303
    net.eval()
    return net


def another_module(dtype):
    net = Scaled().eval()
    net = another(net)
    return net.to(dtype)  # ok: TL303


def trained_again(dtype):
    net = frozen(Scaled().eval())
    net.train()
    return net.to(dtype).eval()  # ok: TL303


def demonstrate():
    x = torch.ones(2, dtype=torch.float64)
    for make in (through_a_helper, through_two, eval_of_the_result, Deployment(torch.float64).by_a_method):
        net = make(torch.float64) if make.__name__ != "by_a_method" else make()
        assert net.kept.dtype == torch.float32 and net.scale.dtype == torch.float64, make
    for make in (converted_first, another_module, trained_again):
        net = make(torch.float64)
        assert net(x).dtype == torch.float64 and (net.kept is None or net.kept.dtype == torch.float64)


if __name__ == "__main__":
    demonstrate()
