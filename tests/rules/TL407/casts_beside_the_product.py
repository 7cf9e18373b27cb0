"""Casts in backward answer for the products that they feed: another one meets what nobody cast."""

import torch


def softened(scores):
    return scores.float().softmax(-1)


class Weighed(torch.autograd.Function):  # ok: TL407  the gradient and the input have the dtype of the region already
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x @ weight.t()

    @staticmethod
    def backward(ctx, gradient):
        x, weight = ctx.saved_tensors
        back = gradient.to(weight.dtype) @ weight
        return back.to(x.dtype), gradient.t() @ x


class Rescored(torch.autograd.Function):  # expect: TL407  what a function made of a cast is float32 beside the input
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return (x @ weight.t()).sum()

    @staticmethod
    def backward(ctx, gradient):
        x, weight = ctx.saved_tensors
        slope = softened(torch.mm(x.to(weight.dtype), weight.t())) * gradient
        return (slope @ weight).to(x.dtype), torch.mm(slope.t(), x)


class Reported(torch.autograd.Function):  # expect: TL407  the cast is that of a number beside the products
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x @ weight.t()

    @staticmethod
    def backward(ctx, gradient):
        x, weight = ctx.saved_tensors
        ctx.norm = gradient.float().norm()
        return gradient @ weight, gradient.t() @ x


class Widened(torch.autograd.Function):  # ok: TL407  each product has an operand that was cast
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x @ weight.t()

    @staticmethod
    def backward(ctx, gradient):
        x, weight = ctx.saved_tensors
        wide = gradient.float() * 2
        return (wide @ weight.float()).to(x.dtype), wide.transpose(0, 1) @ x.float()


def spread(gradient, weight):
    return gradient @ weight


class CastForTheHelper(torch.autograd.Function):  # ok: TL407  the helper gets what was cast
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(weight)
        return x @ weight.t()

    @staticmethod
    def backward(ctx, gradient):
        (weight,) = ctx.saved_tensors
        return spread(gradient.to(weight.dtype), weight), None


def train(x, weight):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        x = torch.relu(x @ weight)
        out = Weighed.apply(x, weight) + Rescored.apply(x, weight) + Reported.apply(x, weight)
        return out + Widened.apply(x, weight) + CastForTheHelper.apply(x, weight)


def demonstrate():
    weight = torch.randn(3, 3, requires_grad=True)
    for function in (Weighed, Rescored, Reported, Widened, CastForTheHelper):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = function.apply(torch.randn(4, 3) @ weight, weight)
        try:
            out.float().sum().backward()
            assert function not in (Rescored, Reported)
        except RuntimeError as error:
            assert "dtype" in str(error) and function in (Rescored, Reported)
