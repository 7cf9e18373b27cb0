"""A criterion that the trainer keeps brings its terms to half before it adds them up; the sum is scaled."""

import torch
import torch.nn.functional as F
from torch import nn


class Stacked:
    shares = (1.0, 0.5)

    def terms(self, out, wanted):
        return F.mse_loss(out, wanted), out.square().mean()

    def gathered(self, terms):
        return torch.stack([share * term.to(torch.float16) for share, term in zip(self.shares, terms)]).sum()  # expect: TL405

    def __call__(self, out, wanted):
        return self.gathered(self.terms(out, wanted))


class Added:
    def __call__(self, out, wanted):
        return sum(term.half() for term in (F.mse_loss(out, wanted), out.square().mean()))  # expect: TL405


class Wide:
    def __call__(self, out, wanted):
        terms = [F.mse_loss(out, wanted), out.square().mean()]
        self.seen = [term.half().item() for term in terms]  # ok: TL405  for the report
        return torch.stack([term.float() for term in terms]).mean()  # ok: TL405


class Trainer:
    def __init__(self, net: nn.Module):
        self.net = net
        self.stacked, self.added, self.wide = Stacked(), Added(), Wide()
        self.scaler = torch.amp.GradScaler("cpu")

    def loss(self, criterion, x, wanted):
        return criterion(self.net(x).float(), wanted)

    def step(self, x, wanted):
        self.scaler.scale(self.stacked(self.net(x), wanted)).backward()
        self.scaler.scale(self.added(self.net(x), wanted)).backward()
        self.scaler.scale(self.wide(self.net(x), wanted)).backward()
