"""A self-contained model object evaluates itself in eval(loader), moves itself in to(), and counts the names as its own.

source: seungeunrho/minimalRL#2, Swopper050/foundations-drl#9 (train), HazyResearch/metal#71; end-model classes with fit/eval methods
rules: [TL108]
"""
import torch
import torch.nn as nn


class Learner(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(dim, 8), nn.Dropout(0.5), nn.Linear(8, 1))

    def forward(self, x):
        return self.body(x)

    def fit(self, loader, lr: float = 0.1):
        opt = torch.optim.SGD(self.parameters(), lr)
        for x, y in loader:
            opt.zero_grad()
            (self(x) - y).pow(2).mean().backward()
            opt.step()
        return self


class SelfEvaluating(Learner):
    def eval(self, loader):  # expect: TL108
        with torch.no_grad():
            return sum((self(x) - y).pow(2).mean().item() for x, y in loader)


class Evaluated(Learner):
    """Same idea under names of its own."""

    @torch.no_grad()
    def evaluate(self, loader):  # ok: TL108
        was = self.training
        self.eval()  # ok: TL304, TL118
        total = sum((self(x) - y).pow(2).mean().item() for x, y in loader)
        self.train(was)
        return total

    def train_on(self, loader):  # ok: TL108
        self.train()
        return self.fit(loader)


class Widths(Learner):
    def __init__(self, dim: int = 3, half: bool = False):
        super().__init__(dim)
        self.half = 0.5 if half else 1.0  # expect: TL108
        self.halved = bool(half)  # ok: TL108

    def forward(self, x):
        return super().forward(x) * self.half


class Runner:
    """Not a module: these names are free here."""

    def __init__(self, model: Learner):
        self.model = model

    def eval(self, loader):  # ok: TL108
        self.model.eval()  # ok: TL304
        with torch.no_grad():
            return [self.model(x) for x, _ in loader]

    def to(self, device):  # ok: TL108
        self.model.to(device)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    loader = [(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(2)]
    m = SelfEvaluating().fit(loader)
    try:
        m.eval()
        raise AssertionError("eval() of the module is gone")
    except TypeError:
        pass
    assert m.training and m.eval(loader) != m.eval(loader), "dropout is active while it evaluates"
    e = Evaluated().train_on(loader)
    assert e.evaluate(loader) == e.evaluate(loader) and e.training
    try:
        Widths(half=True).half()
        raise AssertionError("a float cannot be called")
    except TypeError:
        pass
    r = Runner(e)
    assert len(r.eval(loader)) == 2
    r.to("meta")
