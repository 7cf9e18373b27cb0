"""unscale_(), step() and update() must run in the same rounds: the scaler remembers them until the update."""
import math

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def skipped_with_the_step(model, optimizer, scaler, batches):
    for batch in batches:
        scaler.scale(model(batch).square().mean()).backward()
        scaler.unscale_(optimizer)
        norm = clip_grad_norm_(model.parameters(), 1.0)
        if math.isfinite(norm):
            scaler.step(optimizer)
            scaler.update()  # expect: TL406
        optimizer.zero_grad()


def left_early(model, optimizer, scaler, batches):
    for batch in batches:
        scaler.scale(model(batch).square().mean()).backward()
        scaler.unscale_(optimizer)
        if not torch.isfinite(clip_grad_norm_(model.parameters(), 1.0)):
            optimizer.zero_grad()
            continue
        scaler.step(optimizer)
        scaler.update()  # expect: TL406


def skipped_by_a_flag(model, optimizer, scaler, batches, limit):
    for batch in batches:
        scaler.scale(model(batch).square().mean()).backward()
        skip = False
        scaler.unscale_(optimizer)
        norm = clip_grad_norm_(model.parameters(), 1.0)
        if norm > limit:
            skip = True
        if not skip:
            scaler.step(optimizer)
            scaler.update()  # expect: TL406


def updated_all_the_same(model, optimizer, scaler, batches):
    for batch in batches:
        scaler.scale(model(batch).square().mean()).backward()
        scaler.unscale_(optimizer)
        if math.isfinite(clip_grad_norm_(model.parameters(), 1.0)):
            scaler.step(optimizer)
        scaler.update()  # ok: TL406  unscale_() has looked at the gradients


def updated_before_leaving(model, optimizer, scaler, batches):
    for batch in batches:
        scaler.scale(model(batch).square().mean()).backward()
        scaler.unscale_(optimizer)
        if not torch.isfinite(clip_grad_norm_(model.parameters(), 1.0)):
            scaler.update()  # ok: TL406
            optimizer.zero_grad()
            continue
        scaler.step(optimizer)
        scaler.update()  # ok: TL406


def left_before_unscaling(model, optimizer, scaler, batches):
    for batch in batches:
        loss = model(batch).square().mean()
        if not torch.isfinite(loss):
            continue
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)  # ok: TL406
        scaler.step(optimizer)
        scaler.update()  # ok: TL406


def unscaled_too_often(model, optimizer, scaler, batches, accumulate):
    for index, batch in enumerate(batches):
        scaler.scale(model(batch).square().mean()).backward()
        scaler.unscale_(optimizer)  # expect: TL406
        if (index + 1) % accumulate == 0:
            scaler.step(optimizer)
            scaler.update()  # ok: TL406
            optimizer.zero_grad()


def updated_too_often(model, optimizer, scaler, batches, accumulate):
    for index, batch in enumerate(batches):
        scaler.scale(model(batch).square().mean()).backward()
        if (index + 1) % accumulate == 0:
            scaler.step(optimizer)
            optimizer.zero_grad()
        scaler.update()  # expect: TL406


def updated_too_rarely(model, optimizer, scaler, batches, accumulate):
    for index, batch in enumerate(batches):
        scaler.scale(model(batch).square().mean()).backward()
        scaler.step(optimizer)  # expect: TL406
        if (index + 1) % accumulate == 0:
            scaler.update()


def in_one_test(model, optimizer, scaler, batches, accumulate):
    for index, batch in enumerate(batches):
        scaler.scale(model(batch).square().mean()).backward()
        if (index + 1) % accumulate == 0 or index + 1 == len(batches):
            scaler.unscale_(optimizer)  # ok: TL406
            clip_grad_norm_(model.parameters(), 1.0)  # ok: TL406
        if (index + 1) % accumulate == 0 or index + 1 == len(batches):
            scaler.step(optimizer)
            scaler.update()  # ok: TL406


def by_the_settings(args, model, optimizer, scaler, batch):
    scaler.scale(model(batch).square().mean()).backward()
    if args.clip:
        scaler.unscale_(optimizer)  # ok: TL406
    if args.train:
        scaler.step(optimizer)
        scaler.update()  # ok: TL406  the same in every round


def demonstrate():
    def run(train, batches, *more):
        torch.manual_seed(0)
        model = nn.Linear(4, 1)
        train(model, torch.optim.SGD(model.parameters(), lr=0.1), torch.amp.GradScaler("cpu"), batches, *more)

    bad = [torch.full((2, 4), float("inf")), torch.randn(2, 4), torch.randn(2, 4)]
    good = [torch.randn(2, 4) for _ in range(4)]
    for train in (updated_all_the_same, updated_before_leaving, left_before_unscaling):
        run(train, bad)
    run(in_one_test, good, 2)
    faults = [
        (skipped_with_the_step, bad),
        (left_early, bad),
        (skipped_by_a_flag, good, 1e-9),
        (unscaled_too_often, good, 2),
        (updated_too_often, good, 2),
        (updated_too_rarely, good, 2),
    ]
    for train, *given in faults:
        try:
            run(train, *given)
        except (RuntimeError, AssertionError) as error:
            assert "update" in str(error)
            continue
        raise AssertionError(f"{train.__name__} ran")
