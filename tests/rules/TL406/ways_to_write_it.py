"""The objects of the protocol in dicts and lists, clipping as a partial or by a factor, a loop for each optimizer."""

from functools import partial

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def state_of(model):
    return {
        "model": model,
        "optimizer": torch.optim.SGD(model.parameters(), lr=1.0),
        "scaler": torch.amp.GradScaler("cpu"),
    }


def scaler_for(precision):
    return torch.amp.GradScaler("cpu") if precision == "fp16" else None


def by_a_helper(model, batch):
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    scaler = scaler_for("fp16")
    scaler.scale(model(batch).square().mean()).backward()
    clip_grad_norm_(model.parameters(), 1.0)  # expect: TL406
    scaler.step(optimizer)
    scaler.update()


class Rows:
    def scale(self, rows):
        return rows / 2

    def step(self, optimizer):
        optimizer.step()


def rows_for(precision):
    return Rows() if precision == "fp16" else None


def another_scaler(model, batch):
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    scaler = rows_for("fp16")
    scaler.scale(model(batch).square().mean()).backward()
    clip_grad_norm_(model.parameters(), 1.0)  # ok: TL406  halves the rows, and has no protocol
    scaler.step(optimizer)  # ok: TL406


def in_a_dict(model, batch):
    state = state_of(model)
    state["scaler"].scale(state["model"](batch).square().mean()).backward()
    clip_grad_norm_(state["model"].parameters(), 1.0)  # expect: TL406
    state["scaler"].step(state["optimizer"])
    state["scaler"].update()


def in_a_dict_unscaled(model, batch):
    state = state_of(model)
    state["scaler"].scale(state["model"](batch).square().mean()).backward()
    state["scaler"].unscale_(state["optimizer"])
    clip_grad_norm_(state["model"].parameters(), 1.0)  # ok: TL406
    state["scaler"].step(state["optimizer"])
    state["scaler"].update()


def as_a_partial(model, batch):
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    scaler = torch.amp.GradScaler("cpu")
    clip = partial(clip_grad_norm_, max_norm=1.0)

    def step(rows):
        scaler.scale(model(rows).square().mean()).backward()
        clip(model.parameters())  # expect: TL406
        scaler.step(optimizer)
        scaler.update()

    step(batch)


def by_a_factor(model, batch):
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    scaler = torch.amp.GradScaler("cpu")
    scaler.scale(model(batch).square().mean()).backward()
    norm = torch.sqrt(sum(p.grad.pow(2).sum() for p in model.parameters()))
    for p in model.parameters():
        p.grad.mul_(1.0 / norm)  # expect: TL406
    scaler.step(optimizer)
    scaler.update()


def by_the_scale(model, batch):
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    scaler = torch.amp.GradScaler("cpu")
    scaler.scale(model(batch).square().mean()).backward()
    inv_scale = 1.0 / scaler.get_scale()
    for p in model.parameters():
        p.grad.mul_(inv_scale)  # ok: TL406  undoes the scale
    clip_grad_norm_(model.parameters(), 1.0)  # ok: TL406
    optimizer.step()  # ok: TL406


def several(model, batch):
    networks = [model, nn.Linear(4, 1)]
    optimizers = [torch.optim.SGD(network.parameters(), lr=1.0) for network in networks]
    scaler = torch.amp.GradScaler("cpu")
    scaler.scale(sum(network(batch).square().mean() for network in networks)).backward()
    for network in networks:
        clip_grad_norm_(network.parameters(), 1.0)  # expect: TL406
    for optimizer in optimizers:
        scaler.step(optimizer)
    scaler.update()


def several_unscaled(model, batch):
    networks = [model, nn.Linear(4, 1)]
    optimizers = [torch.optim.SGD(network.parameters(), lr=1.0) for network in networks]
    scaler = torch.amp.GradScaler("cpu")
    scaler.scale(sum(network(batch).square().mean() for network in networks)).backward()
    for optimizer in optimizers:
        scaler.unscale_(optimizer)
    for network in networks:
        clip_grad_norm_(network.parameters(), 1.0)  # ok: TL406
    for optimizer in optimizers:
        scaler.step(optimizer)  # ok: TL406
    scaler.update()  # ok: TL406


def demonstrate():
    def moved(train):
        torch.manual_seed(0)
        model = nn.Linear(4, 1)
        start = model.weight.detach().clone()
        train(model, torch.randn(8, 4))
        return (model.weight - start).norm().item()

    right = moved(in_a_dict_unscaled)
    for train in (by_a_helper, in_a_dict, as_a_partial, by_a_factor, several):
        assert moved(train) < right / 1000, train
    for train in (another_scaler, by_the_scale, several_unscaled):
        assert moved(train) > right / 10, train
