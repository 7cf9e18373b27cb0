"""A serving script brings a windowed transformer to half with Module.type(); the table that holds integer pair numbers goes along.

source: reports "tensors used as indices must be long" after model.type(torch.float16) / type(torch.cuda.HalfTensor)
rules: [TL301]
"""
import torch
from torch import nn


class WindowBias(nn.Module):
    def __init__(self, window=3, heads=2):
        super().__init__()
        self.table = nn.Parameter(torch.randn((2 * window - 1) ** 2, heads))
        coords = torch.stack(torch.meshgrid(torch.arange(window), torch.arange(window), indexing="ij")).flatten(1)
        rel = (coords[:, :, None] - coords[:, None, :]).permute(1, 2, 0) + window - 1
        self.register_buffer("pair", rel[..., 0] * (2 * window - 1) + rel[..., 1])

    def forward(self, scores):
        return scores + self.table[self.pair].permute(2, 0, 1)  # ok: TL201


class Server:
    def __init__(self, model, dtype):
        self.dtype = dtype
        self.model = self.prepare(model.eval())

    def prepare(self, model):
        return model.type(self.dtype)  # expect: TL301

    @torch.inference_mode()
    def __call__(self, scores):
        return self.model(scores.type(self.dtype))


class ServerTo(Server):
    def prepare(self, model):
        return model.to(self.dtype)  # ok: TL301


class ServerHalf(Server):
    def prepare(self, model):
        return model.half() if self.dtype is torch.float16 else model  # ok: TL301


def serve(scores):
    return Server(WindowBias(), torch.float16)(scores)


def demonstrate():
    scores = torch.randn(2, 9, 9)
    try:
        serve(scores)
        raise AssertionError("half pair numbers accepted as indices")
    except IndexError as err:
        assert "used as indices" in str(err), err
    for cls in (ServerTo, ServerHalf):
        assert cls(WindowBias(), torch.float16)(scores).dtype is torch.float16
