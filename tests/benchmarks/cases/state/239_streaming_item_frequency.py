"""Two-tower retrieval corrects its scores by streaming item frequencies, which are written in place and never saved.

source: Unity-Technologies/ml-agents#4292-like normalisers, chainer/chainerrl#376 (normaliser not saved); sampled-softmax correction
rules: [TL122]
"""
import torch
from torch import nn
from torch.nn import functional as F


class TwoTower(nn.Module):
    def __init__(self, items: int = 5, dim: int = 3, rate: float = 0.1):
        super().__init__()
        self.item = nn.Embedding(items, dim)
        self.user = nn.Linear(2, dim)
        self.rate = rate
        self.batches = 0  # ok: TL122  (printed, nothing else)
        self.frequency_state(torch.full((items,), 1.0 / items))

    def frequency_state(self, start: torch.Tensor) -> None:
        raise NotImplementedError

    @torch.no_grad()
    def count(self, ids: torch.Tensor) -> None:
        self.batches += 1
        share = torch.bincount(ids, minlength=len(self.freq)).to(self.freq) / len(ids)
        self.freq.mul_(1 - self.rate).add_(share, alpha=self.rate)

    def extra_repr(self) -> str:
        return f"batches={self.batches}"

    def scores(self, users):
        return self.user(users) @ self.item.weight.T - self.freq.log()

    def forward(self, users, ids):
        if self.training:
            self.count(ids)
        return F.cross_entropy(self.scores(users), ids)


class PlainFrequency(TwoTower):
    def frequency_state(self, start):
        self.freq = start  # expect: TL122


class ListedFrequency(TwoTower):
    """Registered under another name in a loop, but as scratch space."""

    def frequency_state(self, start):
        for name in ("freq", "scratch"):
            self.register_buffer(name, start.clone(), persistent=False)  # expect: TL122


class SavedFrequency(TwoTower):
    def frequency_state(self, start):
        self.register_buffer("freq", start)  # ok: TL122


class FixedFrequency(TwoTower):
    """Counted offline; training writes nothing."""

    def frequency_state(self, start):
        self.register_buffer("freq", start, persistent=False)  # ok: TL122

    def count(self, ids):
        self.batches += 1


# ---- demonstration: not part of the graded code ----
def demonstrate():
    users = torch.randn(8, 2)
    ids = torch.tensor([0, 0, 0, 0, 0, 0, 1, 2])
    for cls, resumes in (
        (PlainFrequency, False), (ListedFrequency, False), (SavedFrequency, True), (FixedFrequency, True),
    ):
        run, again = cls(), cls()
        for _ in range(4):
            run(users, ids)
        again.load_state_dict(run.state_dict())
        assert torch.allclose(run.eval().scores(users), again.eval().scores(users)) is resumes, cls
