"""Whether a round steps is decided by a helper, a property or a counter of the object: still another answer each round."""

import torch
from torch import nn


class Cadence:
    def __init__(self, period):
        self.period, self.rounds = period, 0

    @property
    def is_due(self):
        self.rounds += 1
        return self.rounds % self.period == 0


def largest(model):
    return torch.cat([p.grad.flatten() for p in model.parameters()]).abs().max()


def is_broken(model):
    for parameter in model.parameters():
        if not torch.isfinite(parameter.grad).all():
            return True
    return False


def size_of(model):
    return torch.stack([p.grad.norm() for p in model.parameters()]).norm()


class ByProperty:
    def __init__(self, model, optimizer, scaler):
        self.model, self.optimizer, self.scaler = model, optimizer, scaler
        self.cadence = Cadence(2)

    def run(self, batches):
        for batch in batches:
            self.scaler.scale(self.model(batch).square().mean()).backward()
            if self.cadence.is_due:
                self.scaler.step(self.optimizer)
                self.optimizer.zero_grad()
            self.scaler.update()  # expect: TL406

    def run_together(self, batches):
        for batch in batches:
            self.scaler.scale(self.model(batch).square().mean()).backward()
            if self.cadence.is_due:
                self.scaler.step(self.optimizer)
                self.scaler.update()  # ok: TL406
                self.optimizer.zero_grad()


class ByCounter:
    def __init__(self, model, optimizer, scaler):
        self.model, self.optimizer, self.scaler, self.pending = model, optimizer, scaler, 0

    def run(self, batches):
        for batch in batches:
            self.scaler.scale(self.model(batch).square().mean()).backward()
            self.pending += 1
            if self.pending >= 2:
                self.scaler.step(self.optimizer)
                self.pending = 0
            self.scaler.update()  # expect: TL406


def left_by_norm(model, optimizer, scaler, batches):
    for batch in batches:
        scaler.scale(model(batch).square().mean()).backward()
        scaler.unscale_(optimizer)
        if size_of(model) > 0.001:
            continue
        scaler.step(optimizer)
        scaler.update()  # expect: TL406


def left_by_answer(model, optimizer, scaler, batches):
    for batch in batches:
        scaler.scale(model(batch / 0.0).square().mean()).backward()
        scaler.unscale_(optimizer)
        if not is_broken(model):
            scaler.step(optimizer)
            scaler.update()  # expect: TL406


def updated_anyway(model, optimizer, scaler, batches):
    for batch in batches:
        scaler.scale(model(batch).square().mean()).backward()
        scaler.unscale_(optimizer)
        if not is_broken(model):
            scaler.step(optimizer)
        scaler.update()  # ok: TL406


class Options:
    def __init__(self, scaled):
        self.scaled = scaled

    @property
    def uses_scaler(self):
        return self.scaled and torch.cuda.is_available()

    def wants(self, name):
        return any(name == one for one in ("step", "update"))


def by_setting(model, optimizer, scaler, batches, options):
    options = Options(True)
    for batch in batches:
        scaler.scale(model(batch).square().mean()).backward()
        if options.uses_scaler:
            scaler.step(optimizer)
        if options.wants("update"):
            scaler.update()  # ok: TL406  the same answer in every round


def demonstrate():
    torch.manual_seed(0)

    def parts():
        model = nn.Linear(4, 1)
        return model, torch.optim.SGD(model.parameters(), lr=0.1), torch.amp.GradScaler("cpu")

    for broken in (ByProperty(*parts()).run, ByCounter(*parts()).run):
        try:
            broken(torch.randn(2, 8, 4))
            raise RuntimeError("an update without a step")
        except AssertionError as error:
            assert "No inf checks" in str(error)
    ByProperty(*parts()).run_together(torch.randn(4, 8, 4))
    for broken in (left_by_norm, left_by_answer):
        try:
            broken(*parts(), torch.randn(2, 8, 4))
            raise AssertionError("unscale_() ran twice")
        except RuntimeError as error:
            assert "already been called" in str(error)
    updated_anyway(*parts(), torch.randn(3, 8, 4))
