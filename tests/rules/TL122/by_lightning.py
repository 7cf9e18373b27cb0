"""What training_step averages, by a helper object's attributes, item writes or torch.lerp."""

import torch
from torch import nn


class Centred(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.layer = nn.Linear(dim, dim)
        self.centre = torch.zeros(dim)  # expect: TL122
        self.register_buffer("kept", torch.zeros(dim))  # ok: TL122
        self.register_buffer("thrown", torch.zeros(dim), persistent=False)  # expect: TL122
        self.logged = torch.zeros(1)  # ok: TL122

    @torch.no_grad()
    def update(self, out):
        self.centre = torch.lerp(self.centre, out.mean(0), 0.1)
        self.kept.lerp_(out.mean(0), 0.1)
        self.thrown.mul_(0.9).add_(0.1 * out.mean(0))
        self.logged = out.norm()

    def forward(self, x):
        out = self.layer(x)
        if self.training:
            self.update(out)
        return out - self.centre - self.kept - self.thrown


class Counted(nn.Module):
    def __init__(self, dim: int, classes: int):
        super().__init__()
        self.layer = nn.Linear(dim, classes)
        self.counts = torch.ones(classes)  # expect: TL122
        self.seen = 0  # ok: TL122  nothing depends on it

    def forward(self, x):
        logits = self.layer(x)
        if self.training:
            self.counts += torch.bincount(logits.argmax(-1), minlength=len(self.counts))
            self.seen += len(x)
        return logits - (self.counts / self.counts.sum()).log()


def demonstrate():
    for module in (Centred(2), Counted(2, 2)):
        fresh = type(module)(2) if isinstance(module, Centred) else type(module)(2, 2)
        for _ in range(3):
            module(torch.randn(4, 2))
        fresh.load_state_dict(module.state_dict())
        x = torch.ones(1, 2)
        assert not torch.allclose(module.eval()(x), fresh.eval()(x))
