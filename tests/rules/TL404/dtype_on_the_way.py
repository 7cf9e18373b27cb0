"""The dtype comes from a property, a method or the keywords of a call; the modules from a list, a loop or a loader."""

from itertools import chain

import torch
from torch import nn

KINDS = {"fp16": torch.float16, "no": torch.float32}


class Run:
    kinds = KINDS

    def __init__(self, precision="fp16"):
        self.precision = precision
        self.parts = {"body": nn.Linear(2, 2), "head": nn.Linear(2, 1)}
        self.place()
        params = chain.from_iterable(self.parts[name].parameters() for name in ("body", "head"))
        self.opt = torch.optim.SGD(params, lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=4.0)

    def place(self):
        pass

    @property
    def low(self):
        return self.kinds[self.precision]

    def wanted(self):
        return torch.float16 if self.precision == "fp16" else torch.float32

    def step(self, x):
        with torch.autocast("cpu", dtype=torch.float16):
            loss = self.parts["head"](self.parts["body"](x)).float().square().mean()
        self.scaler.scale(loss).backward()
        self.scaler.step(self.opt)
        self.scaler.update()


class ByProperty(Run):
    def place(self):
        self.parts["body"].to(dtype=self.low)  # expect: TL404


class ByMethod(Run):
    def place(self):
        self.parts["body"].to(self.wanted())  # expect: TL404


class ByKeywords(Run):
    def place(self):
        self.put(device="cpu", dtype=torch.float16)

    def put(self, **where):
        for part in self.parts.values():
            part.to(**where)  # expect: TL404


class OnlyMoved(Run):
    def place(self):
        for part in self.parts.values():
            part.to(device="cpu")  # ok: TL404


class Lifted(Run):
    def place(self):
        for part in self.parts.values():
            part.to(self.low)  # ok: TL404
            part.float()


def in_a_comprehension(x):
    nets = [net.half() for net in (nn.Linear(2, 2), nn.Linear(2, 1))]  # expect: TL404
    opt = torch.optim.SGD([p for net in nets for p in net.parameters()], lr=0.1)
    scaled(nets[0], opt, x)


def in_a_list(x):
    nets = [nn.Linear(2, 2), nn.Linear(2, 1)]
    for net in nets:
        net.half()  # expect: TL404
    opt = torch.optim.SGD(chain(*(net.parameters() for net in nets)), lr=0.1)
    scaled(nets[0], opt, x)


def one_of_two(x, base, adapter):
    base.requires_grad_(False)
    for net in (base, adapter):
        net.to(torch.float16)  # expect: TL404
    scaled(adapter, torch.optim.SGD(adapter.parameters(), lr=0.1), x)


def frozen_of_two(x, base, adapter):
    base.requires_grad_(False)
    for net in (base,):
        net.to(torch.float16)  # ok: TL404
    scaled(adapter, torch.optim.SGD(adapter.parameters(), lr=0.1), x)


def added_later(x, first):
    net = nn.Linear(2, 2).half()  # expect: TL404
    opt = torch.optim.SGD(first.parameters(), lr=0.1)
    opt.add_param_group({"params": net.parameters()})
    scaled(net, opt, x)


def built_so(x):
    net = nn.Linear(2, 2, dtype=torch.float16)  # expect: TL404
    scaled(net, torch.optim.SGD(net.parameters(), lr=0.1), x)


def loaded_so(x, kind):
    net = kind.from_pretrained("some", torch_dtype=torch.float16)  # expect: TL404
    scaled(net, torch.optim.SGD(net.parameters(), lr=0.1), x)


def loaded_whole(x, kind):
    pipe = kind.from_pretrained("some", torch_dtype=torch.float16)  # ok: TL404  its parts are converted apart
    pipe.unet.float()
    scaled(pipe.unet, torch.optim.SGD(pipe.unet.parameters(), lr=0.1), x)


def scaled(net, opt, x):
    scaler = torch.amp.GradScaler("cpu", init_scale=4.0)
    with torch.autocast("cpu", dtype=torch.float16):
        loss = net(x).float().square().mean()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()


def demonstrate():
    x = torch.ones(3, 2)
    faults = [ByProperty().step, ByMethod().step, ByKeywords().step, in_a_comprehension, in_a_list, built_so]
    faults += [lambda x: one_of_two(x, nn.Linear(2, 2), nn.Linear(2, 2)), lambda x: added_later(x, nn.Linear(2, 2))]
    for train in faults:
        try:
            train(x)
            raise AssertionError("half gradients were unscaled")
        except ValueError as error:
            assert "unscale FP16 gradients" in str(error)
    OnlyMoved().step(x)
    Lifted().step(x)
    frozen_of_two(x, nn.Linear(2, 2), nn.Linear(2, 2))
