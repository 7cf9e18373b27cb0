"""A video pipeline decodes in the dtype of its settings, which is brain float; the array writer at its end knows no such type.

source: kijai/ComfyUI-WanVideoWrapper#991, vladmandic/sdnext#4396 (Got unsupported ScalarType BFloat16)
rules: [TL306]
"""
import dataclasses

import numpy as np
import torch
from torch import nn


@dataclasses.dataclass
class Options:
    frames: int = 2
    compute: torch.dtype = torch.bfloat16


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.ConvTranspose2d(4, 3, 2, stride=2)

    def forward(self, z):
        return self.up(z).tanh()


class Pipeline:
    def __init__(self, options: Options):
        self.options = options
        self.decoder = Decoder().to(torch.bfloat16)

    @torch.inference_mode()
    def decode(self, z):
        frames = [self.decoder(f.to(torch.bfloat16)[None])[0] for f in z]
        return (torch.stack(frames) / 2 + 0.5).clamp(0, 1)

    def arrays(self, video):
        video = video.permute(0, 2, 3, 1)
        return video.cpu().numpy()  # expect: TL306

    def __call__(self, z):
        return [np.round(f * 255).astype(np.uint8) for f in self.arrays(self.decode(z))]


class PipelineFixed(Pipeline):
    def arrays(self, video):
        video = video.permute(0, 2, 3, 1)
        return video.float().cpu().numpy()  # ok: TL306


class PipelineBytes(Pipeline):
    """The rounding is done by torch; bytes are no problem."""

    def arrays(self, video):
        levels = (video.permute(0, 2, 3, 1) * 255).round().to(torch.uint8)
        return levels.cpu().numpy() / 255.0  # ok: TL306


class PipelineHalf(Pipeline):
    def __init__(self, options: Options):
        super().__init__(options)
        self.decoder = Decoder().half()

    @torch.inference_mode()
    def decode(self, z):
        return self.decoder(z.half()).clamp(0, 1)

    def arrays(self, video):
        return video.permute(0, 2, 3, 1).cpu().numpy()  # ok: TL306


def demonstrate():
    torch.manual_seed(0)
    z = torch.randn(2, 4, 3, 3)
    try:
        Pipeline(Options())(z)
        raise AssertionError("numpy took bfloat16")
    except TypeError as err:
        assert "BFloat16" in str(err)
    for kind in (PipelineFixed, PipelineBytes, PipelineHalf):
        assert kind(Options())(z)[0].shape == (6, 6, 3)
