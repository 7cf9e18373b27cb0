"""A physics term multiplies deformation gradients 'in float32' in a helper module of functions; the trainer's region covers the term.

source: Project-MONAI/monai-physio#126 (a physical residual priced in bf16), huggingface/diffusers#13920 kind
rules: [TL403]
"""
from functools import partial

import torch
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"
KINDS = []


def stretch(grad):
    f = grad.float() + torch.eye(3, device=grad.device)
    c = torch.bmm(f.mT, f)  # ok: TL403
    KINDS.append(c.dtype)
    return c


def stretch_cast(grad):
    eye = torch.eye(3, device=grad.device)
    c = torch.bmm((grad + eye).mT.float(), (grad + eye).float())  # expect: TL403
    KINDS.append(c.dtype)
    return c


def stretch_island(grad):
    with torch.autocast(device_type=KIND, enabled=False):
        f = grad.float() + torch.eye(3, device=grad.device)
        c = torch.bmm(f.mT, f)  # ok: TL403
    KINDS.append(c.dtype)
    return c


def stretch_sum(grad):
    f = grad.float() + torch.eye(3, device=grad.device)  # ok: TL403
    c = (f.unsqueeze(-1) * f.unsqueeze(-2)).sum(-3)
    KINDS.append(c.dtype)
    return c


def volume(c):
    """Cofactors written out: nothing here is on the low precision list."""
    a = c.float()  # ok: TL403
    return (a[:, 0, 0] * (a[:, 1, 1] * a[:, 2, 2] - a[:, 1, 2] * a[:, 2, 1])).clamp_min(1e-6).log()


def energy(grad, rule=stretch_cast, bulk=2.0):
    c = rule(grad)
    return (c.diagonal(dim1=-2, dim2=-1).sum(-1) - 3 - volume(c)).mean() + bulk * volume(c).square().mean()


class Motion(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 9))

    def forward(self, x):
        return 0.01 * self.net(x).view(-1, 3, 3)


class Trainer:
    def __init__(self, model, price=energy):
        self.model, self.price = model.to(KIND), price
        self.opt = torch.optim.SGD(model.parameters(), lr=0.01)

    def step(self, x):
        self.opt.zero_grad()
        with torch.autocast(device_type=KIND, dtype=torch.bfloat16):
            loss = self.price(self.model(x))
        loss.backward()
        self.opt.step()


def trainer(careful=False):
    return Trainer(Motion(), partial(energy, rule=stretch_island) if careful else energy)


def demonstrate():
    x = torch.randn(5, 3, device=KIND)
    for rule, wide in ((stretch_cast, False), (stretch_island, True), (stretch_sum, True)):
        KINDS.clear()
        Trainer(Motion(), partial(energy, rule=rule)).step(x)
        assert (KINDS == [torch.float32]) is wide, rule
    KINDS.clear()
    trainer().step(x), trainer(careful=True).step(x)
    assert KINDS == [torch.bfloat16, torch.float32]
    assert stretch(torch.zeros(1, 3, 3)).dtype is torch.float32  # outside a region the same lines are honest
