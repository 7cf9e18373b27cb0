"""A script converts its model and hands it to a trainer, which brings the optimizer, the region and the scaler."""

import copy

import torch
from torch import nn


class Fitter:
    def __init__(self, epochs: int = 1, mixed: bool = True):
        self.epochs = epochs
        self.scaler = torch.amp.GradScaler("cpu", init_scale=8.0, enabled=mixed)

    def fit(self, model: nn.Module, batches):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(self.epochs):
            for x in batches:
                with torch.autocast("cpu", dtype=torch.bfloat16):
                    loss = model(x).float().square().mean()
                self.scaler.scale(loss).backward()
                self.scaler.step(optimizer)
                self.scaler.update()
        return model


class Session:
    """Holds the model and its optimizer from the start."""

    def __init__(self, net: nn.Module):
        self.net = net
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=8.0)

    def run(self, batches):
        for x in batches:
            with torch.autocast("cpu", dtype=torch.bfloat16):
                loss = self.net(x).float().square().mean()
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()


def half_for_a_fitter(batches):
    model = nn.Linear(3, 1)
    model.half()  # expect: TL404
    return Fitter().fit(model, batches)


def part_for_a_fitter(batches):
    model = nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 1))
    model[1] = model[1].to(torch.float16)  # expect: TL404
    Fitter(epochs=2).fit(model, batches)


def half_for_a_session(batches):
    net = nn.Linear(3, 1).half()  # expect: TL404
    session = Session(net)
    session.run(batches)


def half_when_done(batches):
    model = Fitter().fit(nn.Linear(3, 1), batches)
    return copy.deepcopy(model).half()  # ok: TL404  a copy to be served


def half_of_another(batches):
    features = nn.Linear(3, 3).half()  # ok: TL404  the session trains the head
    head = nn.Linear(3, 1)
    Session(head).run([features(x.half()).float().detach() for x in batches])


def frozen_and_half(batches):
    body = nn.Linear(3, 3).requires_grad_(False)
    body.half()  # ok: TL404  nothing of it is trained
    Fitter().fit(nn.Sequential(body, nn.Linear(3, 1)), batches)


def made_by_the_caller(build, options, batches):
    model = build(options)
    if options["half"]:
        model = model.half()  # expect: TL404
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu")
    for x in batches:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = model(x).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


def features_made_by_the_caller(build, options, batches):
    features = build(options)
    features = features.half()  # ok: TL404  nobody asks for its parameters
    head = nn.Linear(3, 1)
    Session(head).run([features(x).float() for x in batches])
