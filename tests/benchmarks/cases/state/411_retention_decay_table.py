"""Retention layers turn learned decay rates into a distance table; one sibling does so once, in the constructor.

source: KhrulkovV/tt-pytorch#4 (a constant derived from a weight drifts away from it); retention layer rebuilt from scratch
rules: [TL106]
"""
import torch
from torch import nn


def decays(rate: torch.Tensor, n: int) -> torch.Tensor:
    step = torch.arange(n, device=rate.device, dtype=rate.dtype)
    gap = step[:, None] - step
    return torch.where(gap >= 0, torch.sigmoid(rate)[:, None, None] ** gap.clamp(min=0), 0.0)


class Retention(nn.Module):
    def __init__(self, heads: int = 2, span: int = 5):
        super().__init__()
        self.span = span
        self.rate = nn.Parameter(torch.linspace(0.5, 2.0, heads))
        self.after_init()

    def after_init(self) -> None:
        pass

    def table(self, n: int) -> torch.Tensor:
        return decays(self.rate, n)

    def forward(self, v):
        n = v.shape[-2]
        return self.table(n) @ v


class TabledRetention(Retention):
    def after_init(self):
        with torch.no_grad():
            full = decays(self.rate, self.span)
        self.register_buffer("full", full, persistent=False)  # expect: TL106

    def table(self, n):
        return self.full[:, :n, :n]


class NormedRetention(Retention):
    """The table is fresh; the normaliser in front of it is the constructor's."""

    def after_init(self):
        weights = torch.softmax(self.rate.detach(), 0)
        self.balance = weights.view(-1, 1, 1)  # expect: TL106

    def table(self, n):
        return super().table(n) * self.balance


class GapRetention(Retention):
    """Only distances are kept, and they come from no parameter."""

    def after_init(self):
        step = torch.arange(self.span)
        self.register_buffer("gap", step[:, None] - step, persistent=False)  # ok: TL106

    def table(self, n):
        gap = self.gap[:n, :n]
        return torch.where(gap >= 0, torch.sigmoid(self.rate)[:, None, None] ** gap.clamp(min=0), 0.0)


class FollowedRetention(Retention):
    """Starts from the parameter and then follows it at a distance: that is its purpose."""

    def after_init(self):
        self.register_buffer("slow", self.rate.detach().clone())  # ok: TL106

    @torch.no_grad()
    def follow(self) -> None:
        self.slow.lerp_(self.rate, 0.1)

    def table(self, n):
        return decays(self.rate if self.training else self.slow, n)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    v = torch.randn(2, 4, 3)
    for cls, right in ((TabledRetention, False), (NormedRetention, False), (GapRetention, True), (FollowedRetention, True)):
        torch.manual_seed(0)
        src, dst = cls(), cls()
        with torch.no_grad():
            src.rate.copy_(torch.tensor([-1.0, 3.0]))
        src.after_init() if not right else None  # the tables of a module that was built with these rates
        dst.load_state_dict(src.state_dict(), strict=False)
        assert torch.allclose(dst(v), src(v)) is right, cls
