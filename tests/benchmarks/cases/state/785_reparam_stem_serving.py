"""A re-parameterised convolution folds its branches when evaluation starts; the serving script casts and loads afterwards.

source: structural re-parameterisation layers with a train()/eval() switch; classes written from scratch
rules: [TL103, TL303]
"""
import torch
import torch.nn.functional as F
from torch import nn


class BranchedConv(nn.Module):
    def __init__(self, channels: int = 4):
        super().__init__()
        self.wide = nn.Conv2d(channels, channels, 3, padding=1)
        self.point = nn.Conv2d(channels, channels, 1)

    def forward(self, x):
        return F.relu(self.wide(x) + self.point(x))


class RepStem(BranchedConv):
    def __init__(self, channels: int = 4):
        super().__init__(channels)
        self.kernel = None
        self.shift = None

    @torch.no_grad()
    def fold(self):
        return self.wide.weight + F.pad(self.point.weight, (1, 1, 1, 1)), self.wide.bias + self.point.bias

    def train(self, mode: bool = True):
        super().train(mode)
        if mode:
            self.kernel = self.shift = None
        else:
            self.kernel, self.shift = self.fold()  # expect: TL103
        return self

    def forward(self, x):
        if self.kernel is None:
            return super().forward(x)
        return F.relu(F.conv2d(x, self.kernel, self.shift, padding=1))


def export_plain_conv(channels: int = 4) -> nn.Conv2d:
    """One-shot conversion to a plain layer: nothing is cached on a module that trains on."""
    stem = RepStem(channels)
    conv = nn.Conv2d(channels, channels, 3, padding=1)
    weight, bias = stem.fold()
    conv.weight.data.copy_(weight)
    conv.bias.data.copy_(bias)
    return conv.eval().half()  # ok: TL303


def serve(weights: dict, half: bool = True) -> RepStem:
    stem = RepStem()
    stem.load_state_dict(weights)
    stem.eval()
    if half:
        stem.half()  # expect: TL303
    return stem


def serve_cast_first(weights: dict, half: bool = True) -> RepStem:
    stem = RepStem()
    stem.load_state_dict(weights)
    if half:
        stem.half()  # ok: TL303
    stem.eval()
    return stem


def serve_branched(weights: dict) -> BranchedConv:
    net = BranchedConv()
    net.load_state_dict(weights)
    net.eval()
    net.half()  # ok: TL303
    return net


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(1, 4, 5, 5)
    source = BranchedConv()
    sd = source.state_dict()
    try:
        serve(sd)(x.half())
        raise AssertionError("a float kernel should not meet a half input")
    except RuntimeError:
        pass
    with torch.no_grad():
        assert serve_cast_first(sd)(x.half()).dtype == torch.float16
        assert serve_branched(sd)(x.half()).dtype == torch.float16
        assert export_plain_conv()(x.half()).dtype == torch.float16
        late = RepStem().eval()
        late.load_state_dict(sd)
        assert not torch.allclose(late(x), source(x), atol=1e-4), "the folded kernel is that of the old weights"
        late.train()
        late.eval()
        assert torch.allclose(late(x), source(x), atol=1e-5)
