"""A factory makes autograd.Functions per stride; the convolution runs in bf16 in the region and its hand-written backward does not.

source: pytorch/pytorch#47906, lbin/DCNv2#2 (deformable convolution under autocast)
rules: [TL407]
"""
import torch
import torch.nn.functional as F
from torch import nn
from torch.amp import custom_bwd, custom_fwd
from torch.nn import grad as rules

KIND = "cuda" if torch.cuda.is_available() else "cpu"


def strided(stride):
    class Op(torch.autograd.Function):  # expect: TL407
        @staticmethod
        def forward(ctx, x, kernel):
            ctx.save_for_backward(x, kernel)
            return F.conv1d(x, kernel, stride=stride)

        @staticmethod
        def backward(ctx, g):
            x, kernel = ctx.saved_tensors
            dx = rules.conv1d_input(x.shape, kernel, g, stride=stride)
            return dx, rules.conv1d_weight(x, kernel.shape, g, stride=stride)

    return Op


def strided_declared(stride):
    class Op(torch.autograd.Function):  # ok: TL407
        @staticmethod
        @custom_fwd(device_type=KIND, cast_inputs=torch.float32)
        def forward(ctx, x, kernel):
            ctx.save_for_backward(x, kernel)
            return F.conv1d(x, kernel, stride=stride)

        @staticmethod
        @custom_bwd(device_type=KIND)
        def backward(ctx, g):
            x, kernel = ctx.saved_tensors
            dx = rules.conv1d_input(x.shape, kernel, g, stride=stride)
            return dx, rules.conv1d_weight(x, kernel.shape, g, stride=stride)

    return Op


class Gate(torch.autograd.Function):  # ok: TL407
    """Elementwise in both directions."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.where(x > 0, g, 0.1 * g)


class Stem(nn.Module):
    def __init__(self, make=strided, stride=2):
        super().__init__()
        self.op = make(stride)
        self.kernel = nn.Parameter(torch.randn(4, 2, 3))

    def forward(self, x):
        return Gate.apply(self.op.apply(x, self.kernel))


def train(make, x):
    net = Stem(make).to(KIND)
    with torch.autocast(KIND, dtype=torch.bfloat16):
        out = net(x)
        loss = out.float().square().mean()
    loss.backward()
    return net.kernel.grad


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(2, 2, 9, device=KIND, requires_grad=True)
    try:
        train(strided, x)
        raise AssertionError("bf16 gradient met a float32 kernel")
    except RuntimeError as err:
        assert "type" in str(err) or "primitive" in str(err), err
    assert train(strided_declared, x).dtype is torch.float32
    Stem()(x).sum().backward()  # without autocast the first one is right
