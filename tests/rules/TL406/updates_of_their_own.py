"""An update that another function of the file runs helps only a loop that may reach it between two steps."""

import torch
from torch import nn


def forgets(model, optimizer, scaler, batches):
    for batch in batches:
        scaler.scale(model(batch).square().mean()).backward()
        scaler.step(optimizer)  # expect: TL406
        optimizer.zero_grad()


def close(scaler, optimizers):
    for optimizer in optimizers:
        scaler.step(optimizer)  # ok: TL406  one for each optimizer
    scaler.update()


def closes(model, optimizer, scaler, batches):
    for batch in batches:
        scaler.scale(model(batch).square().mean()).backward()
        close(scaler, [optimizer])


class Whole:
    """The call holds the whole protocol, for whoever makes one."""

    def __init__(self):
        self.scaler = torch.amp.GradScaler("cpu")

    def __call__(self, loss, optimizer):
        self.scaler.scale(loss).backward()
        self.scaler.step(optimizer)
        self.scaler.update()


class Hooks:
    def __init__(self, scaler):
        self.scaler = scaler

    def after_step(self):
        self.scaler.update()


def told(model, optimizer, scaler, batches, hooks):
    for batch in batches:
        scaler.scale(model(batch).square().mean()).backward()
        scaler.step(optimizer)  # ok: TL406
        for hook in hooks:
            hook.after_step()


def told_by_name(model, optimizer, scaler, batches, fire):
    for batch in batches:
        scaler.scale(model(batch).square().mean()).backward()
        scaler.step(optimizer)  # ok: TL406
        fire("after_step")


def handed_on(model, optimizer, scaler, batches, finish):
    for batch in batches:
        scaler.scale(model(batch).square().mean()).backward()
        scaler.step(optimizer)  # ok: TL406
        finish(scaler)


def handed_out(model, optimizer, scaler, batches):
    for batch in batches:
        scaler.scale(model(batch).square().mean()).backward()
        scaler.step(optimizer)  # ok: TL406  who takes the next one may update
        yield batch


def first_of_two(model, optimizer, scaler, batch):
    scaler.scale(model(batch).square().mean()).backward()
    scaler.step(optimizer)  # ok: TL406  the second one updates


def second_of_two(model, optimizer, scaler, batch):
    scaler.scale(model(batch).square().mean()).backward()
    scaler.step(optimizer)
    scaler.update()


def both(models, optimizers, scaler, batches):
    for batch in batches:
        first_of_two(models[0], optimizers[0], scaler, batch)
        second_of_two(models[1], optimizers[1], scaler, batch)


def demonstrate():
    torch.manual_seed(0)

    def parts():
        model = nn.Linear(4, 1)
        return model, torch.optim.SGD(model.parameters(), lr=0.1), torch.amp.GradScaler("cpu")

    try:
        forgets(*parts(), torch.randn(2, 8, 4))
        raise AssertionError("two steps without an update")
    except RuntimeError as error:
        assert "since the last update" in str(error)
    closes(*parts(), torch.randn(3, 8, 4))
    model, optimizer, scaler = parts()
    whole = Whole()
    for batch in torch.randn(2, 8, 4):
        whole(model(batch).square().mean(), optimizer)
    told(model, optimizer, scaler, torch.randn(3, 8, 4), [Hooks(scaler)])
    told_by_name(model, optimizer, scaler, torch.randn(3, 8, 4), lambda name: getattr(Hooks(scaler), name)())
    handed_on(model, optimizer, scaler, torch.randn(3, 8, 4), lambda one: one.update())
    for _ in handed_out(model, optimizer, scaler, torch.randn(3, 8, 4)):
        scaler.update()
    other, second, _ = parts()
    both((model, other), (optimizer, second), scaler, torch.randn(3, 8, 4))
