"""A speech classifier pools with the last valid frame; the frame counts went through a true division per stride of the front end.

source: meaten/FlowChain-ICCV2023#3 (outputs[arange, last_index] with a floating last index); strided acoustic front ends
rules: [TL201]
"""
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Shape:
    strides: tuple = (2, 2)
    widths: list = field(default_factory=lambda: [4, 8])


class FrontEnd(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        dims = [1, *shape.widths]
        self.layers = nn.ModuleList(
            nn.Conv1d(i, o, s, stride=s) for i, o, s in zip(dims, dims[1:], shape.strides)
        )

    def frames(self, samples):
        left = samples
        for s in self.shape.strides:
            left = left / s  # expect: TL201
        return left

    def forward(self, wave, samples):
        h = wave[:, None]
        for layer in self.layers:
            h = layer(h).relu()
        return {"feats": h.transpose(1, 2), "sizes": self.frames(samples)}


class Classifier(nn.Module):
    front = FrontEnd

    def __init__(self, classes=3, shape=None):
        super().__init__()
        self.body = self.front(shape or Shape())
        self.out = nn.Linear(8, classes)

    def forward(self, wave, samples):
        got = self.body(wave, samples)
        feats, last = got["feats"], got["sizes"] - 1
        rows = torch.arange(len(feats), device=feats.device)
        return self.out(feats[rows, last])  # use: TL201


class FrontEndWhole(FrontEnd):
    """torch.div with a rounding mode keeps the integer type of its operand."""

    def frames(self, samples):
        left = samples
        for s in self.shape.strides:
            left = torch.div(left, s, rounding_mode="floor")  # ok: TL201
        return left


class ClassifierWhole(Classifier):
    front = FrontEndWhole


class RelativeFront(FrontEnd):
    """The share of the utterance is a real number that only weighs frames."""

    def forward(self, wave, samples):
        got = super().forward(wave, samples)
        share = samples / samples.max()  # ok: TL201
        got["feats"] = got["feats"] * share[:, None, None]
        got["sizes"] = (samples // 4).clamp(min=1)  # ok: TL201
        return got


class ClassifierShare(Classifier):
    front = RelativeFront


def demonstrate():
    torch.manual_seed(0)
    wave, samples = torch.randn(2, 16), torch.tensor([16, 8])
    try:
        Classifier()(wave, samples)
        raise AssertionError("a floating frame number was accepted")
    except IndexError as err:
        assert "indices" in str(err)
    for cls in (ClassifierWhole, ClassifierShare):
        assert cls()(wave, samples).shape == (2, 3)
