"""A depth predictor served in half stretches its map to 16 bits before it is written: the far plane becomes infinite.

source: monocular-depth pipelines that write 16-bit PNG files from a half model; NVIDIA/apex#1052 kind (numbers beyond half's range)
rules: [TL302]
"""
import torch
from torch import nn

FULL_SCALE = {8: 255.0, 16: 65535.0}


class Depth(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Conv2d(3, 1, 1)

    def forward(self, x):
        d = self.head(x)
        low, high = d.amin(), d.amax()
        return (d - low) / (high - low)


class Writer:
    def stretch(self, depth):
        return depth * 65535.0  # expect: TL302

    def grey(self, depth):
        return (depth * FULL_SCALE[8]).round()  # ok: TL302

    def __call__(self, depth):
        return {"raw": self.stretch(depth), "grey": self.grey(depth)}


class WideWriter(Writer):
    def stretch(self, depth):
        return depth.to(torch.float32) * 65535.0  # ok: TL302


class HostWriter(Writer):
    """The numbers are widened on the host by the array library."""

    def stretch(self, depth):
        return torch.from_numpy(depth.cpu().numpy().astype("float32") * FULL_SCALE[16])  # ok: TL302


class MetricWriter(Writer):
    scale = 256.0

    def stretch(self, depth):
        return depth * 80.0 * self.scale  # ok: TL302


class Pipeline:
    def __init__(self, model, writer):
        self.model, self.writer = model.half().eval(), writer()

    @torch.inference_mode()
    def __call__(self, images):
        return self.writer(self.model(images.half()))


def serve(folder, model=None):
    run = Pipeline(model or Depth(), Writer)
    return [run(images) for images in folder]


def demonstrate():
    torch.manual_seed(0)
    images = torch.rand(1, 3, 4, 4)
    out = Pipeline(Depth(), Writer)(images)
    assert out["raw"].isinf().any() and not out["grey"].isinf().any()
    for writer in (WideWriter, HostWriter, MetricWriter):
        assert torch.isfinite(Pipeline(Depth(), writer)(images)["raw"]).all(), writer
