"""Accumulated training divides the loss by its window and, in the fp16 branch, casts it before it is scaled.

source: facebookresearch/pytext#581 kind (loss cast to half before the scaler); trainers with an fp16 branch in their accumulation code
rules: [TL405]
"""
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Trainer:
    def __init__(self, args, model):
        self.args, self.model = args, model.to(KIND)
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.01)
        self.scaler = torch.amp.GradScaler(KIND, enabled=args.fp16)
        self.log = []

    def loss(self, x, y):
        with torch.autocast(KIND, dtype=torch.float16, enabled=self.args.fp16):
            return F.mse_loss(self.model(x), y)

    def share(self, loss):
        raise NotImplementedError

    def train(self, batches):
        for i, (x, y) in enumerate(batches, 1):
            loss = self.share(self.loss(x, y))
            self.scaler.scale(loss).backward()
            if i % self.args.window == 0:
                self.scaler.step(self.opt)
                self.scaler.update()
                self.opt.zero_grad()


class BranchTrainer(Trainer):
    def share(self, loss):
        loss = loss / self.args.window
        return loss.half() if self.args.fp16 else loss  # expect: TL405


class NamedTrainer(Trainer):
    """The type is a setting of the run; every run of this kind sets float16."""

    compute = torch.float16

    def share(self, loss):
        return (loss / self.args.window).to(self.compute)  # expect: TL405


class WideTrainer(Trainer):
    def share(self, loss):
        return loss.float() / self.args.window  # ok: TL405


class LoggingTrainer(Trainer):
    """The narrow copy is for the log."""

    def share(self, loss):
        self.log.append(loss.detach().half())  # ok: TL405
        return loss / self.args.window


def plain_step(model, opt, x, y):
    """No scaler: a pure half run."""
    loss = F.mse_loss(model(x.half()).float(), y).half()  # ok: TL405
    loss.backward()
    opt.step()
    return loss.detach()


def demonstrate():
    def moved(cls):
        torch.manual_seed(0)
        model = nn.Linear(3, 1)
        t = cls(SimpleNamespace(fp16=True, window=2), model)
        start = model.weight.detach().clone()
        x = torch.randn(64, 3, device=KIND)
        y = torch.tensor([1.5, -1.5], device=KIND).repeat(32).unsqueeze(1)
        t.train([(x, y)] * 2)
        return not torch.equal(start, model.weight), t.scaler.get_scale()

    for cls, learns in ((BranchTrainer, False), (NamedTrainer, False), (WideTrainer, True), (LoggingTrainer, True)):
        changed, scale = moved(cls)
        assert changed is learns and (scale == 65536.0) is learns, cls
    net = nn.Linear(3, 1).half()
    assert plain_step(net, torch.optim.SGD(net.parameters(), lr=0.01), torch.randn(4, 3), torch.randn(4, 1)).isfinite()
