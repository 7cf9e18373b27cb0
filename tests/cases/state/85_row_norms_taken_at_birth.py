"""Per-row weight norms registered as a buffer in the constructor describe the initial weights for ever.

source: KhrulkovV/tt-pytorch#4 (weight_t drifts), lucidrains/vector-quantize-pytorch style codebook norms
rules: [TL106]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Codebook(nn.Module):
    def __init__(self, entries: int = 6, dim: int = 3):
        super().__init__()
        self.table = nn.Parameter(torch.randn(entries, dim))
        self.finish()

    def finish(self) -> None:
        pass

    @property
    def sq(self):
        return self.table.pow(2).sum(1)

    def distances(self, x):
        return x.pow(2).sum(1, keepdim=True) - 2 * x @ self.table.mT + self.sq

    def forward(self, x):
        return F.embedding(self.distances(x).argmin(1), self.table)


class NormedCodebook(Codebook):
    def finish(self):
        with torch.no_grad():
            norms = self.table.square().sum(dim=1)
        self.register_buffer("norms", norms)  # expect: TL106

    @property
    def sq(self):
        return self.norms


class AttachedCodebook(Codebook):
    def finish(self):
        t = self.table.data
        self.flipped = t.transpose(0, 1).clone()  # expect: TL106

    def distances(self, x):
        return torch.cdist(x, self.flipped.mT).square()


class AveragedCodebook(Codebook):
    """Starts as a copy of the weights and is then updated on its own: a moving average."""

    def finish(self):
        self.register_buffer("slow", self.table.detach().clone())  # ok: TL106

    @torch.no_grad()
    def follow(self, rate: float = 0.5) -> None:
        self.slow.lerp_(self.table, rate)

    def distances(self, x):
        return torch.cdist(x, self.slow).square()


class RefreshedCodebook(NormedCodebook):
    """The buffer is filled again in every forward, so the value from the constructor is never read."""

    def finish(self):
        self.register_buffer("norms", torch.zeros(len(self.table)), persistent=False)  # ok: TL106

    def forward(self, x):
        self.norms = self.table.detach().square().sum(1)
        return super().forward(x)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(50, 3)
    for cls, right in ((NormedCodebook, False), (AttachedCodebook, False), (RefreshedCodebook, True), (Codebook, True)):
        a, b = cls(), cls()
        with torch.no_grad():
            b.table.mul_(torch.linspace(0.2, 3, 6)[:, None])
        sd = {k: v for k, v in b.state_dict().items() if k == "table"}
        a.load_state_dict(sd, strict=False)
        want = a.table[torch.cdist(x, a.table).argmin(1)]
        assert torch.equal(a(x), want) is right, cls
        with torch.no_grad():
            b(x)
        assert torch.equal(b(x), b.table[torch.cdist(x, b.table).argmin(1)]) is right, cls
    m = AveragedCodebook()
    m.follow()
    assert "slow" in m.state_dict()
