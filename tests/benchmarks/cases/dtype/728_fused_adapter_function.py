"""A low-rank adapter is fused into one autograd.Function to save memory; under autocast its backward meets two dtypes.

source: memory-saving adapter kernels written in Python
rules: [TL407]
"""
import torch
from torch import nn
from torch.amp import custom_bwd, custom_fwd

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class AdapterFn(torch.autograd.Function):  # expect: TL407
    @staticmethod
    def forward(ctx, x, down, up):
        ctx.save_for_backward(x, down, up)
        return torch.mm(torch.mm(x, down), up)

    @staticmethod
    def backward(ctx, grad):
        x, down, up = ctx.saved_tensors
        low = torch.mm(grad, up.t())
        return torch.mm(low, down.t()), torch.mm(x.t(), low), torch.mm(torch.mm(x, down).t(), grad)


class AdapterFnAmp(torch.autograd.Function):  # ok: TL407
    @staticmethod
    @custom_fwd(device_type=DEVICE_TYPE)
    def forward(ctx, x, down, up):
        ctx.save_for_backward(x, down, up)
        return torch.mm(torch.mm(x, down), up)

    @staticmethod
    @custom_bwd(device_type=DEVICE_TYPE)
    def backward(ctx, grad):
        x, down, up = ctx.saved_tensors
        low = torch.mm(grad, up.t())
        return torch.mm(low, down.t()), torch.mm(x.t(), low), torch.mm(torch.mm(x, down).t(), grad)


class ScaleGrad(torch.autograd.Function):  # ok: TL407
    """Identity forward, scaled gradient: pointwise only."""

    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.factor, None


class Swish(torch.autograd.Function):  # ok: TL407
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x.sigmoid()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        s = x.sigmoid()
        return grad * (s + x * s * (1 - s))


class Adapter(nn.Module):
    def __init__(self, dim=6, rank=2, slow=0.1):
        super().__init__()
        self.slow = slow
        self.down = nn.Parameter(torch.randn(dim, rank))
        self.up = nn.Parameter(torch.randn(rank, dim))

    def delta(self, x):
        return AdapterFn.apply(x, self.down, self.up)

    def forward(self, x):
        return Swish.apply(ScaleGrad.apply(x + self.delta(x), self.slow))


class AdapterAmp(Adapter):
    def delta(self, x):
        return AdapterFnAmp.apply(x, self.down, self.up)


def train_step(layer, opt, x):
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        loss = layer(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.detach()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(5, 6, device=DEVICE_TYPE)

    def run(cls):
        layer = cls().to(DEVICE_TYPE)
        return layer, train_step(layer, torch.optim.SGD(layer.parameters(), lr=0.1), x)

    try:
        run(Adapter)
        raise AssertionError("float32 and bfloat16 were multiplied in backward")
    except RuntimeError as err:
        assert "dtype" in str(err), err
    layer, _ = run(AdapterAmp)
    assert layer.down.grad.dtype is torch.float32 and torch.isfinite(layer.down.grad).all()
    Adapter().to(DEVICE_TYPE)(x).sum().backward()  # without autocast the Function is right
