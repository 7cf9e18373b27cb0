"""Functions with products: forward runs low, backward meets two dtypes; decorators, casts and islands answer it."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.amp import custom_bwd, custom_fwd
from torch.autograd import Function

forward_on_cpu = custom_fwd(device_type="cpu")
backward_on_cpu = custom_bwd(device_type="cpu")


class Product(Function):  # expect: TL407
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x.mm(weight.t())

    @staticmethod
    def backward(ctx, gradient):
        x, weight = ctx.saved_tensors
        return gradient.mm(weight), gradient.t().mm(x)


class Convolved(Function):  # expect: TL407
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return F.conv2d(x, weight)

    @staticmethod
    def backward(ctx, gradient):
        x, weight = ctx.saved_tensors
        return F.conv_transpose2d(gradient, weight), None


class HalfDecorated(Function):  # expect: TL407
    @staticmethod
    @forward_on_cpu
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x @ weight.t()

    @staticmethod
    def backward(ctx, gradient):
        x, weight = ctx.saved_tensors
        return gradient @ weight, gradient.t() @ x


class Decorated(Function):  # ok: TL407
    @staticmethod
    @forward_on_cpu
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x @ weight.t()

    @staticmethod
    @backward_on_cpu
    def backward(ctx, gradient):
        x, weight = ctx.saved_tensors
        return gradient @ weight, gradient.t() @ x


class Casting(Function):  # ok: TL407  what it multiplies is brought to one dtype
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x @ weight.t()

    @staticmethod
    def backward(ctx, gradient):
        x, weight = ctx.saved_tensors
        gradient = gradient.to(weight.dtype)
        return gradient @ weight, gradient.t() @ x


class InIsland(Function):  # ok: TL407  every use stands in an island
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x @ weight.t()

    @staticmethod
    def backward(ctx, gradient):
        x, weight = ctx.saved_tensors
        return gradient @ weight, gradient.t() @ x


class Rounded(Function):  # ok: TL407  elementwise
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 1.0


class Square(Function):  # ok: TL407  elementwise with what it saved
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return 2 * x * gradient


class Companion(Function):  # ok: TL407  only backward of another Function runs it
    @staticmethod
    def forward(ctx, gradient, weight):
        ctx.save_for_backward(weight)
        return gradient @ weight

    @staticmethod
    def backward(ctx, second):
        (weight,) = ctx.saved_tensors
        return second @ weight.t(), None


class WithCompanion(Function):  # ok: TL407
    @staticmethod
    @custom_fwd(device_type="cpu", cast_inputs=torch.float32)
    def forward(ctx, x, weight):
        ctx.save_for_backward(weight)
        return x @ weight.t()

    @staticmethod
    @custom_bwd(device_type="cpu")
    def backward(ctx, gradient):
        (weight,) = ctx.saved_tensors
        return Companion.apply(gradient, weight), None


class Layer(nn.Module):
    def __init__(self, function, dim: int = 4):
        super().__init__()
        self.function, self.weight = function, nn.Parameter(torch.randn(dim, dim))

    def forward(self, x):
        return self.function.apply(x, self.weight)


class Sharp(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim, dim))

    @torch.autocast("cpu", enabled=False)
    def forward(self, x):
        return InIsland.apply(x.float(), self.weight)


def train(layer, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = Rounded.apply(Square.apply(layer(x))).float().sum()
    loss.backward()


def convolve(x, weight):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return Convolved.apply(x, weight).float().sum()


def demonstrate():
    x = torch.rand(3, 4, requires_grad=True)
    for function in (Product, HalfDecorated):
        try:
            train(Layer(function), x)
            raise AssertionError(function)
        except RuntimeError as error:
            assert "dtype" in str(error)
    try:
        convolve(torch.rand(1, 2, 3, 3, requires_grad=True), torch.rand(2, 2, 1, 1)).backward()
        raise AssertionError("conv")
    except RuntimeError:
        pass
    for function in (Decorated, Casting, WithCompanion):
        train(Layer(function), x)
    train(Sharp(), x)
