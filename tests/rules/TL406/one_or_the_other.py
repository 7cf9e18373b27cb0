"""A test of several parts is one test: what stands in its two branches never runs in one round."""

import torch
from torch import nn


class Trainer:
    def __init__(self, model: nn.Module, use_amp: bool, has_scaler: bool):
        self.model = model
        self.use_amp, self.has_scaler = use_amp, has_scaler
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu", enabled=use_amp and has_scaler)

    def run(self, loader):
        for x in loader:
            self.optimizer.zero_grad()
            loss = self.model(x).mean()
            self.scaler.scale(loss).backward()
            if self.use_amp and self.has_scaler:
                self.scaler.unscale_(self.optimizer)
                nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # ok: TL406
            if self.use_amp and self.has_scaler:
                self.scaler.step(self.optimizer)
                self.scaler.update()
            else:
                self.optimizer.step()  # ok: TL406

    def run_both(self, loader):
        for x in loader:
            self.optimizer.zero_grad()
            loss = self.model(x).mean()
            self.scaler.scale(loss).backward()
            if self.use_amp and self.has_scaler:
                self.scaler.step(self.optimizer)
                self.scaler.update()
            if self.use_amp or self.has_scaler:
                self.optimizer.step()  # expect: TL406


def demonstrate():
    loader = [torch.ones(1, 2)]
    for use_amp, has_scaler, both in ((True, True, 2), (True, False, 1), (False, False, 0)):
        counts = []
        for run, expected in ((Trainer.run, 1), (Trainer.run_both, both)):
            trainer, steps = Trainer(nn.Linear(2, 1), use_amp, has_scaler), []
            trainer.optimizer.register_step_pre_hook(lambda *args, steps=steps: steps.append(1))
            run(trainer, loader)
            counts.append((len(steps), expected))
        assert all(found == wanted for found, wanted in counts), counts
