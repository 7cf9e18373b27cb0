"""A state taken under averaged weights is saved after the raw ones were copied back."""

from contextlib import contextmanager

import torch
from torch import nn


class InPlace:
    def __init__(self, model: nn.Module):
        self.model = model
        self.shadow = {name: p.detach().clone() for name, p in model.named_parameters()}
        self.backup = {}

    @torch.no_grad()
    def apply(self) -> None:
        for name, p in self.model.named_parameters():
            self.backup[name] = p.detach().clone()  # ok: TL116
            p.copy_(self.shadow[name])

    @torch.no_grad()
    def restore(self) -> None:
        for name, p in self.model.named_parameters():
            p.copy_(self.backup[name])

    @contextmanager
    def averaged(self):
        self.apply()
        yield
        self.restore()


class Rebinding:
    def __init__(self, model: nn.Module):
        self.model = model
        self.shadow = {name: p.detach().clone() for name, p in model.named_parameters()}
        self.backup = {}

    def apply(self) -> None:
        for name, p in self.model.named_parameters():
            self.backup[name] = p.data  # ok: TL116  the parameter gets another tensor
            p.data = self.shadow[name]

    def restore(self) -> None:
        for name, p in self.model.named_parameters():
            p.data = self.backup[name]


class Trainer:
    def __init__(self, model: nn.Module):
        self.model = model
        self.ema = InPlace(model)
        self.rebinding = Rebinding(model)

    def save(self, path: str) -> None:
        self.ema.apply()
        state = {"ema": self.model.state_dict()}  # expect: TL116
        self.ema.restore()
        torch.save(state, path)

    def save_first(self, path: str) -> None:
        self.ema.apply()
        torch.save({"ema": self.model.state_dict()}, path)  # ok: TL116  written before the raw weights come back
        self.ema.restore()

    def save_rebinding(self, path: str) -> None:
        self.rebinding.apply()
        state = {"ema": self.model.state_dict()}  # ok: TL116  it keeps the averaged tensors
        self.rebinding.restore()
        torch.save(state, path)

    def save_after_the_block(self, path: str) -> None:
        with self.ema.averaged():
            state = self.model.state_dict()  # expect: TL116
        torch.save(state, path)

    def save_inside_the_block(self, path: str) -> None:
        with self.ema.averaged():
            state = self.model.state_dict()  # ok: TL116
            torch.save(state, path)
