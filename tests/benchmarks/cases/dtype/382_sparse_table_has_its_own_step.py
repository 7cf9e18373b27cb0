"""A recommender keeps its sparse tables in an optimizer of their own; the scaler steps the dense part, the tables are stepped directly.

source: recommenders with nn.Embedding(sparse=True) under GradScaler; pytorch amp examples (several optimizers)
rules: [TL406]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Net(nn.Module):
    def __init__(self, items=6, dim=4):
        super().__init__()
        self.table = nn.Embedding(items, dim, sparse=True)
        self.dense = nn.Linear(dim, 1)

    def forward(self, ids):
        return self.dense(self.table(ids))[:, 0]


class Pair:
    """Looks like one optimizer, holds two."""

    def __init__(self, dense, sparse):
        self.dense, self.sparse = dense, sparse

    def zero_grad(self):
        for o in (self.dense, self.sparse):
            o.zero_grad()


class Trainer:
    def __init__(self, net, lr=0.05):
        self.net = net.to(KIND)
        make = torch.optim.SGD
        self.opts = Pair(make(net.dense.parameters(), lr=lr), make(net.table.parameters(), lr=lr))
        self.scaler = torch.amp.GradScaler(KIND)

    def backward(self, ids, y):
        self.opts.zero_grad()
        with torch.autocast(KIND, dtype=torch.bfloat16):
            out = self.net(ids)
        self.scaler.scale(F.mse_loss(out.float(), y)).backward()

    def step(self, ids, y):
        self.backward(ids, y)
        self.scaler.step(self.opts.dense)
        self.opts.sparse.step()  # expect: TL406
        self.scaler.update()


class TrainerBoth(Trainer):
    def step(self, ids, y):
        self.backward(ids, y)
        for opt in (self.opts.dense, self.opts.sparse):
            self.scaler.step(opt)  # ok: TL406
        self.scaler.update()


class TrainerApart(Trainer):
    """The tables get a pass of their own, without a scaler."""

    def step(self, ids, y):
        self.backward(ids, y)
        self.scaler.step(self.opts.dense)
        self.scaler.update()

    def tables(self, ids, y):
        self.opts.zero_grad()
        F.mse_loss(self.net(ids), y).backward()
        self.opts.sparse.step()  # ok: TL406


def demonstrate():
    def moved(cls, method="step"):
        torch.manual_seed(0)
        trainer = cls(Net())
        before = trainer.net.table.weight.detach().clone()
        getattr(trainer, method)(torch.tensor([0, 1, 2], device=KIND), torch.ones(3, device=KIND))
        return (trainer.net.table.weight - before).norm().item()

    right = moved(TrainerBoth)
    assert 0 < right < 1 and moved(Trainer) > 1000 * right
    assert abs(moved(TrainerApart, "tables") - right) < 0.1 * right
