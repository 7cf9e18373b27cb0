"""Clipping looks at gradients that still carry the scale, unless unscale_() may have run on the way."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def on_one_path(args, model, optimizer, scaler, batch):
    loss = model(batch).square().mean()
    if args.amp:
        scaler.scale(loss).backward()
        if args.clip > 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)  # expect: TL406
        scaler.step(optimizer)
        scaler.update()
    else:
        loss.backward()
        if args.clip > 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)  # ok: TL406  no scale on this path
        optimizer.step()  # ok: TL406


def common_to_both_paths(args, model, optimizer, scaler, batch):
    loss = model(batch).square().mean()
    if scaler is not None:
        scaler.scale(loss).backward()
    else:
        loss.backward()
    clip_grad_norm_(model.parameters(), 1.0)  # expect: TL406
    if scaler is not None:
        scaler.step(optimizer)
        scaler.update()
    else:
        optimizer.step()  # ok: TL406  the other branch of the same test


def accumulated(model, optimizer, batches, accumulate=4):
    scaler = torch.amp.GradScaler("cpu")
    for index, batch in enumerate(batches):
        scaler.scale(model(batch).square().mean() / accumulate).backward()
        if (index + 1) % accumulate == 0:
            nn.utils.clip_grad_value_(model.parameters(), 0.5)  # expect: TL406
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()


def too_late(model, optimizer, scaler, batch):
    scaler.scale(model(batch).square().mean()).backward()
    clip_grad_norm_(model.parameters(), 1.0)  # expect: TL406
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()


def by_hand(model, optimizer, scaler, batch):
    scaler.scale(model(batch).square().mean()).backward()
    for p in model.parameters():
        p.grad.data.clamp_(-0.1, 0.1)  # expect: TL406
    scaler.step(optimizer)
    scaler.update()


def unscaled(model, optimizer, scaler, batch):
    scaler.scale(model(batch).square().mean()).backward()
    scaler.unscale_(optimizer)
    clip_grad_norm_(model.parameters(), 1.0)  # ok: TL406
    scaler.step(optimizer)
    scaler.update()


def unscaled_where_it_is_on(args, model, optimizer, scaler, batch):
    scaler.scale(model(batch).square().mean()).backward()
    if args.use_amp:
        scaler.unscale_(optimizer)
    clip_grad_norm_(model.parameters(), 1.0)  # ok: TL406  the two tests may say the same
    scaler.step(optimizer)
    scaler.update()


def measured(model, optimizer, scaler, batch):
    scaler.scale(model(batch).square().mean()).backward()
    norm = clip_grad_norm_(model.parameters(), float("inf"))  # ok: TL406  takes the norm, clips nothing
    scaler.step(optimizer)
    scaler.update()
    return norm / scaler.get_scale()


def by_the_greatest_part(model, optimizer, scaler, batch):
    scaler.scale(model(batch).square().mean()).backward()
    clip_grad_norm_(model.parameters(), 1.0, norm_type=float("inf"))  # expect: TL406
    clip_grad_norm_(model.parameters(), 1.0, torch.inf)  # expect: TL406
    scaler.step(optimizer)
    scaler.update()


def rescaled_by_hand(model, optimizer, scaler, batch):
    scaler.scale(model(batch).square().mean()).backward()
    factor = 1.0 / scaler.get_scale()
    for p in model.parameters():
        p.grad.mul_(factor)
    clip_grad_norm_(model.parameters(), 1.0)  # ok: TL406
    optimizer.step()  # ok: TL406


def in_a_closure(model, optimizer, scaler, batch):
    def backward():
        loss = model(batch).square().mean()
        scaler.scale(loss).backward()
        return loss

    backward()
    clip_grad_norm_(model.parameters(), 1.0)  # expect: TL406
    scaler.step(optimizer)
    scaler.update()


def by_name(args, model, optimizer, scaler, loss):
    if args.backend == "native":
        scaler.scale(loss).backward()
    elif args.backend == "apex":
        args.amp.backward(loss, optimizer)
    if args.backend == "apex":
        clip_grad_norm_(model.parameters(), 1.0)  # ok: TL406  not the backend that scales
    if args.backend == "native":
        scaler.step(optimizer)
        scaler.update()


def switched_off(model, optimizer, batch):
    scaler = torch.amp.GradScaler("cpu", enabled=False)
    scaler.scale(model(batch).square().mean()).backward()
    clip_grad_norm_(model.parameters(), 1.0)  # ok: TL406  the scale is 1
    scaler.step(optimizer)
    scaler.update()


def prepared(accelerator, model, optimizer, batch):
    accelerator.backward(model(batch).square().mean())
    accelerator.clip_grad_norm_(model.parameters(), 1.0)  # ok: TL406  accelerate unscales
    optimizer.step()  # ok: TL406


def demonstrate():
    def moved(train, *more):
        torch.manual_seed(0)
        model = nn.Linear(4, 1)
        start = model.weight.detach().clone()
        train(model, torch.optim.SGD(model.parameters(), lr=1.0), torch.amp.GradScaler("cpu"), torch.randn(8, 4))
        return (model.weight - start).norm().item()

    right = moved(unscaled)
    assert moved(too_late) < right / 1000
    assert moved(by_hand) < right / 1000
    assert moved(in_a_closure) < right / 1000
    assert abs(moved(rescaled_by_hand) - right) < 1e-3
    assert moved(measured) > right / 10
