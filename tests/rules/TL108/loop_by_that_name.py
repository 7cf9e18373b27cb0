"""train() as a training loop, eval() as an evaluation loop: notes, since nothing fails until torch calls them."""
import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 1)
        self.optimizer = torch.optim.SGD(self.parameters(), lr=0.1)

    def forward(self, x):
        return self.fc(x)


class Fitted(Policy):
    def train(self):  # note: TL108
        loss = self(self.fc.weight).sum()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def eval(self):  # ok: TL108  torch's eval() would run the loop
        self.fc.eval()
        return self


class WithData(Policy):
    def train(self, batches, epochs: int = 1):  # note: TL108
        super().train()
        for batch in batches:
            self(batch).sum().backward()

    def eval(self, batches):  # note: TL108
        return sum(float(self(batch).sum()) for batch in batches)


class WithTrainer(Policy):
    def train(self, trainer=None, **options):  # note: TL108
        self.trainer = trainer
        return self.trainer.train(**options)


class Fit(Policy):
    def fit(self, batches):  # ok: TL108
        self.train()
        for batch in batches:
            self(batch).sum().backward()


class Loop:
    """No Module: the natural name."""

    def __init__(self, model: Policy):
        self.model = model

    def train(self, batches):  # ok: TL108
        self.model.train()

    def eval(self):  # ok: TL108
        self.model.eval()


class Mode(Policy):
    def train(self, mode: bool = True):  # ok: TL108
        super().train(mode)
        self.optimizer.zero_grad()
        return self


class Evaluated(Policy):
    def evaluate(self, batches):  # ok: TL108
        return sum(float(self.eval()(batch).sum()) for batch in batches)  # expect: TL304


def demonstrate():
    for kind in (Fitted, WithData):
        try:
            nn.Sequential(kind()).eval()
            raise AssertionError("a parent passes the mode")
        except TypeError:
            pass
    Fit().fit([torch.ones(1, 2)])
    assert not nn.Sequential(Mode()).eval()[0].training
