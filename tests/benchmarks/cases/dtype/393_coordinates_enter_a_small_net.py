"""A physics model differentiates with respect to double coordinates; the small net that takes them is called inside the region.

source: coordinate and physics-informed networks under autocast ("mat1 and mat2 must have the same dtype, but got Double and BFloat16")
rules: [TL401]
"""
from contextlib import ExitStack

import torch
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Field(nn.Module):
    def __init__(self, dim=8, waves=2):
        super().__init__()
        self.register_buffer("waves", 2.0 ** torch.arange(waves))
        self.net = nn.Sequential(nn.Linear(2 * 2 * waves, dim), nn.Tanh(), nn.Linear(dim, 1))

    def encode(self, points):
        angles = points[..., None] * self.waves
        return torch.cat([angles.sin(), angles.cos()], -1).flatten(-2)


class Solver:
    def __init__(self, field):
        self.field = field.to(KIND)

    def residual(self, points):
        raise NotImplementedError


class DoubleSolver(Solver):
    def residual(self, points):
        with ExitStack() as stack:
            stack.enter_context(torch.autocast(KIND, dtype=torch.bfloat16))
            code = self.field.encode(points).double()  # expect: TL401
            return self.field.net(code).square().mean()


class AngleSolver(Solver):
    """Doubles for the angles, which are elementwise, and back before the layers."""

    def residual(self, points):
        with ExitStack() as stack:
            stack.enter_context(torch.autocast(KIND, dtype=torch.bfloat16))
            code = self.field.encode(points.double())  # ok: TL401
            return self.field.net(code.to(points.dtype)).square().mean()


class OutsideSolver(Solver):
    """The stack is closed before the doubles are used."""

    def residual(self, points):
        with ExitStack() as stack:
            stack.enter_context(torch.autocast(KIND, dtype=torch.bfloat16))
            out = self.field.net(self.field.encode(points))
        return out.double().square().mean()  # ok: TL401


class SumSolver(Solver):
    def residual(self, points):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            out = self.field.net(self.field.encode(points))
            return out.double().square().sum() / len(points)  # ok: TL401


def demonstrate():
    torch.manual_seed(0)
    points = torch.rand(6, 2, device=KIND)
    try:
        DoubleSolver(Field()).residual(points)
        raise AssertionError("doubles went through a layer of the region")
    except RuntimeError as err:
        assert "dtype" in str(err), err
    for cls in (AngleSolver, OutsideSolver, SumSolver):
        assert torch.isfinite(cls(Field()).residual(points)), cls
