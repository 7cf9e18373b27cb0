"""Statistics that training keeps in plain tensors: each way to update one, and the buffer that is saved."""
import torch
from torch import nn


class Base(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.make(dim)

    def make(self, dim):
        self.mean = torch.zeros(dim)  # expect: TL122
        self.count = torch.zeros(())  # expect: TL122
        self.spread = torch.ones(dim)  # expect: TL122
        self.bank = torch.zeros(4, dim)  # expect: TL122
        self.peak = torch.zeros(dim)  # expect: TL122
        self.register_buffer("cursor", torch.zeros((), dtype=torch.long))  # ok: TL122
        self.last = None  # ok: TL122  read only by the call that stored it
        self.drawn = torch.zeros(dim)  # expect: TL101  # ok: TL122  made anew in each training call

    @torch.no_grad()
    def observe(self, x):
        self.mean = torch.lerp(self.mean, x.mean(0), 0.1)
        self.count += len(x)
        self.spread.mul_(0.9).add_(x.var(0), alpha=0.1)
        self.bank[self.cursor] = x.mean(0)
        self.cursor.copy_((self.cursor + 1) % 4)
        self.peak = torch.maximum(self.peak, x.abs().amax(0))
        self.drawn = torch.rand(3)

    def forward(self, x):
        if self.training:
            self.observe(x)
        self.last = x.detach() - self.mean
        return self.last / self.spread + self.bank.mean(0) / (1 + self.count) - self.peak + self.drawn


class Saved(Base):
    def make(self, dim):
        for name in ("mean", "spread", "peak", "drawn"):
            self.register_buffer(name, torch.ones(dim))  # ok: TL122
        self.register_buffer("count", torch.zeros(()))  # ok: TL122
        self.register_buffer("bank", torch.zeros(4, dim))  # ok: TL122
        self.register_buffer("cursor", torch.zeros((), dtype=torch.long))


class OnlyOne(Saved):
    """Registered, and yet not saved."""

    def make(self, dim):
        super().make(dim)
        self.register_buffer("extra", torch.zeros(dim), persistent=False)  # expect: TL122

    def forward(self, x):
        if self.training:
            self.extra += x.detach().mean(0)
        return super().forward(x) + self.extra


def demonstrate():
    for kind in (Base, Saved, OnlyOne):
        trained, resumed = kind(), kind()
        for _ in range(3):
            trained(torch.randn(8, 3) + 5)
        resumed.load_state_dict(trained.state_dict())
        resumed.drawn, x = trained.drawn, torch.randn(2, 3)
        assert torch.equal(trained.eval()(x), resumed.eval()(x)) is (kind is Saved), kind
