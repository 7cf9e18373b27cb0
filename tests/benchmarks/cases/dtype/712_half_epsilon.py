"""A whole model in half: Adam's eps of 1e-8 and a hand-written 1e-8 both round to zero, and 0 / 0 is NaN.

source: forum threads "Adam + Half Precision = NaNs?"
rules: [TL302]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Matcher(nn.Module):
    def __init__(self, vocab=12, dim=6):
        super().__init__()
        self.table = nn.Embedding(vocab, dim, padding_idx=0)
        self.norm = nn.LayerNorm(dim, eps=1e-8)  # ok: TL302

    def unit(self, v):
        return v / (v.norm(dim=-1, keepdim=True) + 1e-8)  # expect: TL302

    def forward(self, left, right):
        a, b = self.unit(self.table(left)), self.unit(self.table(right))
        return (a * b).sum(-1)


class MatcherFixed(Matcher):
    def unit(self, v):
        return v / (v.norm(dim=-1, keepdim=True) + 1e-4)  # ok: TL302


class MatcherUpcast(Matcher):
    def unit(self, v):
        wide = v.float()
        return (wide / (wide.norm(dim=-1, keepdim=True) + 1e-8)).to(v.dtype)  # ok: TL302


def fit_half(model, left, right, steps=2):
    model = model.half()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)  # expect: TL302
    for _ in range(steps):
        opt.zero_grad()
        F.mse_loss(model(left, right), torch.zeros_like(left, dtype=torch.half)).backward()
        opt.step()
    return model


def fit_half_fixed(model, left, right, steps=2):
    model = model.half()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3, eps=1e-4)  # ok: TL302
    for _ in range(steps):
        opt.zero_grad()
        F.mse_loss(model(left, right), torch.zeros_like(left, dtype=torch.half)).backward()
        opt.step()
    return model


def fit_float(model, left, right):
    opt = torch.optim.Adam(model.float().parameters(), lr=1e-3)  # ok: TL302
    F.mse_loss(model(left, right), torch.zeros_like(left, dtype=torch.float32)).backward()
    opt.step()
    return model


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    left, right = torch.tensor([3, 4]), torch.tensor([5, 6])
    pad = torch.tensor([0, 3])
    assert Matcher().half()(pad, right).isnan().any()  # the padding row has norm 0
    assert torch.isfinite(Matcher()(pad, right)).all()  # in float32 nobody sees it
    for cls in (MatcherFixed, MatcherUpcast):
        assert torch.isfinite(cls().half()(pad, right)).all()
    # rows that get no gradient: 0 / (0 + eps)
    assert fit_half(MatcherFixed(), left, right).table.weight.isnan().any()
    assert torch.isfinite(fit_half_fixed(MatcherFixed(), left, right).table.weight).all()
    assert torch.isfinite(fit_float(MatcherFixed(), left, right).table.weight).all()
