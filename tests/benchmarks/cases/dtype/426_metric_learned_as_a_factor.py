"""A learned metric is a property that multiplies its factor 'in float32'; the trainer reads the property inside the region.

source: Mahalanobis and metric-learning heads under mixed precision; huggingface/diffusers#13920, naver/must3r#10 kind
rules: [TL403]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Metric(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.factor = nn.Parameter(torch.eye(dim) + 0.1 * torch.randn(dim, dim))

    @property
    def matrix(self):
        low = self.factor.tril()
        return low.float() @ low.float().t()  # expect: TL403

    def between(self, a, b):
        gap = a - b
        return (gap.float() * F.linear(gap, self.matrix)).sum(-1)  # ok: TL403


class MetricSafe(Metric):
    @property
    def matrix(self):
        low = self.factor.tril()
        with torch.autocast(KIND, enabled=False):
            return low.float() @ low.float().t()  # ok: TL403


class MetricDiagonal(Metric):
    """No product, only squares: the cast decides."""

    @property
    def matrix(self):
        return torch.diag(self.factor.diagonal().float().square())  # ok: TL403


class Trainer:
    def __init__(self, body, metric: Metric, margin=1.0):
        self.body, self.metric, self.margin = body, metric, margin
        self.used = []

    def step(self, anchor, near, far):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            a, p, n = map(self.body, (anchor, near, far))
            self.used.append(self.metric.matrix.dtype)
            loss = F.relu(self.metric.between(a, p) - self.metric.between(a, n) + self.margin).mean()
        loss.backward()
        return loss

    def report(self):
        return torch.linalg.eigvalsh(whiten(self.metric))


def whiten(metric):
    """Only ever called outside: here the casts are honoured."""
    return metric.factor.detach().float() @ metric.factor.detach().float().t()  # ok: TL403


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(3, 6, 4, device=KIND)
    for kind, dtype in ((Metric, torch.bfloat16), (MetricSafe, torch.float32), (MetricDiagonal, torch.float32)):
        trainer = Trainer(nn.Linear(4, 3).to(KIND), kind(3).to(KIND))
        trainer.step(*x)
        assert trainer.used == [dtype], kind
        assert trainer.report().shape == (3,)
    assert Metric(3).matrix.dtype is torch.float32  # outside any region
