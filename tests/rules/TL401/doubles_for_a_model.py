"""A model out of sight gets float64 in a region: its layers refuse it."""

import torch
from torch import nn


class Solver:
    def __init__(self, field):
        self.field = field

    def residual(self, points):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            code = points.sin().double()  # expect: TL401
            return self.field.net(code).square().mean()

    def angles(self, points):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            code = points.double().sin()  # ok: TL401  narrowed again
            return self.field.net(code.to(points.dtype)).square().mean()

    def measured(self, points):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = self.field.net(points)
            return out.double().square().mean()  # ok: TL401  feeds no model

    def outside(self, points):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = self.field.net(points)
        return out.double().square().mean()  # ok: TL401


def demonstrate():
    field = nn.Module()
    field.net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
    solver, points = Solver(field), torch.rand(3, 2)
    try:
        solver.residual(points)
        raise AssertionError("a layer took float64")
    except RuntimeError as error:
        assert "dtype" in str(error)
    for run in (solver.angles, solver.measured, solver.outside):
        run(points)
