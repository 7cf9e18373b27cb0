"""Channel means given for 8-bit pixels are divided by 255 in numpy; the normalised pictures become double and the stem refuses them.

source: reports "Input type (torch.DoubleTensor) and weight type (torch.FloatTensor) should be the same" in preprocessing code
rules: [TL203]
"""
import numpy as np
import torch
from torch import nn

PIXEL_MEAN = (123.675, 116.28, 103.53)
PIXEL_STD = (58.395, 57.12, 57.375)


class Preprocess:
    def __init__(self):
        mean, std = np.array(PIXEL_MEAN) / 255.0, np.array(PIXEL_STD) / 255.0
        self.mean = torch.from_numpy(mean).view(3, 1, 1)  # expect: TL203
        self.std = torch.from_numpy(std).view(3, 1, 1)  # expect: TL203

    def __call__(self, image):
        return (image - self.mean) / self.std


class PreprocessFixed(Preprocess):
    def __init__(self):
        mean, std = np.array(PIXEL_MEAN) / 255.0, np.array(PIXEL_STD) / 255.0
        self.mean = torch.as_tensor(mean, dtype=torch.float32).view(3, 1, 1)  # ok: TL203
        self.std = torch.from_numpy(std).float().view(3, 1, 1)  # ok: TL203


class PreprocessLists(Preprocess):
    def __init__(self):
        self.mean = torch.tensor(PIXEL_MEAN).view(3, 1, 1) / 255.0  # ok: TL203
        self.std = torch.tensor(PIXEL_STD).view(3, 1, 1) / 255.0  # ok: TL203


class Detector(nn.Module):
    def __init__(self, preprocess):
        super().__init__()
        self.preprocess = preprocess
        self.stem = nn.Conv2d(3, 4, 3)

    def forward(self, images):
        batch = torch.stack([self.preprocess(im) for im in images])
        return self.stem(batch)


class BytesToUnit:
    """Pixels are 8-bit: torch's own division makes float32 of them."""

    def __call__(self, array):
        return torch.from_numpy(array).permute(2, 0, 1) / 255  # ok: TL203


def demonstrate():
    image = BytesToUnit()(np.zeros((6, 6, 3), dtype=np.uint8))
    assert image.dtype is torch.float32
    try:
        Detector(Preprocess())([image])
        raise AssertionError("double picture accepted")
    except RuntimeError as err:
        assert "type" in str(err), err
    for good in (PreprocessFixed(), PreprocessLists()):
        assert Detector(good)([image]).dtype is torch.float32
