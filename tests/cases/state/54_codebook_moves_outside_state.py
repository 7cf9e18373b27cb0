"""Vector quantiser trained by moving averages: codes and counts change in training, and part of them is not in the checkpoint.

source: lucidrains/vector-quantize-pytorch (buffers for cluster_size, embed_avg), Unity-Technologies/ml-agents#4292 (normaliser)
rules: [TL122, TL101]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Quantiser(nn.Module):
    def __init__(self, dim: int = 2, codes: int = 4, decay: float = 0.5):
        super().__init__()
        self.codes, self.decay = codes, decay
        torch.manual_seed(codes)
        self.make(torch.randn(codes, dim))

    def make(self, start: torch.Tensor) -> None:
        raise NotImplementedError

    @torch.no_grad()
    def move(self, x, picked):
        hot = F.one_hot(picked, self.codes).to(x.dtype)
        self.count = torch.lerp(hot.sum(0), self.count, self.decay)
        self.total = torch.lerp(hot.mT @ x, self.total, self.decay)
        self.book = self.total / self.count.clamp_min(1e-3)[:, None]
        self.usage = hot.mean(0)

    def forward(self, x):
        picked = torch.cdist(x, self.book).argmin(1)
        q = self.book[picked]
        if self.training:
            self.move(x, picked)
        return x + (q - x).detach()


class ForgettingQuantiser(Quantiser):
    def make(self, start):
        self.book = start  # expect: TL122
        self.count = torch.ones(len(start))  # expect: TL122
        self.total = start.clone()  # expect: TL122
        self.usage = None  # ok: TL122


class HalfSavedQuantiser(Quantiser):
    """The codes are saved, the averages that will produce the next codes are transient."""

    def make(self, start):
        self.register_buffer("book", start)  # ok: TL122
        transient = {"count": torch.ones(len(start)), "total": start.clone()}
        self.register_buffer("count", transient["count"], persistent=False)  # expect: TL122
        self.register_buffer("total", transient["total"], persistent=False)  # expect: TL122
        self.usage = None


class SavingQuantiser(Quantiser):
    def make(self, start):
        for name, value in (("book", start), ("count", torch.ones(len(start))), ("total", start.clone())):
            self.register_buffer(name, value)  # ok: TL122, TL101
        self.usage = None  # ok: TL122


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, faithful, at_once in (
        (ForgettingQuantiser, False, False), (HalfSavedQuantiser, False, True), (SavingQuantiser, True, True),
    ):
        run = cls()
        for i in range(4):
            torch.manual_seed(i)
            run(torch.randn(32, 2) * 2 + 1)
        other = cls()
        other.load_state_dict(run.state_dict())
        x = torch.randn(16, 2)
        assert torch.allclose(run.eval()(x), other.eval()(x)) is at_once, cls
        for m in (run, other):
            m.train()(x * 3)
        assert torch.allclose(run.eval()(x), other.eval()(x)) is faithful, cls
