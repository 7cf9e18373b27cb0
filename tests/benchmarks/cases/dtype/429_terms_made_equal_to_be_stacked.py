"""A criterion stacks its terms; to stack them it brings all to the type of the run, which is half, and the sum is scaled.

source: NVIDIA/apex#798 kind, facebookresearch/pytext#581 (the loss is half before it is scaled); multi-term criteria
rules: [TL405]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Criterion:
    shares = (1.0, 0.5, 0.1)

    def terms(self, out, y):
        yield F.cross_entropy(out, y)
        yield out.pow(2).mean()
        yield out.logsumexp(-1).mean()

    def gather(self, terms):
        return torch.stack([s * t.to(torch.float16) for s, t in zip(self.shares, terms)]).sum()  # expect: TL405

    def __call__(self, out, y):
        return self.gather(self.terms(out, y))


class WideCriterion(Criterion):
    def gather(self, terms):
        return torch.stack([s * t.to(torch.float32) for s, t in zip(self.shares, terms)]).sum()  # ok: TL405


class AddingCriterion(Criterion):
    """Python's sum promotes by itself; the half numbers are for the report."""

    def gather(self, terms):
        terms = list(terms)
        self.seen = [t.half().item() for t in terms]  # ok: TL405
        return sum(s * t for s, t in zip(self.shares, terms))


class Trainer:
    def __init__(self, criterion: Criterion):
        self.net = nn.Linear(4, 3).to(KIND)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler(KIND)
        self.criterion = criterion

    def loss(self, x, y):
        with torch.autocast(KIND, dtype=torch.float16):
            out = self.net(x)
        return self.criterion(out.float(), y)

    def step(self, x, y):
        self.opt.zero_grad(set_to_none=True)
        scaled = self.scaler.scale(self.loss(x, y))
        scaled.backward()
        self.scaler.step(self.opt)
        self.scaler.update()
        return scaled


def demonstrate():
    torch.manual_seed(0)
    x, y = 0.5 * torch.randn(6, 4, device=KIND), torch.randint(3, (6,), device=KIND)

    def run(criterion):
        trainer = Trainer(criterion)
        start = trainer.net.weight.detach().clone()
        scaled = trainer.step(x, y)
        return scaled, not torch.equal(start, trainer.net.weight)

    _, moved = run(Criterion())
    assert not moved  # the scale itself is no half number: every slope is infinite and the step is skipped
    for criterion in (WideCriterion(), AddingCriterion()):
        scaled, moved = run(criterion)
        assert moved and torch.isfinite(scaled), criterion
