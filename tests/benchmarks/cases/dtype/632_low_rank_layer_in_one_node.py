"""A fused low-rank layer saves memory with a hand-written Function; under autocast its forward is bf16, its backward meets float32.

source: pytorch/ao#4616 (mm of a bf16 gradient and a float32 saved weight), shawntan/scattermoe#17
rules: [TL407]
"""
import torch
from torch import nn
from torch.amp import custom_bwd, custom_fwd

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class LowRankFn(torch.autograd.Function):  # expect: TL407
    @staticmethod
    def forward(ctx, x, w, a, b, scale):
        ctx.save_for_backward(x, w, a, b)
        ctx.scale = scale
        return torch.nn.functional.linear(x, w) + (x @ a) @ b * scale

    @staticmethod
    def backward(ctx, g):
        x, w, a, b = ctx.saved_tensors
        s = ctx.scale
        gb = (x @ a).t() @ g * s
        ga = x.t() @ (g @ b.t()) * s
        return g @ w + g @ b.t() @ a.t() * s, None, ga, gb, None


class LowRankFnAmp(torch.autograd.Function):  # ok: TL407
    @staticmethod
    @custom_fwd(device_type=DEVICE_TYPE)
    def forward(ctx, x, w, a, b, scale):
        ctx.save_for_backward(x, w, a, b)
        ctx.scale = scale
        return torch.nn.functional.linear(x, w) + (x @ a) @ b * scale

    @staticmethod
    @custom_bwd(device_type=DEVICE_TYPE)
    def backward(ctx, g):
        x, w, a, b = ctx.saved_tensors
        s = ctx.scale
        gb = (x @ a).t() @ g * s
        ga = x.t() @ (g @ b.t()) * s
        return g @ w + g @ b.t() @ a.t() * s, None, ga, gb, None


class ScaleGradient(torch.autograd.Function):  # ok: TL407
    """Only a product: autocast touches nothing in here."""

    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return g * ctx.factor, None


class LowRankLinear(nn.Module):
    def __init__(self, dim=6, rank=2, fn=LowRankFn):
        super().__init__()
        self.fn = fn
        self.weight = nn.Parameter(torch.randn(dim, dim), requires_grad=False)
        self.a, self.b = nn.Parameter(torch.randn(dim, rank)), nn.Parameter(torch.zeros(rank, dim))

    def forward(self, x):
        return ScaleGradient.apply(self.fn.apply(x, self.weight, self.a, self.b, 0.5), 0.1)


def step(layer, x):
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        loss = layer(x).pow(2).mean()
    loss.backward()
    return layer.b.grad


def step_plain(layer, x):
    layer(x).pow(2).mean().backward()
    return layer.b.grad


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(3, 6, device=DEVICE_TYPE)
    try:
        step(LowRankLinear().to(DEVICE_TYPE), x)
        raise AssertionError("bf16 gradient times float32 weight")
    except RuntimeError as err:
        assert "dtype" in str(err), err
    assert step(LowRankLinear(fn=LowRankFnAmp).to(DEVICE_TYPE), x).dtype is torch.float32
    assert step_plain(LowRankLinear().to(DEVICE_TYPE), x).dtype is torch.float32
