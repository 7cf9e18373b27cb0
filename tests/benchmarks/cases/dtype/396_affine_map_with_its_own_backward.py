"""A memory-saving affine layer keeps its arithmetic in two helper functions; the Function itself shows no product at all.

source: lbin/DCNv2#2, shawntan/scattermoe#17 kind (hand-written backward that autocast does not reach)
rules: [TL407]
"""
import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable

KIND = "cuda" if torch.cuda.is_available() else "cpu"


def affine(x, w, b):
    return torch.addmm(b, x, w.t())


def affine_grads(grad, x, w):
    return grad.mm(w), grad.t().mm(x), grad.sum(0)


class Affine(Function):  # expect: TL407
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return affine(x, w, b)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        return affine_grads(grad, *ctx.saved_tensors)


class WideAffine(Function):  # ok: TL407
    """The same arithmetic, but asked for in float32 at the door."""

    @staticmethod
    @torch.amp.custom_fwd(device_type=KIND, cast_inputs=torch.float32)
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return affine(x, w, b)

    @staticmethod
    @torch.amp.custom_bwd(device_type=KIND)
    def backward(ctx, grad):
        return affine_grads(grad, *ctx.saved_tensors)


class Clip(Function):  # ok: TL407
    @staticmethod
    def forward(ctx, x, most):
        ctx.most = most
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return grad.clamp(-ctx.most, ctx.most), None


class Saving(nn.Linear):
    kind = Affine

    def forward(self, x):
        return self.kind.apply(Clip.apply(x, 1.0), self.weight, self.bias)


class WideSaving(Saving):
    kind = WideAffine


def swap(net, kind):
    for name, part in net.named_children():
        if type(part) is nn.Linear:
            setattr(net, name, kind(part.in_features, part.out_features))
    return net


def train(kind, x):
    net = swap(nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 1)), kind).to(KIND)
    with torch.autocast(KIND, dtype=torch.bfloat16):
        out = net(x)
    out.float().sum().backward()
    return net[0].weight.grad


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(3, 4, device=KIND)
    try:
        train(Saving, x)
        raise AssertionError("mixed types were multiplied in backward")
    except RuntimeError as err:
        assert "dtype" in str(err), err
    assert train(WideSaving, x).dtype is torch.float32
    Saving(4, 2).to(KIND)(x).sum().backward()  # without a region all is well
