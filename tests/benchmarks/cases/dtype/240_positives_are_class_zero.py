"""In a contrastive loss the right answer is always column zero; the vector of zeros is floating and cross_entropy refuses it.

source: memory-bank losses; kenchan0226/keyphrase-generation-rl#24 ("expected scalar type Long but found Float")
rules: [TL201]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Nce(nn.Module):
    def __init__(self, heat=0.1):
        super().__init__()
        self.heat = heat

    def answers(self, logits):
        return torch.zeros(logits.shape[:1], device=logits.device)  # expect: TL201

    def rank(self, logits):
        order = logits.argsort(1, descending=True)
        return (order == 0).nonzero()[:, 1].float().mean()  # ok: TL201

    def forward(self, q, k, bank):
        logits = torch.cat([(q * k).sum(1, keepdim=True), q @ bank.t()], dim=1) / self.heat
        parts = {"input": logits, "target": self.answers(logits)}
        return F.cross_entropy(**parts), self.rank(logits)  # use: TL201


class NceExact(Nce):
    def answers(self, logits):
        return logits.new_zeros(len(logits), dtype=torch.long)  # ok: TL201


class NceSoft(Nce):
    """Spreads a little mass: probabilities of the shape of the logits are floating by right."""

    def answers(self, logits):
        soft = torch.zeros_like(logits) + 0.1 / logits.size(1)  # ok: TL201
        soft[:, 0] += 0.9
        return soft


class NceBinary(Nce):
    def forward(self, q, k, bank):
        logits = torch.cat([(q * k).sum(1, keepdim=True), q @ bank.t()], dim=1) / self.heat
        first = torch.zeros(logits.shape, device=logits.device)  # ok: TL201
        first[:, 0] = 1
        return F.binary_cross_entropy_with_logits(logits, first), self.rank(logits)


def demonstrate():
    torch.manual_seed(0)
    q, k, bank = torch.randn(4, 3), torch.randn(4, 3), torch.randn(5, 3)
    try:
        Nce()(q, k, bank)
        raise AssertionError("floating class numbers")
    except (RuntimeError, ValueError) as err:
        assert "Long" in str(err) or "Float" in str(err), err
    for cls in (NceExact, NceSoft, NceBinary):
        assert cls()(q, k, bank)[0] > 0
