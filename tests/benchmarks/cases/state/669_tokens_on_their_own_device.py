"""A set transformer puts its seed vectors on 'its' device after they became Parameters, and draws noise for the device of its birth.

source: huggingface/diffusers#10523 (embeddings left behind), reports of seeds that never train; scripts with model.to(args.device)
rules: [TL114, TL119]
"""
import argparse

import torch
from torch import Tensor, nn


class SeedsBase(nn.Module):
    def __init__(self, seeds: int = 2, dim: int = 4, dtype: torch.dtype = torch.float64):
        super().__init__()
        self.mix = nn.Linear(dim, dim, dtype=dtype)
        self.make(seeds, dim, dtype)

    def forward(self, x: Tensor) -> Tensor:
        return (self.seeds @ self.mix(x).mT).softmax(-1) @ x


class ConvertedSeeds(SeedsBase):
    def make(self, seeds, dim, dtype):
        self.seeds = nn.Parameter(torch.randn(seeds, dim)).to(dtype=dtype)  # expect: TL114


class ScaledSeeds(SeedsBase):
    def make(self, seeds, dim, dtype):
        self.seeds = nn.Parameter(torch.randn(seeds, dim, dtype=dtype)) * dim**-0.5  # expect: TL114


class InnerSeeds(SeedsBase):
    def make(self, seeds, dim, dtype):
        self.seeds = nn.Parameter(torch.randn(seeds, dim).to(dtype=dtype) * dim**-0.5)  # ok: TL114


class ConvertedLater(SeedsBase):
    """The module, not the Parameter, is converted."""

    def make(self, seeds, dim, dtype):
        self.proto = nn.Embedding(seeds, dim).to(dtype)  # ok: TL114

    @property
    def seeds(self) -> Tensor:
        return self.proto.weight


class NoisyEncoder(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.out = nn.Linear(dim, dim)
        self.device = next(self.out.parameters()).device  # expect: TL119

    def forward(self, n: int) -> Tensor:
        return self.out(torch.zeros(n, self.out.in_features, device=self.device))


class NoisyEncoderFixed(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.out = nn.Linear(dim, dim)

    @property
    def device(self) -> torch.device:  # ok: TL119
        return next(self.out.parameters()).device

    def forward(self, n: int) -> Tensor:
        return self.out(torch.zeros(n, self.out.in_features, device=self.device))


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cpu")
    args = parser.parse_args(argv)
    model = NoisyEncoder()
    model.to(args.device)
    other = NoisyEncoderFixed().to(args.device)
    return model, other


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(3, 4, dtype=torch.float64)
    for cls, kept in ((ConvertedSeeds, False), (ScaledSeeds, False), (InnerSeeds, True), (ConvertedLater, True)):
        m = cls()
        assert m(x).shape == (2, 4)
        assert any(p.shape == (2, 4) for p in m.parameters()) is kept, cls
    bad, good = main(["--device", "meta"])
    assert bad.device.type == "cpu" and bad.out.weight.is_meta  # its zeros are made where the weights are not
    assert good.device.type == "meta" and good(2).is_meta
