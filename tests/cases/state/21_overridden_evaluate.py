"""A trainer's evaluate() is guarded in the base class; a child overrides it and loses the guard.

source: OpenNMT/OpenNMT-py#1141, dmlc/dgl#745, skorch-dev/skorch#219
rules: [TL304]
"""
from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

alive: list[torch.Tensor] = []


class BaseTrainer:
    def __init__(self, model: nn.Module, data: dict):
        self.model = model
        self.data = data

    def loss(self, batch: dict, reduction: str = "mean"):
        out = self.model(batch["x"])
        return F.cross_entropy(out, batch["y"], reduction=reduction), out

    @torch.no_grad()
    def evaluate(self, split: str = "val") -> dict:
        self.model.eval()  # ok: TL304
        losses = [self.loss(b)[0] for b in self.data[split]]
        self.model.train()
        alive[:] = losses
        return {"loss": float(sum(losses)) / len(losses)}

    def fit(self, epochs: int = 1) -> None:
        opt = torch.optim.SGD(self.model.parameters(), lr=0.1)
        for _ in range(epochs):
            for b in self.data["train"]:
                opt.zero_grad()
                self.loss(b)[0].backward()
                opt.step()
            self.evaluate()


class CalibratingTrainer(BaseTrainer):
    def evaluate(self, split: str = "val"):
        net = self.model
        net.eval()  # expect: TL304
        probs, labels = [], []
        for b in self.data[split]:
            logits = net(b["x"])
            probs.append(logits.softmax(-1))
            labels.append(b["y"])
        alive[:] = probs
        conf, pred = torch.cat(probs).max(-1)
        return {"gap": float(conf.mean() - (pred == torch.cat(labels)).float().mean())}


class DelegatingTrainer(BaseTrainer):
    """Overridden too, and the loop is the guarded one of the parent."""

    def evaluate(self, split: str = "val"):
        self.model.eval()  # ok: TL304
        result = {}
        for name in (split, "train"):
            result[name] = super().evaluate(name)["loss"]
        return result


class AdaptingTrainer(BaseTrainer):
    """Test-time adaptation: evaluation in eval mode that takes gradient steps on purpose."""

    def evaluate(self, split: str = "val"):
        self.model.eval()  # ok: TL304
        opt = torch.optim.SGD(self.model.parameters(), lr=1e-3)
        hits = 0
        for b in self.data[split]:
            logits = self.model(b["x"])
            entropy = -(logits.softmax(-1) * logits.log_softmax(-1)).sum(-1).mean()
            opt.zero_grad()
            entropy.backward()
            opt.step()
            hits += int((logits.argmax(-1) == b["y"]).sum())
        return {"hits": hits}


# ---- demonstration: not part of the graded code ----
def demonstrate():
    make = lambda: [{"x": torch.randn(4, 3), "y": torch.randint(0, 2, (4,))} for _ in range(2)]
    data = {"train": make(), "val": make()}
    net = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.1), nn.Linear(4, 2))
    for cls, quiet in ((BaseTrainer, True), (CalibratingTrainer, False), (DelegatingTrainer, True)):
        alive.clear()
        cls(net, data).fit()
        assert alive and any(t.requires_grad for t in alive) is not quiet, cls
    AdaptingTrainer(net, data).fit()
