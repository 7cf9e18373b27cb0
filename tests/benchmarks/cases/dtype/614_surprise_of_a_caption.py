"""A caption scorer clamps probabilities at 1e-8 before the logarithm; it is served in half, where 1e-8 is zero.

source: NVIDIA/apex issues on eps in fp16 losses; "nan in CTC confidence" reports of half-precision recognisers
rules: [TL302]
"""
import torch
from torch import nn


class CaptionScorer(nn.Module):
    def __init__(self, dim=8, words=5):
        super().__init__()
        self.out = nn.Linear(dim, words)

    def probs(self, x):
        return self.out(x).softmax(-1)

    def forward(self, x):
        p = self.probs(x).clamp(min=1e-8)  # expect: TL302
        return -(p * p.log()).sum(-1)


class CaptionScorerWide(CaptionScorer):
    def forward(self, x):
        p = self.probs(x).float().clamp(min=1e-8)  # ok: TL302
        return -(p * p.log()).sum(-1)


class CaptionScorerTiny(CaptionScorer):
    def forward(self, x):
        p = self.probs(x)
        p = p.clamp(min=torch.finfo(p.dtype).tiny)  # ok: TL302
        return -(p * p.log()).sum(-1)


class CaptionScorerLogits(CaptionScorer):
    """log_softmax needs no guard; the norm keeps its small eps, which is computed in float32 anyway."""

    def __init__(self, dim=8, words=5):
        super().__init__(dim, words)
        self.norm = nn.LayerNorm(dim, eps=1e-8)  # ok: TL302

    def forward(self, x):
        logp = self.out(self.norm(x)).log_softmax(-1)
        return -(logp.exp() * logp).nan_to_num().sum(-1)


def serve(cls, x):
    model = cls().half().eval()
    with torch.no_grad():
        model.out.weight.mul_(400)
        return model(x.half())


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(6, 8)
    assert serve(CaptionScorer, x).isnan().any()  # 0 * log(0)
    for cls in (CaptionScorerWide, CaptionScorerTiny, CaptionScorerLogits):
        assert serve(cls, x).isfinite().all(), cls
