"""What backward calls without taking a result is a hook, and computes nothing again."""
import torch
from torch.autograd import Function


class BeforeBackward(Function):  # ok: TL407
    @staticmethod
    def forward(ctx, x, module, hook):
        ctx.module, ctx.hook = module, hook
        return x.detach()

    @staticmethod
    def backward(ctx, gradient):
        ctx.hook(ctx.module)
        return gradient, None, None


class Counted(Function):  # ok: TL407
    @staticmethod
    def forward(ctx, x, counter):
        ctx.counter = counter
        return x.clone()

    @staticmethod
    def backward(ctx, gradient):
        ctx.counter.append(gradient.shape)
        return gradient, None


class Again(Function):  # expect: TL407
    @staticmethod
    def forward(ctx, run, x):
        ctx.run = run
        ctx.save_for_backward(x)
        with torch.no_grad():
            return run(x)

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            out = ctx.run(x)
        torch.autograd.backward(out, gradient)
        return None, x.grad


def steps(layer, x, seen):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = Again.apply(layer, x)
        return Counted.apply(BeforeBackward.apply(out, layer, seen.append), seen).float().sum()


def demonstrate():
    seen, dtypes, linear = [], [], torch.nn.Linear(2, 2)

    def layer(x):
        out = linear(x)
        dtypes.append(out.dtype)
        return out

    steps(layer, torch.ones(1, 2, requires_grad=True), seen).backward()
    assert len(seen) == 2
    # What is computed again is not what forward returned.
    assert dtypes == [torch.bfloat16, torch.float32]
