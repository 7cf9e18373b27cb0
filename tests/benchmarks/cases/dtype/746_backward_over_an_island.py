"""The loss is computed in a float32 island, but backward() still runs inside the outer region: the island's gradients are bf16.

source: pytorch.org note "Backward passes under autocast are not recommended"; training loops of barrier/whitening losses
rules: [TL402]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Twins(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.body, self.whiten = nn.Linear(16, dim), nn.Parameter(torch.eye(dim))

    def loss(self, a, b):
        za, zb = self.body(a), self.body(b)
        with torch.autocast(DEVICE_TYPE, enabled=False):
            za, zb = za.float() @ self.whiten, zb.float() @ self.whiten
            cross = za.t() @ zb / len(za)
            return (cross - torch.eye(len(cross), device=cross.device)).pow(2).sum()


def step(model, opt, a, b):
    opt.zero_grad()
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        loss = model.loss(a, b)
        with torch.autocast(DEVICE_TYPE, enabled=False):
            loss = loss + 1e-3 * (model.whiten @ model.whiten.t()).pow(2).mean()
        loss.backward()  # expect: TL402
    opt.step()
    return loss.detach()


def step_fixed(model, opt, a, b):
    opt.zero_grad()
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        loss = model.loss(a, b)
        with torch.autocast(DEVICE_TYPE, enabled=False):
            loss = loss + 1e-3 * (model.whiten @ model.whiten.t()).pow(2).mean()
    loss.backward()  # ok: TL402
    opt.step()
    return loss.detach()


def step_plain(model, opt, a, b):
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        pred = model.body(a)
    F.mse_loss(pred.float(), model.body(b)).backward()  # ok: TL402
    opt.step()
    opt.zero_grad()


def demonstrate():
    torch.manual_seed(0)
    a, b = torch.randn(64, 16, device=DEVICE_TYPE), torch.randn(64, 16, device=DEVICE_TYPE)

    def gradient(fn):
        torch.manual_seed(1)
        model = Twins().to(DEVICE_TYPE)
        fn(model, torch.optim.SGD(model.parameters(), lr=1e-4), a, b)
        return model.whiten.grad

    exact, coarse = gradient(step_fixed), gradient(step)
    assert torch.allclose(exact, coarse, rtol=0.1, atol=0.1 * exact.abs().max().item())
    gap = (exact - coarse).abs().max() / exact.abs().max()
    assert gap > 1e-4, gap  # float32 twice would agree to 1e-6
    model = Twins().to(DEVICE_TYPE)
    step_plain(model, torch.optim.SGD(model.parameters(), lr=1e-4), a, b)
    assert torch.isfinite(model.body.weight).all()
