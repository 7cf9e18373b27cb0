"""A training loop steps through the scaler at every batch and updates the scaler after the loop: the second batch is refused.

source: Azure/MS-AMP#45, HorizonRobotics/alf#1770 (step() has already been called since the last update())
rules: [TL406]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


def loss_of(model, x, y):
    with torch.autocast(device_type=KIND, dtype=torch.bfloat16):
        return F.cross_entropy(model(x), y)


def train_epoch(model, loader, opt, scaler):
    model.train()
    seen = 0
    for x, y in loader:
        opt.zero_grad()
        loss = loss_of(model, x, y)
        scaler.scale(loss).backward()
        scaler.step(opt)  # expect: TL406
        seen += len(x)
    scaler.update()
    return seen


def train_epoch_fixed(model, loader, opt, scaler):
    model.train()
    seen = 0
    for x, y in loader:
        opt.zero_grad()
        loss = loss_of(model, x, y)
        scaler.scale(loss).backward()
        scaler.step(opt)  # ok: TL406
        scaler.update()
        seen += len(x)
    return seen


def train_large_batch(model, loader, opt, scaler):
    """One step for the whole loader: both calls are after the loop, together."""
    model.train()
    seen = 0
    opt.zero_grad()
    for x, y in loader:
        scaler.scale(loss_of(model, x, y) / len(loader)).backward()
        seen += len(x)
    scaler.step(opt)  # ok: TL406
    scaler.update()
    return seen


def train_several(models, loader, opts, scaler):
    """Several optimizers share one update per batch."""
    seen = 0
    for x, y in loader:
        for model, opt in zip(models, opts):
            opt.zero_grad()
            scaler.scale(loss_of(model, x, y)).backward()
            scaler.step(opt)  # ok: TL406
        scaler.update()
        seen += len(x)
    return seen


def train_helper(model, loader, opt, scaler):
    seen = 0
    for x, y in loader:
        opt.zero_grad()
        scaler.scale(loss_of(model, x, y)).backward()
        finish(opt, scaler)
        seen += len(x)
    return seen


def finish(opt, scaler):
    scaler.step(opt)  # ok: TL406
    scaler.update()


def demonstrate():
    loader = [(torch.randn(4, 3, device=KIND), torch.randint(0, 2, (4,), device=KIND)) for _ in range(2)]
    for epoch, works in (
        (train_epoch, False), (train_epoch_fixed, True), (train_large_batch, True), (train_helper, True),
    ):
        model = nn.Linear(3, 2).to(KIND)
        opt, scaler = torch.optim.SGD(model.parameters(), lr=0.1), torch.amp.GradScaler(KIND, init_scale=16.0)
        try:
            assert epoch(model, loader, opt, scaler) == 8
            ok = True
        except RuntimeError as err:
            assert "since the last update()" in str(err), err
            ok = False
        assert ok is works, epoch
    models = [nn.Linear(3, 2).to(KIND) for _ in range(2)]
    opts = [torch.optim.SGD(m.parameters(), lr=0.1) for m in models]
    assert train_several(models, loader, opts, torch.amp.GradScaler(KIND, init_scale=16.0)) == 8
