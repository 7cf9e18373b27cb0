"""Two autograd.Functions used under autocast: a low-rank adapter and a block that re-runs a callable in backward.

source: pytorch/pytorch#113685 (autocast inside autograd.Function), luyug/GradCache#17
rules: [TL407]
"""
import torch
from torch import nn
from torch.amp import custom_bwd, custom_fwd

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class LowRank(torch.autograd.Function):  # expect: TL407
    @staticmethod
    def forward(ctx, x, down, up):
        ctx.save_for_backward(x, down, up)
        return torch.matmul(torch.matmul(x, down), up)

    @staticmethod
    def backward(ctx, grad):
        x, down, up = ctx.saved_tensors
        mid = grad @ up.t()
        return mid @ down.t(), x.t() @ mid, (x @ down).t() @ grad


class Recompute(torch.autograd.Function):  # expect: TL407
    @staticmethod
    def forward(ctx, run, x):
        ctx.run = run
        ctx.save_for_backward(x)
        with torch.no_grad():
            return run(x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            leaf = x.detach().requires_grad_()
            out = ctx.run(leaf)
        torch.autograd.backward(out, grad)
        return None, leaf.grad


class LowRankFixed(torch.autograd.Function):  # ok: TL407
    @staticmethod
    @custom_fwd(device_type=DEVICE_TYPE)
    def forward(ctx, x, down, up):
        ctx.save_for_backward(x, down, up)
        return torch.matmul(torch.matmul(x, down), up)

    @staticmethod
    @custom_bwd(device_type=DEVICE_TYPE)
    def backward(ctx, grad):
        x, down, up = ctx.saved_tensors
        mid = grad @ up.t()
        return mid @ down.t(), x.t() @ mid, (x @ down).t() @ grad


class RecomputeFixed(torch.autograd.Function):  # ok: TL407
    @staticmethod
    @custom_fwd(device_type=DEVICE_TYPE)
    def forward(ctx, run, x):
        return Recompute.forward(ctx, run, x)

    @staticmethod
    @custom_bwd(device_type=DEVICE_TYPE)
    def backward(ctx, grad):
        return Recompute.backward(ctx, grad)


class ReverseGradient(torch.autograd.Function):  # ok: TL407
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -grad


class Block(nn.Module):
    def __init__(self, dim=4, rank=2):
        super().__init__()
        self.down, self.up = nn.Parameter(torch.randn(dim, rank)), nn.Parameter(torch.randn(rank, dim))
        self.inner = nn.Linear(dim, dim)

    def adapter_loss(self, x):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            return ReverseGradient.apply(LowRank.apply(x, self.down, self.up)).sum()

    def block_loss(self, x):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            return Recompute.apply(self.inner, x).sum()


class BlockFixed(Block):
    def adapter_loss(self, x):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            return ReverseGradient.apply(LowRankFixed.apply(x, self.down, self.up)).sum()

    def block_loss(self, x):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            return RecomputeFixed.apply(self.inner, x).sum()


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(3, 4, device=DEVICE_TYPE, requires_grad=True)
    bad, good = Block().to(DEVICE_TYPE), BlockFixed().to(DEVICE_TYPE)
    try:
        bad.adapter_loss(x).backward()
        raise AssertionError("mixed dtypes were multiplied in backward")
    except RuntimeError as err:
        assert "dtype" in str(err)
    good.adapter_loss(x).backward()
    assert good.down.grad.dtype is torch.float32
    for block, second in ((bad, torch.float32), (good, torch.bfloat16)):  # the bad re-run is another computation
        kinds = []
        block.inner.register_forward_hook(lambda m, i, out: kinds.append(out.dtype))
        block.block_loss(x).backward()
        assert kinds == [torch.bfloat16, second]
