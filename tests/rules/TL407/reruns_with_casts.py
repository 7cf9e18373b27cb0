"""Casts around what backward runs again do not say in which region it runs."""

import torch
from torch import nn
from torch.amp import custom_bwd, custom_fwd


class Again(torch.autograd.Function):  # expect: TL407
    @staticmethod
    def forward(ctx, cell, x):
        ctx.cell = cell
        ctx.save_for_backward(x)
        with torch.no_grad():
            return cell(x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            out = ctx.cell(x)
        out.backward(grad.to(out.dtype))
        return None, x.grad


class AgainInRegion(torch.autograd.Function):  # ok: TL407
    @staticmethod
    @custom_fwd(device_type="cpu")
    def forward(ctx, cell, x):
        return Again.forward(ctx, cell, x)

    @staticmethod
    @custom_bwd(device_type="cpu")
    def backward(ctx, grad):
        return Again.backward(ctx, grad)


class Product(torch.autograd.Function):  # ok: TL407  what meets is brought to one dtype
    @staticmethod
    def forward(ctx, x, matrix):
        ctx.save_for_backward(matrix)
        return x.float() @ matrix.float()

    @staticmethod
    def backward(ctx, grad):
        (matrix,) = ctx.saved_tensors
        return grad.float() @ matrix.float().t(), None


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.Linear(3, 3)

    def forward(self, x, matrix):
        return Product.apply(AgainInRegion.apply(self.cell, Again.apply(self.cell, x)), matrix)


def run(layer: Layer, x, matrix):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return layer(x, matrix)
