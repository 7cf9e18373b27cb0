"""Attributes whose names are data: setattr, getattr, and register_buffer in loops over constant names."""
import torch
from torch import nn

NAMES = ("low", "high")


class Named(nn.Module):
    def __init__(self, anything, extra: str):
        super().__init__()
        for name in ("left", "right"):
            self.register_buffer(name, torch.zeros(2))
        for name in NAMES:
            setattr(self, name, torch.zeros(2, dtype=torch.int64))
        for index in range(2):
            self.register_buffer(f"level_{index}", torch.zeros(2))
        for side in ["front", "back"]:
            self.register_parameter(f"{side}_scale", nn.Parameter(torch.ones(1)))
            setattr(self, side + "_bias", torch.zeros(1))
        for name, value in (("one", torch.zeros(1)), ("two", torch.zeros(1).half())):
            setattr(self, name, value)
        setattr(self, "direct", torch.zeros(1).double())
        setattr(self, extra, torch.zeros(3))
        self.__setattr__("dunder", torch.zeros(1).bool())
        object.__setattr__(self, "hidden", torch.zeros(1))
        self.__dict__["raw"] = torch.zeros(1)
        self.__dict__["held"] = nn.Parameter(torch.ones(1))
        vars(self)["seen"] = torch.zeros(1).half()
        self.__dict__.update(added=torch.zeros(2, dtype=torch.int64), counted=3)
        for name in anything:
            self.register_buffer(name, torch.zeros(1))
        self.add_module("layer", nn.Linear(1, 1))
        delattr(self, "direct")
        self.direct = anything

    def forward(self, name: str, side: str):
        self.left  # fact: buffer float32 registered buffer
        self.right  # fact: buffer float32 registered buffer
        self.low  # fact: tensor int64 plain
        self.high  # fact: tensor int64 plain
        self.level_0  # fact: buffer float32 registered buffer
        self.front_scale  # fact: parameter float32 registered parameter
        self.back_scale  # fact: parameter float32 registered parameter
        self.front_bias  # fact: tensor float32 plain
        self.one  # todo: tensor float32 plain  pairs of a loop are not kept together
        self.dunder  # fact: tensor bool plain
        self.hidden  # fact: tensor float32 plain
        self.raw  # fact: tensor float32 plain
        self.held  # fact: parameter float32 plain
        self.seen  # fact: tensor float16 plain
        self.added  # fact: tensor int64 plain
        self.counted  # fact: number integral plain
        self.middle  # fact: unknown dtype ?
        self.centre  # fact: unknown dtype ?
        self.extra  # fact: unknown dtype ?
        self.direct  # fact: unknown dtype ?
        getattr(self, "left")  # fact: buffer float32
        getattr(self, name)  # fact: unknown dtype ?
        getattr(self, f"{side}_scale")  # fact: parameter float32
        getattr(self, "low" if name else "high")  # fact: tensor int64
        return self.layer  # fact: module made by torch.nn.Linear


def demo():
    module = Named(("middle",), "extra")
    module.centre = None
    module("left", "front")
