"""Domain-adversarial training: the label of a whole batch is filled with the domain's number, taken from a table of floats.

source: DANN/CDAN re-implementations that switch from a sigmoid critic to a softmax over domains ("expected scalar type Long but found Float")
rules: [TL201]
"""
import torch
import torch.nn.functional as F
from torch import nn

DOMAINS = {"photo": 0.0, "sketch": 1.0, "cartoon": 2.0}


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -ctx.strength * grad, None


class DomainLoss(nn.Module):
    def __init__(self, dim=4, domains=3, strength=0.1):
        super().__init__()
        self.head, self.strength = nn.Linear(dim, domains), strength

    def labels(self, like, name):
        return like.new_full((len(like),), DOMAINS[name])  # expect: TL201

    def penalty(self, out, want):
        return F.cross_entropy(input=out, target=want)  # use: TL201

    def forward(self, feats):
        total = 0
        for name, f in feats.items():
            out = self.head(Reverse.apply(f, self.strength))
            total = total + self.penalty(out, self.labels(out, name))
        return total / len(feats)


class SoftDomainLoss(DomainLoss):
    """A row of probabilities per sample: cross_entropy takes floating targets of this shape."""

    def labels(self, like, name):
        soft = torch.full_like(like, 0.1 / like.size(1))  # ok: TL201
        soft[:, int(DOMAINS[name])] += 0.9
        return soft


class BinaryDomainLoss(DomainLoss):
    def __init__(self, dim=4):
        super().__init__(dim, domains=1)

    def labels(self, like, name):
        return like.new_full((len(like),), float(name == "photo"))  # ok: TL201

    def penalty(self, out, want):
        return F.binary_cross_entropy_with_logits(out[:, 0], want)


class NumberedDomainLoss(DomainLoss):
    order = tuple(DOMAINS)

    def labels(self, like, name):
        return torch.full((len(like),), self.order.index(name), device=like.device)  # ok: TL201


def demonstrate():
    torch.manual_seed(0)
    feats = {"photo": torch.randn(3, 4), "cartoon": torch.randn(2, 4)}
    try:
        DomainLoss()(feats)
        raise AssertionError("floating class labels were accepted")
    except RuntimeError as err:
        assert "Long" in str(err), err
    for cls in (SoftDomainLoss, BinaryDomainLoss, NumberedDomainLoss):
        loss = cls()(feats)
        loss.backward()
        assert torch.isfinite(loss)
