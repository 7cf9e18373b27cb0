"""Cast recipes are partials kept in a table; the fast one is handed to Module._apply and touches the lookup table of a tokenizer head.

source: NVIDIA/apex#133 (hand-written conversions walk over every tensor)
rules: [TL301]
"""
from functools import partial

import torch
from torch import nn


class Remap(nn.Module):
    def __init__(self, pairs, dim=4):
        super().__init__()
        order = torch.arange(max(pairs) + 1)
        for source, target in pairs.items():
            order[source] = target
        self.register_buffer("order", order, persistent=False)
        self.embed = nn.Embedding(len(order), dim)

    def forward(self, ids):
        return self.embed(self.order[ids])


def shrink(tensor, dtype):
    return tensor.to(dtype) if tensor.is_floating_point() else tensor


NARROW = {
    "fast": partial(torch.Tensor.to, dtype=torch.float16),
    "careful": partial(shrink, dtype=torch.float16),
}


class Compressor:
    def __init__(self, net):
        self.net = net

    def fast(self):
        return self.net._apply(partial(torch.Tensor.to, dtype=torch.float16))  # expect: TL301

    def careful(self):
        return self.net._apply(partial(shrink, dtype=torch.float16))  # ok: TL301

    def weights_only(self):
        for p in self.net.parameters():
            p.data = p.data.to(torch.float16)  # ok: TL301
        return self.net

    def usual(self):
        return self.net.half()  # ok: TL301

    def device_only(self, device="cpu"):
        return self.net._apply(partial(torch.Tensor.to, device=device))  # ok: TL301


def demonstrate():
    pairs, ids = {3: 1, 5: 2}, torch.tensor([[3, 5]])
    try:
        Compressor(Remap(pairs)).fast()(ids)
        raise AssertionError("half order used as numbers of rows")
    except (RuntimeError, IndexError):
        pass
    for name in ("careful", "weights_only", "usual", "device_only"):
        net = getattr(Compressor(Remap(pairs)), name)()
        assert net(ids).shape == (1, 2, 4) and net.order.dtype is torch.int64, name
    assert NARROW["fast"](torch.ones(1)).dtype is NARROW["careful"](torch.ones(1)).dtype
