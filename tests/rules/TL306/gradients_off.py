"""With gradients off numpy() takes an output on the CPU, also where a caller or a framework switches them off."""
import torch
from torch import nn


@torch.no_grad()
def by_decorator(model, x):
    return model(x).numpy()  # ok: TL306


def by_block(model, x):
    with torch.no_grad():
        out = model(x)
    return out.numpy()  # ok: TL306


def helper(model, x):
    return model(x).numpy()  # ok: TL306  its only caller switches gradients off


def caller(model, x):
    with torch.inference_mode():
        return helper(model, x)


def block_around_the_wrong_line(model, x):
    with torch.no_grad():
        x = x * 2
    return model(x).numpy()  # expect: TL306


class Task(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(2, 2)

    def validation_step(self, batch, index):
        return self.encoder(batch).numpy()  # ok: TL306  the framework switches gradients off

    def training_step(self, batch, index):
        out = self.encoder(batch)
        self.record(out.numpy())  # expect: TL306
        return out.sum()

    def record(self, rows):
        self.rows = rows


def demonstrate():
    model, x, task = nn.Linear(2, 2), torch.ones(1, 2), Task()
    by_decorator(model, x), by_block(model, x), caller(model, x)
    with torch.no_grad():
        task.validation_step(x, 0)
    for function in (lambda: block_around_the_wrong_line(model, x), lambda: task.training_step(x, 0)):
        try:
            function()
        except RuntimeError as error:
            assert "requires grad" in str(error)
        else:
            raise AssertionError("numpy took a tensor that requires grad")
