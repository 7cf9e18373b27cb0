"""Adapters are packed for the hub; the packer of one class takes what hangs directly on the object for everything there is.

source: meta-pytorch/torchrec#1091 (tensors of one level), adapter export scripts; rebuilt from scratch
rules: [TL110]
"""
import io

import torch
from torch import nn


class Adapter(nn.Module):
    def __init__(self, dim: int = 4, rank: int = 2):
        super().__init__()
        self.scale = nn.Parameter(torch.full((dim,), 0.5))
        self.register_buffer("rank", torch.tensor(float(rank)))
        self.branch = nn.ModuleDict({"down": nn.Linear(dim, rank), "up": nn.Linear(rank, dim), "norm": nn.BatchNorm1d(dim)})

    def forward(self, x):
        return x + self.scale * self.branch["norm"](self.branch["up"](self.branch["down"](x)))


class Packer:
    def __init__(self, deep: bool = True):
        self.deep = deep

    def collect(self, mod: nn.Module) -> dict[str, torch.Tensor]:
        raise NotImplementedError

    def pack(self, mod: nn.Module) -> bytes:
        sink = io.BytesIO()
        torch.save(self.collect(mod), sink)
        return sink.getvalue()

    @staticmethod
    def unpack(mod: nn.Module, blob: bytes) -> None:
        mod.load_state_dict(torch.load(io.BytesIO(blob), weights_only=True), strict=False)


class TopPacker(Packer):
    def collect(self, mod):
        found = {k: p.detach() for k, p in mod.named_parameters(recurse=False)}  # expect: TL110
        found |= dict(mod.named_buffers(recurse=False))  # expect: TL110
        return found


class WalkingPacker(Packer):
    """The same switch inside a walk over all modules is right."""

    def collect(self, mod):
        found = {}
        for prefix, part in mod.named_modules():
            for k, p in part.named_parameters(recurse=False):  # ok: TL110
                found[f"{prefix}.{k}".lstrip(".")] = p.detach()
            for k, b in part.named_buffers(recurse=False):  # ok: TL110
                found[f"{prefix}.{k}".lstrip(".")] = b
        return found


class WholePacker(Packer):
    def collect(self, mod):
        return {**dict(mod.named_parameters()), **dict(mod.named_buffers())}  # ok: TL110, TL116


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(6, 4)
    for cls, whole in ((TopPacker, False), (WalkingPacker, True), (WholePacker, True)):
        src, dst = Adapter(), Adapter()
        src(x)
        cls.unpack(dst, cls().pack(src))
        assert torch.allclose(src.eval()(x), dst.eval()(x)) is whole, cls
