"""Sharpness-aware training: both forwards and the climb between them share one autocast region, so the climb is not seen.

source: SAM training loops with AMP; X-GenGroup/Flow-Factory#186 explains the cache
rules: [TL408]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


def climb_vectors(model, rho):
    norm = torch.stack([p.grad.norm() for p in model.parameters()]).norm() + 1e-12
    return [p.grad * (rho / norm) for p in model.parameters()]


def sam_losses(model, x, y, rho=0.5):
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        moves = climb_vectors(model, rho)
        with torch.no_grad():
            for p, e in zip(model.parameters(), moves):
                p.add_(e)  # expect: TL408
        model.zero_grad()
        sharp = F.cross_entropy(model(x), y)
    sharp.backward()
    with torch.no_grad():
        for p, e in zip(model.parameters(), moves):
            p.sub_(e)  # ok: TL408
    return loss.detach(), sharp.detach()


def sam_losses_fixed(model, x, y, rho=0.5):
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        loss = F.cross_entropy(model(x), y)
    loss.backward()
    moves = climb_vectors(model, rho)
    with torch.no_grad():
        for p, e in zip(model.parameters(), moves):
            p.add_(e)  # ok: TL408
    model.zero_grad()
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        sharp = F.cross_entropy(model(x), y)
    sharp.backward()
    with torch.no_grad():
        for p, e in zip(model.parameters(), moves):
            p.sub_(e)  # ok: TL408
    return loss.detach(), sharp.detach()


@torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16)
def train_epoch(model, opt, batches):
    losses = []
    for x, y in batches:
        opt.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()  # expect: TL408
        losses.append(loss.detach())
    return losses


def train_epoch_fixed(model, opt, batches):
    losses = []
    for x, y in batches:
        opt.zero_grad()
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()  # ok: TL408
        losses.append(loss.detach())
    return losses


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x, y = torch.randn(16, 4, device=DEVICE_TYPE), torch.randint(0, 3, (16,), device=DEVICE_TYPE)

    def net():
        torch.manual_seed(1)
        return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3)).to(DEVICE_TYPE)

    loss, sharp = sam_losses(net(), x, y)
    assert torch.equal(loss, sharp), "the climbed weights were not used"
    loss, sharp = sam_losses_fixed(net(), x, y)
    assert sharp > loss + 0.01

    def run(train):
        model = net()
        return train(model, torch.optim.SGD(model.parameters(), lr=0.5), [(x, y)] * 10)

    frozen, moving = run(train_epoch), run(train_epoch_fixed)
    assert all(torch.equal(v, frozen[0]) for v in frozen)
    assert moving[-1] < moving[0] - 0.05
