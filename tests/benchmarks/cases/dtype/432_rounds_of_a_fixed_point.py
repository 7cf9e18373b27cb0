"""A layer finds a fixed point in a hand-written Function; its backward calls the cell again, where the region has ended.

source: deep-equilibrium layers; laekov/fastmoe, pytorch/pytorch#47906 kind (Functions that run modules again in backward)
rules: [TL407]
"""
import torch
from torch import nn
from torch.amp import custom_bwd, custom_fwd

KIND = "cuda" if torch.cuda.is_available() else "cpu"


def settle(step, start, rounds):
    z = start
    for _ in range(rounds):
        z = step(z)
    return z


class FixedPoint(torch.autograd.Function):  # expect: TL407
    @staticmethod
    def forward(ctx, cell, x, rounds):
        with torch.no_grad():
            z = settle(lambda z: cell(z, x), torch.zeros_like(x), rounds)
        ctx.cell, ctx.rounds = cell, rounds
        ctx.save_for_backward(z, x)
        return z

    @staticmethod
    def backward(ctx, grad):
        z, x = (t.detach().requires_grad_() for t in ctx.saved_tensors)
        with torch.enable_grad():
            again = ctx.cell(z, x)
        pull = lambda g: grad + torch.autograd.grad(again, z, g.to(again.dtype), retain_graph=True)[0]  # noqa: E731
        grad = settle(pull, grad, ctx.rounds).to(again.dtype)
        again.backward(grad)
        return None, x.grad, None


class FixedPointAmp(torch.autograd.Function):  # ok: TL407
    @staticmethod
    @custom_fwd(device_type=KIND)
    def forward(ctx, cell, x, rounds):
        return FixedPoint.forward(ctx, cell, x, rounds)

    @staticmethod
    @custom_bwd(device_type=KIND)
    def backward(ctx, grad):
        return FixedPoint.backward(ctx, grad)


class Turned(torch.autograd.Function):  # ok: TL407
    """Turns the sign of the slope: elementwise only."""

    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return grad.neg()


class Cell(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.mix, self.kinds = nn.Linear(dim, dim), []
        nn.init.uniform_(self.mix.weight, -0.1, 0.1)

    def forward(self, z, x):
        h = self.mix(z)
        self.kinds.append(h.dtype)
        return torch.tanh(h + x)


class Layer(nn.Module):
    def __init__(self, solver=FixedPoint, dim=4):
        super().__init__()
        self.cell, self.solver = Cell(dim), solver

    def forward(self, x):
        return Turned.apply(self.solver.apply(self.cell, x, 6))


def learn(layer: Layer, x):
    with torch.autocast(KIND, dtype=torch.bfloat16):
        out = layer(x)
        loss = out.float().pow(2).mean()
    loss.backward()
    return layer.cell.kinds


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(3, 4, device=KIND, requires_grad=True)
    kinds = learn(Layer(FixedPoint).to(KIND), x)
    assert kinds[0] is torch.bfloat16 and kinds[-1] is torch.float32  # two different cells
    kinds = learn(Layer(FixedPointAmp).to(KIND), x)
    assert set(kinds) == {torch.bfloat16}
