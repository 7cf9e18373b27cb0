"""A criterion looks its terms up in a registry and calls them inside the region; one of them relies on .float() before a matmul.

source: huggingface/diffusers#13920, naver/must3r#10 (helpers that cast under a region)
rules: [TL403]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


def decorrelate(z, target):
    z = (z - z.mean(0)).float()  # expect: TL403
    cov = z.T @ z / (z.shape[0] - 1)
    return (cov - torch.eye(z.shape[1], device=z.device)).square().mean()


def regress(z, target):
    return F.smooth_l1_loss(z.float(), target.float())  # ok: TL403


def spread(z, target):
    std = z.float().var(0).add(1e-4).sqrt()  # ok: TL403
    return F.relu(1 - std).mean()


def covariance_report(z):
    """Only the evaluation calls it, after the region."""
    z = z.float() - z.float().mean(0)  # ok: TL403
    return z.T @ z / (z.shape[0] - 1)


TERMS = {"decorrelate": decorrelate, "regress": regress, "spread": spread}


class Criterion:
    def __init__(self, net, **weights):
        self.net, self.weights = net, weights

    def __call__(self, x, target):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            z = self.net(x)
            parts = {name: TERMS[name](z, target) for name in self.weights}
        report = covariance_report(z.detach())
        return sum(self.weights[k] * v for k, v in parts.items()), report


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    x, target = torch.randn(6, 3, device=DEVICE_TYPE), torch.randn(6, 4, device=DEVICE_TYPE)
    criterion = Criterion(nn.Linear(3, 4).to(DEVICE_TYPE), decorrelate=1.0, regress=1.0, spread=1.0)
    loss, report = criterion(x, target)
    assert torch.isfinite(loss) and report.dtype is torch.float32
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        z = criterion.net(x)
        wide = (z - z.mean(0)).float()
        assert (wide.T @ wide).dtype is torch.bfloat16, "the helper's cast decided nothing"
        assert regress(z, target).dtype is torch.float32 and spread(z, target).dtype is torch.float32
    assert decorrelate(z, target).dtype is torch.float32  # outside it is honest float32
