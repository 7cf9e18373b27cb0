"""Gradients and penalties of one module's own level, where those of the whole model are meant."""

import torch
from torch import nn


class Speaker(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.token = nn.Parameter(torch.zeros(dim))
        self.lin = nn.Linear(dim, dim)

    def forward(self, x):
        return self.lin(x + self.token)


def gradient_norm(net: nn.Module):
    grads = [p.grad.norm() for p in net.parameters(recurse=False) if p.grad is not None]  # note: TL110
    return float(torch.stack(grads).norm()) if grads else 0.0


def largest_gradient(net):
    found = 0.0
    for p in net.parameters(recurse=False):  # note: TL110
        found = max(found, p.grad.abs().max().item())
    return found


def clipped(net):
    torch.nn.utils.clip_grad_norm_(net.parameters(recurse=False), 1.0)  # note: TL110


def penalty(net):
    return sum(p.pow(2).sum() for p in net.parameters(recurse=False))  # note: TL110


def penalty_by_parts(net):
    total = torch.zeros(())
    for _, p in net.named_parameters(recurse=False):  # note: TL110
        total = total + torch.norm(p)
    return total


def as_vector(net):
    return torch.cat([p.detach().flatten() for p in net.parameters(recurse=False)])  # note: TL110


def unset_gradients(net):
    for p in net.parameters(recurse=False):  # note: TL110
        p.grad = None


def per_module(net):
    return {
        name: sum(p.grad.norm() for p in one.parameters(recurse=False))  # ok: TL110
        for name, one in net.named_modules()
    }


def by_recursion(net):
    own = sum(p.pow(2).sum() for p in net.parameters(recurse=False))  # ok: TL110
    return own + sum(by_recursion(child) for child in net.children())


def has_own(net):
    return any(p.grad is not None for p in net.parameters(recurse=False))  # ok: TL110


def is_leaf(net):
    return len(list(net.parameters(recurse=False))) > 0  # ok: TL110


def shapes(net):
    return [p.shape for p in net.parameters(recurse=False)]  # ok: TL110


def whole_norm(net):
    return torch.stack([p.grad.norm() for p in net.parameters()]).norm()  # ok: TL110


def device_of(net):
    return next(net.parameters(recurse=False)).device  # ok: TL110


def demonstrate():
    net = Speaker()
    net(torch.ones(1, 3)).sum().backward()
    assert gradient_norm(net) < float(whole_norm(net))
    assert as_vector(net).numel() == 3 < sum(p.numel() for p in net.parameters())
    assert float(penalty(net)) == 0.0 < sum(float(p.pow(2).sum()) for p in net.parameters())
    assert float(penalty_by_parts(net)) == 0.0 and largest_gradient(net) > 0.0
    clipped(net)
    unset_gradients(net)
    assert net.lin.weight.grad is not None and net.token.grad is None
    assert not has_own(net) and is_leaf(net) and shapes(net) and device_of(net).type == "cpu"


if __name__ == "__main__":
    demonstrate()
