"""A trainer's method, a decorator of the project, and a generator that evaluates."""

import functools

import torch
from torch import nn


def without_gradients(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        with torch.no_grad():
            return function(*args, **kwargs)

    return inner


class Trainer:
    def __init__(self, model: nn.Module, loader):
        self.model = model
        self.loader = loader

    def validate(self):
        self.model.eval()  # expect: TL304
        total = 0.0
        for x, y in self.loader:
            total += nn.functional.mse_loss(self.model(x), y).item()  # note: TL307
        return total

    @without_gradients
    def validate_quietly(self):
        self.model.eval()  # ok: TL304
        total = 0.0
        for x, y in self.loader:
            total += nn.functional.mse_loss(self.model(x), y).item()  # note: TL307
        return total

    @torch.inference_mode()
    def predict(self):
        self.model.eval()  # ok: TL304
        return [self.model(x) for x, _ in self.loader]


def predictions(model: nn.Module, loader):
    model.eval()  # expect: TL304
    for x, _ in loader:
        yield model(x).argmax(-1)


def demonstrate():
    trainer = Trainer(nn.Linear(2, 1), [(torch.ones(1, 2), torch.ones(1, 1))])
    trainer.validate(), trainer.validate_quietly(), trainer.predict()
    list(predictions(trainer.model, trainer.loader))
