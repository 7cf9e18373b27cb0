"""Loss helpers of a self-supervised method cast to float32 themselves, but the training step calls them inside its bf16 region.

source: VICReg / Barlow Twins style losses used with autocast
rules: [TL403]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


def off_diagonal(m):
    n = m.size(0)
    return m.flatten()[:-1].view(n - 1, n + 1)[:, 1:]


def covariance_term(z):
    z = (z - z.mean(dim=0)).float()  # expect: TL403
    cov = z.t() @ z / (z.size(0) - 1)
    return off_diagonal(cov).pow(2).sum() / z.size(1), cov


def bank_similarity(z, bank):
    return F.linear(z.to(torch.float32), bank)  # expect: TL403


def variance_term(z, gamma=1.0):
    std = (z.float().var(dim=0) + 1e-4).sqrt()  # ok: TL403
    return F.relu(gamma - std).mean()


def covariance_term_fixed(z):
    with torch.autocast(DEVICE_TYPE, enabled=False):
        z = (z - z.mean(dim=0)).float()  # ok: TL403
        cov = z.t() @ z / (z.size(0) - 1)
    return off_diagonal(cov).pow(2).sum() / z.size(1), cov


def spectrum(z):
    # only used after the region, for the log
    z = z.float()  # ok: TL403
    return torch.linalg.eigvalsh(z.t() @ z)


class Projector(nn.Module):
    def __init__(self, dim=6, out=4):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 12), nn.ReLU(), nn.Linear(12, out))

    def forward(self, x):
        return self.net(x)


def step(model, a, b, bank):
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        za, zb = model(a), model(b)
        cov_loss, cov = covariance_term(za)
        near = bank_similarity(zb, bank)
        loss = F.mse_loss(za, zb) + variance_term(za) + cov_loss
    return loss, cov, near


def step_fixed(model, a, b):
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        za, zb = model(a), model(b)
        cov_loss, cov = covariance_term_fixed(za)
        loss = F.mse_loss(za.float(), zb.float()) + variance_term(za) + cov_loss  # ok: TL401
    return loss, cov, spectrum(za.detach())


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    model = Projector().to(DEVICE_TYPE)
    a, b = torch.randn(16, 6, device=DEVICE_TYPE), torch.randn(16, 6, device=DEVICE_TYPE)
    _, cov, near = step(model, a, b, torch.randn(5, 4, device=DEVICE_TYPE))
    assert cov.dtype is torch.bfloat16 and near.dtype is torch.bfloat16, "the helpers' float() had no effect"
    loss, cov, values = step_fixed(model, a, b)
    assert cov.dtype is torch.float32 and loss.dtype is torch.float32 and values.dtype is torch.float32
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        assert variance_term(model(a)).dtype is torch.float32  # a reduction keeps the upcast
    assert covariance_term(torch.randn(4, 3).bfloat16())[1].dtype is torch.float32  # honest outside a region
