"""A hand-written checkpoint Function runs the block again in backward, outside the region: float32 there, bf16 in forward.

source: reversible and checkpointed blocks of diffusion code (CheckpointFunction without custom_fwd), laekov/fastmoe MoEForward
rules: [TL407]
"""
import torch
from torch import nn
from torch.amp import custom_bwd, custom_fwd

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Recompute(torch.autograd.Function):  # expect: TL407
    @staticmethod
    def forward(ctx, block, x, *params):
        ctx.block, ctx.params = block, params
        ctx.save_for_backward(x)
        with torch.no_grad():
            return block(x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            x = x.detach().requires_grad_(True)
            y = ctx.block(x)
        return None, *torch.autograd.grad(y, (x, *ctx.params), grad)


class RecomputeSame(torch.autograd.Function):  # ok: TL407
    @staticmethod
    @custom_fwd(device_type=DEVICE_TYPE)
    def forward(ctx, block, x, *params):
        ctx.block, ctx.params = block, params
        ctx.save_for_backward(x)
        with torch.no_grad():
            return block(x)

    @staticmethod
    @custom_bwd(device_type=DEVICE_TYPE)
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            x = x.detach().requires_grad_(True)
            y = ctx.block(x)
        return None, *torch.autograd.grad(y, (x, *ctx.params), grad)


class ScaleGradient(torch.autograd.Function):  # ok: TL407
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.factor, None


class Stage(nn.Module):
    kind = Recompute

    def __init__(self, dim=4):
        super().__init__()
        self.block, self.dtypes = nn.Linear(dim, dim), []
        self.block.register_forward_hook(lambda m, a, out: self.dtypes.append(out.dtype))

    def forward(self, x):
        y = self.kind.apply(self.block, x, *self.block.parameters())
        return ScaleGradient.apply(y, 0.5)


class StageSame(Stage):
    kind = RecomputeSame


def train_step(stage, x):
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        loss = stage(x).square().mean()
    loss.backward()
    return stage.dtypes


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(3, 4, device=DEVICE_TYPE, requires_grad=True)
    stage = Stage().to(DEVICE_TYPE)
    try:
        seen = train_step(stage, x)
    except RuntimeError:
        seen = stage.dtypes
    assert seen == [torch.bfloat16, torch.float32], seen
    assert train_step(StageSame().to(DEVICE_TYPE), x) == [torch.bfloat16, torch.bfloat16]
