"""The calls stand in methods and helpers; unscale_() in any of them counts."""
import torch
from torch import nn


class Trainer:
    def __init__(self, model, clip=1.0):
        self.model, self.clip = model, clip
        self.optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
        self.grad_scaler = torch.amp.GradScaler("cpu")

    def fit(self, batches):
        for batch in batches:
            self._backward(self.model(batch).square().mean())
            self._clip()
            self._step()

    def _backward(self, loss):
        self.grad_scaler.scale(loss).backward()

    def _clip(self):
        nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)  # expect: TL406

    def _step(self):
        self.grad_scaler.step(self.optimizer)
        self.grad_scaler.update()


class Careful(Trainer):
    def fit(self, batches):
        for batch in batches:
            self._backward(self.model(batch).square().mean())
            self._unscale()
            self._shorten()
            self._step()

    def _unscale(self):
        self.grad_scaler.unscale_(self.optimizer)

    def _shorten(self):
        nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)  # ok: TL406


def clip_gradients(parameters, limit):
    nn.utils.clip_grad_value_(parameters, limit)


def train_step(model, optimizer, scaler, batch):
    scaler.scale(model(batch).square().mean()).backward()
    clip_gradients(model.parameters(), 0.1)  # expect: TL406
    scaler.step(optimizer)
    scaler.update()


class WholeProtocol:
    """The scaler and what is done with it, as a callable."""

    def __init__(self):
        self._scaler = torch.amp.GradScaler("cpu")

    def __call__(self, loss, optimizer, clip=None, parameters=None, last=True):
        self._scaler.scale(loss).backward()
        if last:
            if clip is not None:
                self._scaler.unscale_(optimizer)
                norm = nn.utils.clip_grad_norm_(parameters, clip)  # ok: TL406
            else:
                self._scaler.unscale_(optimizer)
                norm = None
            self._scaler.step(optimizer)
            self._scaler.update()
        else:
            norm = None
        return norm


def demonstrate():
    def moved(trainer, given):
        torch.manual_seed(0)
        model = nn.Linear(4, 1)
        start = model.weight.detach().clone()
        trainer(model).fit(given)
        return (model.weight - start).norm().item()

    batches = torch.randn(1, 8, 4)
    assert moved(Trainer, batches) < moved(Careful, batches) / 1000
