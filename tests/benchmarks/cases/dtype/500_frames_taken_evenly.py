"""A clip is reduced to k frames taken evenly; the positions step by length / k, which Python makes a float, and so does arange.

source: clip samplers of video recognition code (index_select: "Expected dtype int32 or int64 for index"); meaten/FlowChain-ICCV2023#3 kind
rules: [TL201]
"""
import torch
from torch import nn


class Subsample(nn.Module):
    def __init__(self, keep: int, dim: int = 1):
        super().__init__()
        self.keep, self.dim = keep, dim

    def positions(self, length: int, device) -> torch.Tensor:
        raise NotImplementedError

    def forward(self, clip: torch.Tensor) -> torch.Tensor:
        return clip.index_select(self.dim, self.positions(clip.shape[self.dim], clip.device))  # use: TL201


class StridedSubsample(Subsample):
    def positions(self, length, device):
        return torch.arange(0, length, length / self.keep, device=device)  # expect: TL201


class CentredSubsample(Subsample):
    """The middle frame of each of the k segments."""

    def positions(self, length, device):
        edges = torch.linspace(0, length - 1, self.keep + 1, device=device)  # expect: TL201
        return 0.5 * (edges[1:] + edges[:-1])


class WholeStrideSubsample(Subsample):
    def positions(self, length, device):
        return torch.arange(0, length, length // self.keep, device=device)[: self.keep]  # ok: TL201


class RoundedSubsample(Subsample):
    def positions(self, length, device):
        steps = torch.linspace(0, length - 1, self.keep, device=device)  # ok: TL201
        return steps.clamp(0, length - 1).long()


class DrawnSubsample(Subsample):
    """Random frames in order: topk hands out integers whatever it was given."""

    def positions(self, length, device):
        noise = torch.rand(length, device=device)
        return noise.topk(self.keep).indices.sort().values  # ok: TL201


class Recogniser(nn.Module):
    def __init__(self, sampler: Subsample, feats: int = 4, classes: int = 2):
        super().__init__()
        self.sampler, self.head = sampler, nn.Linear(feats, classes)

    def forward(self, clip):
        return self.head(self.sampler(clip).mean(1))


def demonstrate():
    clip = torch.randn(2, 10, 4)
    for cls, works in (
        (StridedSubsample, False), (CentredSubsample, False), (WholeStrideSubsample, True), (RoundedSubsample, True),
        (DrawnSubsample, True),
    ):
        try:
            assert Recogniser(cls(4))(clip).shape == (2, 2)
            ok = True
        except (RuntimeError, IndexError) as err:
            assert "index" in str(err), err
            ok = False
        assert ok is works, cls
