"""A step with a bad gradient norm is skipped by `continue` after unscale_; update() is skipped with it and the next unscale_ raises.

source: Haian-Jin/LVSM#19, microsoft/Swin-Transformer#311
rules: [TL406]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


def norm_of(net):
    return torch.stack([p.grad.norm() for p in net.parameters()]).norm()


def fit(net, batches, limit):
    opt, skipped = torch.optim.SGD(net.parameters(), lr=0.01), 0
    scaler = torch.amp.GradScaler(DEVICE_TYPE, init_scale=16.0)
    for x, y in batches:
        opt.zero_grad()
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            loss = F.mse_loss(net(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(opt)  # use: TL406
        if norm_of(net) > limit:
            skipped += 1
            continue  # use: TL406
        scaler.step(opt)  # use: TL406
        scaler.update()  # expect: TL406
    return skipped


def fit_updating(net, batches, limit):
    opt, skipped = torch.optim.SGD(net.parameters(), lr=0.01), 0
    scaler = torch.amp.GradScaler(DEVICE_TYPE, init_scale=16.0)
    for x, y in batches:
        opt.zero_grad()
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            loss = F.mse_loss(net(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        if norm_of(net) > limit:
            skipped += 1
        else:
            scaler.step(opt)
        scaler.update()  # ok: TL406
    return skipped


def fit_accumulating(net, batches, every=2):
    """Unscaling, step and update belong together and all wait for the window to be full."""
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler(DEVICE_TYPE, init_scale=16.0)
    for i, (x, y) in enumerate(batches):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            loss = F.mse_loss(net(x), y) / every
        scaler.scale(loss).backward()
        if (i + 1) % every:
            continue
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)  # ok: TL406
        scaler.step(opt)
        scaler.update()  # ok: TL406
        opt.zero_grad()


# ---- demonstration ----
def demonstrate():
    def make(scale):
        torch.manual_seed(0)
        net = nn.Linear(3, 1).to(DEVICE_TYPE)
        data = [(scale * torch.randn(4, 3, device=DEVICE_TYPE), torch.randn(4, 1, device=DEVICE_TYPE)) for _ in range(4)]
        return net, data

    try:
        fit(*make(100.0), limit=1.0)
        raise AssertionError("unscale_ ran twice without complaint")
    except RuntimeError as err:
        assert "already been called" in str(err), err
    assert fit(*make(0.1), limit=100.0) == 0  # the fault waits for the first bad batch
    assert fit_updating(*make(100.0), limit=1.0) == 4
    fit_accumulating(*make(1.0))
