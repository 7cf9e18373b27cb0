"""A method that trains notes how far it came, and forward refuses to work or changes with it."""

import torch
from torch import nn


class Explainer(nn.Module):
    def __init__(self, epochs: int):
        super().__init__()
        self.epochs = epochs
        self.layer = nn.Linear(2, 1)
        self.optimizer = torch.optim.SGD(self.layer.parameters(), lr=0.1)
        self.done = -1  # note: TL122
        self.shown = 0  # ok: TL122  a setting that the caller gives

    def fit_epoch(self, epoch: int, x):
        self.optimizer.zero_grad()
        loss = self.layer(x).pow(2).mean()
        loss.backward()
        self.optimizer.step()
        self.done = epoch
        return loss.item()  # note: TL307

    def set_shown(self, shown: int):
        self.shown = shown

    def forward(self, x):
        if self.done < self.epochs - 1:
            raise ValueError("not trained yet")
        return self.layer(x) + self.shown


def demonstrate():
    module = Explainer(1)
    module.fit_epoch(0, torch.ones(1, 2))
    module(torch.ones(1, 2))
    fresh = Explainer(1)
    fresh.load_state_dict(module.state_dict())
    try:
        fresh(torch.ones(1, 2))
    except ValueError:
        return
    raise AssertionError
