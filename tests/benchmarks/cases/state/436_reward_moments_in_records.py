"""Critics scale rewards by moments that a small record or a dict on the module collects while training; a resume starts them again.

source: facebookresearch/habitat-lab#570 (moments of the checkpoint were empty), mujocolab/mjlab#484; rebuilt from scratch
rules: [TL122]
"""
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Seen:
    rows: int = 0
    tags: list = field(default_factory=list)


class Scaled(nn.Module):
    def __init__(self, dim: int = 2, rate: float = 0.5):
        super().__init__()
        self.rate = rate
        self.lin = nn.Linear(dim, 1)
        self.seen = Seen()  # ok: TL122  (for the progress line)
        self.open_books(dim)

    def open_books(self, dim: int) -> None:
        raise NotImplementedError

    def moments(self) -> tuple[torch.Tensor, torch.Tensor]:
        raise NotImplementedError

    def absorb(self, x: torch.Tensor) -> None:
        raise NotImplementedError

    def forward(self, x):
        if self.training:
            with torch.no_grad():
                self.seen.rows += len(x)
                self.absorb(x)
        m, v = self.moments()
        return self.lin((x - m) / (v + 1e-5).sqrt())


class DictScaled(Scaled):
    def open_books(self, dim):
        self.book = {"m": torch.zeros(dim), "v": torch.ones(dim)}  # expect: TL122

    def moments(self):
        return self.book["m"], self.book["v"]

    def absorb(self, x):
        for key, now in (("m", x.mean(0)), ("v", x.var(0))):
            self.book[key] = torch.lerp(self.book[key], now, self.rate)


class InPlaceScaled(Scaled):
    """Plain tensors that are written in place."""

    def open_books(self, dim):
        self.m = torch.zeros(dim)  # expect: TL122
        self.register_buffer("v", torch.ones(dim))  # ok: TL122

    def moments(self):
        return self.m, self.v

    def absorb(self, x):
        self.m.lerp_(x.mean(0), self.rate)
        self.v = torch.lerp(self.v, x.var(0), self.rate)


class LoopScaled(Scaled):
    def open_books(self, dim):
        for name, start in {"m": 0.0, "v": 1.0}.items():
            self.register_buffer(name, torch.full((dim,), start))  # ok: TL122

    def moments(self):
        return self.m, self.v

    def absorb(self, x):
        for name, now in zip("mv", (x.mean(0), x.var(0))):
            getattr(self, name).lerp_(now, self.rate)


class NormScaled(Scaled):
    """The moments belong to a layer that saves them."""

    def open_books(self, dim):
        self.norm = nn.BatchNorm1d(dim, affine=False)  # ok: TL122

    def forward(self, x):
        self.seen.rows += len(x)
        return self.lin(self.norm(x))


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    batches = [torch.randn(16, 2) * 3 + 7 for _ in range(4)]
    for cls, faithful in ((DictScaled, False), (InPlaceScaled, False), (LoopScaled, True), (NormScaled, True)):
        run = cls()
        for x in batches:
            run(x)
        back = cls()
        back.load_state_dict(run.state_dict())
        assert torch.allclose(run.eval()(batches[0]), back.eval()(batches[0]), atol=1e-5) is faithful, cls
