"""A raw step of the optimizer uses scaled gradients; a scaler's step needs an update before the next one."""
import torch
from torch import nn


def raw_step(model, optimizer, scaler, batch):
    loss = model(batch).square().mean()
    scaler.scale(loss).backward()
    optimizer.step()  # expect: TL406
    scaler.update()


def raw_step_for_both(args, model, batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu")
    for batch in batches:
        loss = model(batch).square().mean()
        if args.fp16:
            scaler.scale(loss).backward()
        else:
            loss.backward()
        optimizer.step()  # expect: TL406


def stepped_twice(model, optimizer, scaler, batch):
    scaler.scale(model(batch).square().mean()).backward()
    scaler.step(optimizer)
    scaler.update()
    optimizer.step()  # expect: TL406


def by_the_branch(args, model, optimizer, scheduler, scaler, batch):
    loss = model(batch).square().mean()
    if args.fp16:
        scaler.scale(loss).backward()
    else:
        loss.backward()
    if scaler is not None:
        scaler.step(optimizer)
        scaler.update()
    else:
        optimizer.step()  # ok: TL406
    scheduler.step()  # ok: TL406


def unscaled_by_hand(model, optimizer, scaler, batch):
    scaler.scale(model(batch).square().mean()).backward()
    scaler.unscale_(optimizer)
    optimizer.step()  # ok: TL406  the gradients are right
    scaler.update()


def left_early(args, model, optimizer, scaler, batch):
    loss = model(batch).square().mean()
    if args.fp16:
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        return
    loss.backward()
    optimizer.step()  # ok: TL406


class Both:
    """A stand-in for the scaler, so that the loop needs no branches."""

    def scale(self, loss):
        return loss

    def step(self, optimizer):
        optimizer.step()

    def update(self):
        pass


def with_a_stand_in(model, optimizer, batch):
    scaler = Both()
    scaler.scale(model(batch).square().mean()).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # ok: TL406
    scaler.step(optimizer)  # ok: TL406


def with_the_whole_protocol(loss_scaler, model, optimizer, batch):
    loss_scaler(model(batch).square().mean(), optimizer, parameters=model.parameters())
    optimizer.step()  # ok: TL406  nobody knows what the callable leaves to do


def demonstrate():
    def moved(train):
        torch.manual_seed(0)
        model = nn.Linear(4, 1)
        start = model.weight.detach().clone()
        scaler = torch.amp.GradScaler("cpu")
        try:
            train(model, torch.optim.SGD(model.parameters(), lr=0.1), scaler, torch.randn(8, 4))
        except AssertionError as error:
            assert "No inf checks" in str(error)
        return (model.weight - start).norm().item()

    right = moved(unscaled_by_hand)
    assert 0 < right < 10
    assert moved(raw_step) > 1000 * right
    assert moved(stepped_twice) > 1.5 * right
