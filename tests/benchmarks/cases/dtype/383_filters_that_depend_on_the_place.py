"""Place-dependent filters: a hand-written Function contracts in forward and in backward; in backward bf16 gradients meet float32 kernels.

source: NVlabs/pacnet#27 (einsum in backward: expected Half but found Float), pytorch/pytorch#47906
rules: [TL407]
"""
from functools import partial

import torch
from torch import nn
from torch.amp import custom_bwd, custom_fwd

KIND = "cuda" if torch.cuda.is_available() else "cpu"
amp_fwd, amp_bwd = partial(custom_fwd, device_type=KIND), partial(custom_bwd, device_type=KIND)


class Mix(torch.autograd.Function):  # expect: TL407
    @staticmethod
    def forward(ctx, feats, kernel):
        ctx.save_for_backward(feats, kernel)
        return torch.einsum("nct,oc->not", feats, kernel)

    @staticmethod
    def backward(ctx, grad):
        feats, kernel = ctx.saved_tensors
        d_feats = d_kernel = None
        if ctx.needs_input_grad[0]:
            d_feats = torch.einsum("not,oc->nct", grad, kernel)
        if ctx.needs_input_grad[1]:
            d_kernel = torch.einsum("not,nct->oc", grad, feats)
        return d_feats, d_kernel


class MixNoted(torch.autograd.Function):  # ok: TL407
    @staticmethod
    @amp_fwd
    def forward(ctx, feats, kernel):
        ctx.save_for_backward(feats, kernel)
        return torch.einsum("nct,oc->not", feats, kernel)

    @staticmethod
    @amp_bwd
    def backward(ctx, grad):
        feats, kernel = ctx.saved_tensors
        return torch.einsum("not,oc->nct", grad, kernel), torch.einsum("not,nct->oc", grad, feats)


class Weigh(torch.autograd.Function):  # ok: TL407
    """Products and sums only: no operation of the list."""

    @staticmethod
    def forward(ctx, feats, gain):
        ctx.save_for_backward(feats, gain)
        return feats * gain

    @staticmethod
    def backward(ctx, grad):
        feats, gain = ctx.saved_tensors
        return grad * gain, (grad * feats).sum((0, 2), keepdim=True)


OPS = {"plain": Mix.apply, "noted": MixNoted.apply}


class Layer(nn.Module):
    def __init__(self, op="plain", dim=4):
        super().__init__()
        self.pre = nn.Conv1d(dim, dim, 1)
        self.kernel, self.gain = nn.Parameter(torch.randn(dim, dim)), nn.Parameter(torch.ones(1, dim, 1))
        self.op = OPS[op]

    def forward(self, x):
        return self.op(Weigh.apply(self.pre(x), self.gain), self.kernel)


def train(layer, x):
    with torch.autocast(KIND, dtype=torch.bfloat16):
        loss = layer(x).square().mean()
    loss.backward()
    return layer.kernel.grad


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(2, 4, 5, device=KIND)
    try:
        train(Layer().to(KIND), x)
        raise AssertionError("mixed types were contracted in backward")
    except RuntimeError as err:
        assert "type" in str(err), err
    assert train(Layer("noted").to(KIND), x).dtype is torch.float32
    Layer().to(KIND)(x).sum().backward()  # fine without a region
