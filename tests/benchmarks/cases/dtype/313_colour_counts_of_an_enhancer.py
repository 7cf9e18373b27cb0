"""An enhancer is trained with a pixel term and a colour-count term; the counts go through an 8-bit helper.

source: albrateanu/LYT-Net#16, albrateanu/LYT-Net#17 (a histogram loss has no gradient)
rules: [TL305]
"""
import torch
import torch.nn.functional as F
from torch import nn


def as_levels(img, levels=16):
    return (img.clamp(0, 1) * (levels - 1)).to(torch.uint8)  # expect: TL305


def soft_levels(img, levels=16, width=0.05):
    centres = torch.linspace(0, 1, levels, device=img.device)
    return torch.exp(-((img.flatten(1)[..., None] - centres) / width) ** 2).mean(1)


class Counts(nn.Module):
    """Distance of cumulative level distributions."""

    def spread(self, img):
        grades = as_levels(img).flatten(1).float() / 15
        return torch.stack([grades.mean(1), grades.std(1)], -1)

    def forward(self, out, want):
        return F.l1_loss(self.spread(out), self.spread(want))


class SoftCounts(Counts):
    def spread(self, img):
        return soft_levels(img)


class StraightCounts(Counts):
    def spread(self, img):
        hard = (img.clamp(0, 1) * 15).to(torch.uint8).float() / 15  # ok: TL305
        grades = (img + (hard - img).detach()).flatten(1)  # ok: TL305
        return torch.stack([grades.mean(1), grades.std(1)], -1)


class Enhancer(nn.Module):
    def __init__(self):
        super().__init__()
        self.curve, self.tint = nn.Conv2d(3, 3, 1), nn.Parameter(torch.zeros(1, 3, 1, 1))

    def forward(self, x):
        return self.curve(x).sigmoid()


def total(net, terms, x, want):
    out = net(x)
    return sum(weight * term(out, want) for weight, term in terms) + 0.01 * net.tint.square().sum()


@torch.no_grad()
def save_like(net, x):
    return (net(x).clamp(0, 1) * 255).to(torch.uint8).permute(0, 2, 3, 1)  # ok: TL305


def demonstrate():
    torch.manual_seed(0)
    x, want = torch.rand(2, 3, 4, 4), torch.rand(2, 3, 4, 4)
    for counts, learns in ((Counts, False), (SoftCounts, True), (StraightCounts, True)):
        net = Enhancer()
        total(net, [(0.5, counts())], x, want).backward()
        grad = net.curve.weight.grad
        assert (grad is not None and bool(grad.abs().sum() > 0)) is learns, counts
    assert save_like(net, x).dtype is torch.uint8
