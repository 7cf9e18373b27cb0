"""Compiled kernels and callables that backward runs again; what is used nowhere in a region is a note."""
import torch
from torch import nn
from torch.autograd import Function

try:
    import fused_kernels
except ImportError:
    fused_kernels = None


class Fused(Function):  # expect: TL407
    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight, bias)
        return fused_kernels.linear_forward(x, weight, bias)

    @staticmethod
    def backward(ctx, gradient):
        x, weight, bias = ctx.saved_tensors
        return fused_kernels.linear_backward(gradient, x, weight, bias)


class Scattered(Function):  # ok: TL407  one tensor and its positions
    @staticmethod
    def forward(ctx, x, positions_idx, world_size):
        ctx.world_size = world_size
        return fused_kernels.scatter(x, positions_idx, world_size)

    @staticmethod
    def backward(ctx, gradient):
        return fused_kernels.gather(gradient, ctx.world_size), None, None


class Coordinates(Function):  # ok: TL407  no backward pass
    @staticmethod
    def forward(ctx, coordinates, weight):
        return fused_kernels.morton(coordinates, weight)


class Rerun(Function):  # expect: TL407
    @staticmethod
    def forward(ctx, function, x):
        ctx.function = function
        ctx.save_for_backward(x)
        with torch.no_grad():
            return function(x)

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        x = x.detach().requires_grad_()
        with torch.enable_grad():
            output = ctx.function(x)
        torch.autograd.backward(output, gradient)
        return None, x.grad


class RerunInRegion(Function):  # ok: TL407  it opens the region of forward again
    @staticmethod
    def forward(ctx, function, x):
        ctx.function, ctx.is_on = function, torch.is_autocast_enabled("cpu")
        ctx.save_for_backward(x)
        with torch.no_grad():
            return function(x)

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        x = x.detach().requires_grad_()
        with torch.enable_grad(), torch.autocast("cpu", enabled=ctx.is_on):
            output = ctx.function(x)
        torch.autograd.backward(output, gradient)
        return None, x.grad


class Outside(Function):  # note: TL407
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x @ weight

    @staticmethod
    def backward(ctx, gradient):
        x, weight = ctx.saved_tensors
        return gradient @ weight.t(), x.t() @ gradient


class Whitening:  # ok: TL407  no Function
    @staticmethod
    def forward(ctx, x, weight):
        return x @ weight

    @staticmethod
    def backward(ctx, gradient):
        return gradient @ ctx.weight


class Block(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.randn(dim, dim)), nn.Parameter(torch.randn(dim))
        self.inner = nn.Linear(dim, dim)

    def forward(self, x):
        return Rerun.apply(self.inner, x) + RerunInRegion.apply(self.inner, x)

    def fused(self, x):
        return Fused.apply(x, self.weight, self.bias)


def train(block: Block, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = block(x).float().sum()
    loss.backward()


def train_fused(block: Block, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = block.fused(x).sum()
    loss.backward()


def measure(x, weight):
    return Outside.apply(x, weight).sum()


def demonstrate():
    x = torch.rand(3, 4, requires_grad=True)
    seen = []
    block = Block()
    block.inner.register_forward_hook(lambda module, inputs, output: seen.append(output.dtype))
    train(block, x)
    assert torch.float32 in seen and torch.bfloat16 in seen, "the same layer ran in two precisions"
    measure(x, torch.rand(4, 4, requires_grad=True)).backward()
