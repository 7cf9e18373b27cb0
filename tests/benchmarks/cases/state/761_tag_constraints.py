"""Linear-chain CRF: the table of forbidden tag transitions and the mask of legal first tags stay on the CPU.

source: written from scratch after reports about constraint masks in sequence taggers
rules: [TL101]
"""
from typing import Sequence

import torch
import torch.nn as nn

NEG = -1e4


def bio_penalty(labels: Sequence[str]) -> torch.Tensor:
    """Row = previous tag, column = next tag; I-x may follow only B-x or I-x."""
    table = torch.zeros(len(labels), len(labels))
    for i, prev in enumerate(labels):
        for j, nxt in enumerate(labels):
            if nxt.startswith("I-") and prev[2:] != nxt[2:]:
                table[i, j] = NEG
    return table


class ChainCRF(nn.Module):
    def __init__(self, labels: Sequence[str]):
        super().__init__()
        self.labels = list(labels)  # ok: TL105
        n = len(self.labels)
        self.transitions = nn.Parameter(torch.empty(n, n).uniform_(-0.1, 0.1))
        self.constrain()

    def constrain(self) -> None:
        raise NotImplementedError

    def log_partition(self, emissions: torch.Tensor) -> torch.Tensor:
        trans = self.transitions + self.penalty
        alpha = emissions[:, 0].masked_fill(~self.may_start, NEG)
        for t in range(1, emissions.shape[1]):
            alpha = torch.logsumexp(alpha[:, :, None] + trans + emissions[:, t, None], dim=1)
        return alpha.logsumexp(-1)

    def score(self, emissions: torch.Tensor, tags: torch.Tensor) -> torch.Tensor:
        picked = emissions.gather(2, tags[..., None])[..., 0].sum(1)
        return picked + self.transitions[tags[:, :-1], tags[:, 1:]].sum(1)

    def forward(self, emissions: torch.Tensor, tags: torch.Tensor) -> torch.Tensor:
        return (self.log_partition(emissions) - self.score(emissions, tags)).mean()


class AttributeCRF(ChainCRF):
    def constrain(self):
        self.penalty = bio_penalty(self.labels)  # expect: TL101
        self.may_start = torch.tensor([not tag.startswith("I-") for tag in self.labels])  # expect: TL101
        self.num_forbidden = int((self.penalty < 0).sum())  # ok: TL101


class BufferedCRF(ChainCRF):
    def constrain(self):
        penalty = bio_penalty(self.labels)
        may_start = torch.tensor([not tag.startswith("I-") for tag in self.labels])
        for name, value in (("penalty", penalty), ("may_start", may_start)):
            self.register_buffer(name, value, persistent=False)
        self.forbidden_pairs = (penalty < 0).nonzero().tolist()  # ok: TL101, TL105


class WarmStartedCRF(BufferedCRF):
    """The counted log-frequencies are only a starting point for the Parameter."""

    def __init__(self, labels: Sequence[str], counts: Sequence[Sequence[int]]):
        super().__init__(labels)
        self.prior = torch.tensor(counts, dtype=torch.float32).add(1).log()  # ok: TL101
        with torch.no_grad():
            self.transitions.copy_(self.prior - self.prior.logsumexp(-1, keepdim=True))


# ---- demonstration: not part of the graded code ----
def demonstrate():
    labels = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
    emissions, tags = torch.randn(2, 4, 5), torch.tensor([[1, 2, 0, 3], [0, 0, 3, 4]])
    bad, good, warm = AttributeCRF(labels), BufferedCRF(labels), WarmStartedCRF(labels, [[1] * 5] * 5)
    good.load_state_dict(bad.state_dict())
    assert torch.allclose(bad(emissions, tags), good(emissions, tags))
    assert bad.num_forbidden == len(good.forbidden_pairs) == 6
    bad.double()
    assert bad.penalty.dtype == torch.float32 and good.double().penalty.dtype == torch.float64
    for m in (bad, good, warm):
        m.to("meta")
    try:
        bad(emissions.double().to("meta"), tags.to("meta"))
        raise AssertionError("expected the CPU table to clash with the moved transitions")
    except RuntimeError:
        pass
    assert good(emissions.double().to("meta"), tags.to("meta")).is_meta
    assert warm(emissions.to("meta"), tags.to("meta")).is_meta
