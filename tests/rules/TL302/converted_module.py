"""The program halves its model: the numbers in it meet half, and the optimizer's eps is zero there."""

import torch
import torch.nn.functional as F
from torch import nn, optim


class Scores(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(4, 4)
        self.register_buffer("calls", torch.zeros(1))
        self.register_buffer("seen", torch.zeros(1, dtype=torch.long))

    def forward(self, x, pad):
        self.calls += 1  # expect: TL302
        self.seen += 1  # ok: TL302  whole numbers
        return self.project(x).masked_fill(pad, -1e9)  # expect: TL302

    def mean(self, x, weights):
        return (x * weights).sum(-1) / (weights.sum(-1) + 1e-8)  # expect: TL302

    def mean_in_range(self, x, weights):
        return (x * weights).sum(-1) / (weights.sum(-1) + 1e-4)  # ok: TL302

    def direction(self, x):
        return F.normalize(x, dim=-1)  # note: TL302

    def direction_in_range(self, x):
        return F.normalize(x, dim=-1, eps=1e-4)  # ok: TL302

    def direction_in_float(self, x):
        return F.normalize(x.float(), dim=-1)  # ok: TL302


class Plain(nn.Module):
    """Nobody halves this one."""

    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(1))

    def forward(self, x):
        self.calls += 1  # ok: TL302
        return F.normalize(x, dim=-1) / (x.norm() + 1e-8)  # ok: TL302


def trained():
    model = Scores()
    model.half()
    return optim.AdamW(model.parameters(), lr=1e-3)  # expect: TL302


def trained_later():
    model = Scores()
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], 1e-3)  # expect: TL302
    model = model.to(torch.float16)
    return optimizer, model


def trained_with_eps():
    model = Scores().half()
    return optim.Adam(model.parameters(), lr=1e-3, eps=1e-4)  # ok: TL302


def trained_in_bfloat16():
    model = Scores().to(torch.bfloat16)
    return optim.Adam(model.parameters(), lr=1e-3)  # ok: TL302  bfloat16 holds 1e-8


def trained_in_float():
    model = Scores().half()
    model.float()
    return optim.Adam(model.parameters(), lr=1e-3)  # ok: TL302  the parameters are float32 again


def trained_by_momentum():
    model = Scores().half()
    return optim.SGD(model.parameters(), lr=1e-3)  # ok: TL302  no eps


def trains_another():
    teacher, student = Scores().half(), Plain()
    student.head = nn.Linear(2, 2)
    return teacher, optim.Adam(student.parameters(), lr=1e-3)  # ok: TL302


def trains_copies():
    model = Scores().half()
    masters = [p.detach().clone().float().requires_grad_() for p in model.parameters()]
    return optim.Adam(masters, lr=1e-3)  # ok: TL302  float32 copies


def demonstrate():
    module = Scores().half()
    x = torch.zeros(2, 4).half()
    for call in (lambda: module.mean(x, x), lambda: module.direction(x)):
        assert not torch.isfinite(call()).all()
    assert torch.isfinite(module.mean_in_range(x, x)).all() and torch.isfinite(module.direction_in_range(x)).all()
    assert torch.isfinite(module.direction_in_float(x)).all()
    try:
        module(x, torch.tensor([True, False, False, False]))
        raise AssertionError("fits")
    except RuntimeError as error:
        assert "overflow" in str(error)
    Plain()(x.float())
    for made in (trained, lambda: trained_later()[0], trained_with_eps):
        optimizer = made()
        (first, *_) = optimizer.param_groups[0]["params"]
        first.grad = torch.zeros_like(first)
        optimizer.step()
        assert first.isnan().any().item() is (made is not trained_with_eps)
    trained_in_bfloat16(), trained_in_float(), trained_by_momentum(), trains_another(), trains_copies()
