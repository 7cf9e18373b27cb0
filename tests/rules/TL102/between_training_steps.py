"""A training step is called again and again: what one leaves with its graph, the next one reads."""
import torch
from torch import nn


class Compared(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.encode = nn.Linear(dim, dim)
        self.last = None

    def forward(self, x):
        return self.encode(x)


class Attached(Compared):
    def training_step(self, batch, index):
        features = self(batch)
        loss = features.sum() if self.last is None else (features - self.last).square().mean()
        self.last = features  # expect: TL102
        return loss


class Detached(Compared):
    def training_step(self, batch, index):
        features = self(batch)
        loss = features.sum() if self.last is None else (features - self.last).square().mean()
        self.last = features.detach()  # ok: TL102
        return loss


class ForTheLog(Compared):
    def training_step(self, batch, index):
        self.last = self(batch).sum()  # ok: TL102  nothing of the next step reads it
        return self.last

    def on_train_epoch_end(self):
        return float(self.last)


class BegunAnew(Compared):
    def training_step(self, batch, index):
        features = self(batch)
        loss = features.sum() if self.last is None else (features - self.last).square().mean()
        self.last = features  # ok: TL102  reset where an epoch begins
        return loss

    def on_train_epoch_start(self):
        self.last = None


def trains(module: nn.Module) -> bool:
    for index in range(2):
        if isinstance(module, BegunAnew):
            module.on_train_epoch_start()
        try:
            module.training_step(torch.rand(2, 4), index).backward()
        except RuntimeError as error:
            assert "second time" in str(error)
            return False
    return True


def demonstrate():
    for kind, works in ((Attached, False), (Detached, True), (ForTheLog, True), (BegunAnew, True)):
        assert trains(kind()) is works, kind
