"""A quantised linear keeps its Function behind an alias; it multiplies in backward, where the region is gone and the dtypes differ.

source: pytorch/ao#4616 (backward meets bf16 gradient and float32 weight), pytorch/pytorch#47906
rules: [TL407]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class _FakeQuantLinear(torch.autograd.Function):  # expect: TL407
    @staticmethod
    def forward(ctx, x, weight, scale):
        rounded = (weight / scale).round().clamp(-127, 127) * scale
        ctx.save_for_backward(x, rounded)
        return F.linear(x, rounded)

    @staticmethod
    def backward(ctx, grad):
        x, rounded = ctx.saved_tensors
        return torch.mm(grad, rounded), torch.mm(grad.t(), x), None


class _Round(torch.autograd.Function):  # ok: TL407
    @staticmethod
    def forward(ctx, weight, scale):
        return (weight / scale).round().clamp(-127, 127) * scale

    @staticmethod
    def backward(ctx, grad):
        return grad, None


fake_quant_linear = _FakeQuantLinear.apply
round_through = _Round.apply


class QuantLinear(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim, dim))

    @property
    def scale(self):
        return self.weight.detach().abs().amax() / 127

    def forward(self, x):
        return fake_quant_linear(x, self.weight, self.scale)


class QuantLinearThrough(QuantLinear):
    """Only the rounding is a Function; the product is left to autograd."""

    def forward(self, x):
        return F.linear(x, round_through(self.weight, self.scale))


def loss_of(net, x):
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        return net(x).square().mean()


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(3, 4, device=DEVICE_TYPE)
    try:
        loss_of(QuantLinear().to(DEVICE_TYPE), x).backward()
        raise AssertionError("mixed dtypes were multiplied in backward")
    except RuntimeError as err:
        assert "dtype" in str(err) or "scalar type" in str(err), err
    QuantLinear().to(DEVICE_TYPE)(x).sum().backward()
    net = QuantLinearThrough().to(DEVICE_TYPE)
    loss_of(net, x).backward()
    assert net.weight.grad.abs().sum() > 0
