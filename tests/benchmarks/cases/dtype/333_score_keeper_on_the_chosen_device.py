"""A score keeper detaches what it is fed, yet the network stands on the device of the command line: numpy cannot read it.

source: pytorchbearer/torchbearer#424, fastai/fastai#1939 (metrics that meet device tensors)
rules: [TL306]
"""
import argparse

import numpy as np
import torch
from torch import nn


class Keeper:
    def __init__(self):
        self.rows = {"score": [], "truth": []}

    def add(self, name, array):
        self.rows[name].append(array)

    def ranking(self):
        score, truth = (np.concatenate(self.rows[k]) for k in ("score", "truth"))
        order = np.argsort(-score)
        return truth[order].cumsum() / np.arange(1, len(order) + 1)


class Session:
    def __init__(self, argv):
        p = argparse.ArgumentParser()
        p.add_argument("--device", default="cpu")
        self.args = p.parse_args(argv)
        self.device = torch.device(self.args.device)
        self.net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1)).to(self.device)
        self.keeper = Keeper()

    def scores(self, x):
        return torch.sigmoid(self.net(x.to(self.device))).squeeze(-1)

    def feed(self, x, y):
        out = self.scores(x).detach()
        self.keeper.add("score", out.numpy())  # expect: TL306
        self.keeper.add("truth", y.numpy())  # ok: TL306

    def run(self, batches):
        for x, y in batches:
            self.feed(x, y)
        return self.keeper.ranking()


class SessionFixed(Session):
    def feed(self, x, y):
        out = self.scores(x).cpu()
        out = out.detach()
        self.keeper.add("score", out.numpy())  # ok: TL306
        self.keeper.add("truth", y.numpy())  # ok: TL306


class SessionLists(Session):
    def feed(self, x, y):
        self.keeper.add("score", np.asarray(self.scores(x).tolist()))  # ok: TL306
        self.keeper.add("truth", np.asarray(y))  # ok: TL306


def demonstrate():
    torch.manual_seed(0)
    batches = [(torch.randn(4, 3), torch.randint(0, 2, (4,))) for _ in range(2)]
    for kind in (Session, SessionFixed, SessionLists):
        assert kind([]).run(batches).shape == (8,)  # on the CPU everything works
    try:
        Session(["--device", "meta"]).run(batches)
        raise AssertionError("numpy read a device tensor")
    except TypeError as err:
        assert "Tensor.cpu()" in str(err)
