"""A radiance field keeps the two corners of its scene box (and the step it derives from them) as plain tensors.

source: ashawkey/torch-ngp#137 (box of the renderer), nerfstudio-project/nerfstudio#3363 (box on another device than the rays)
rules: [TL101]
"""
from __future__ import annotations

from typing import NamedTuple, Sequence

import torch as th
from torch import nn


class SceneSpec(NamedTuple):
    aabb: Sequence[float] = (-1.0, -1.0, -1.0, 1.0, 1.0, 1.0)
    steps: int = 8
    contract: bool = True


def corners(values: Sequence[float]) -> th.Tensor:
    box = th.tensor(values, dtype=th.float32).reshape(2, 3)
    return th.stack([box.amin(0), box.amax(0)])


class FieldBase(nn.Module):
    def __init__(self, spec: SceneSpec):
        super().__init__()
        self.spec = spec
        self.place(corners(spec.aabb))
        self.mlp = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 4))

    def place(self, box: th.Tensor) -> None:
        raise NotImplementedError

    def contract(self, p: th.Tensor) -> th.Tensor:
        return (p - self.lo) / (self.hi - self.lo)

    def forward(self, pos: th.Tensor) -> th.Tensor:
        return self.mlp(self.contract(pos) if self.spec.contract else pos)


class LooseField(FieldBase):
    def place(self, box):
        self.lo, self.hi = box.unbind(0)  # expect: TL101
        self.step = (self.hi - self.lo).norm(dim=0, keepdim=True) / self.spec.steps  # expect: TL101
        self.extent = (self.hi - self.lo).tolist()  # ok: TL101
        self.longest = float(max(self.extent))  # ok: TL101

    def march(self, origin: th.Tensor, direction: th.Tensor) -> th.Tensor:
        return self(origin + direction * self.step)


class RegisteredField(FieldBase):
    def place(self, box):
        for name, corner in zip(("lo", "hi"), box):
            self.register_buffer(name, corner, persistent=False)

    @property
    def step(self) -> th.Tensor:
        return (self.hi - self.lo).norm(dim=0, keepdim=True) / self.spec.steps  # ok: TL112

    def march(self, origin, direction):
        return self(origin + direction * self.step)


class CarriedField(FieldBase):
    """Not in the state on purpose (the box comes with the scene file), but it follows every conversion."""

    def place(self, box):
        self.lo, self.hi = box.unbind(0)  # ok: TL101

    def _apply(self, fn, *args, **kwargs):
        out = super()._apply(fn, *args, **kwargs)
        self.lo, self.hi = fn(self.lo), fn(self.hi)
        return out


# ---- demonstration: not part of the graded code ----
def demonstrate():
    rays = th.rand(5, 3), th.ones(5, 3)
    for cls, follows in ((LooseField, False), (RegisteredField, True), (CarriedField, True)):
        f = cls(SceneSpec()).to("meta")
        try:
            ok = f(rays[0].to("meta")).is_meta
        except RuntimeError:
            ok = False
        assert ok is follows, cls
        d = cls(SceneSpec()).double()
        assert (d.lo.dtype == th.float64) is follows
    loose = LooseField(SceneSpec()).to("meta")
    assert loose.step.device.type == "cpu" and not loose.state_dict().keys() & {"lo", "hi", "step"}
    assert RegisteredField(SceneSpec()).half().march(rays[0].half(), rays[1].half()).dtype == th.float16
