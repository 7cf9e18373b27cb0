"""A depth head and a PReLU are put into a float32 island, but the features that reach them are bf16 still.

source: mk-minchul/AdaFace#127 and pytorch/pytorch#42358 (mismatched PReLU and layers); dense prediction heads
rules: [TL409]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class DepthNet(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.stem = nn.Conv2d(3, dim, 3, padding=1)
        self.depth = nn.Conv2d(dim, 1, 1)
        self.norm = nn.BatchNorm2d(dim)
        self.act = nn.PReLU()

    def forward(self, image):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            feats = self.stem(image)
            with torch.autocast(DEVICE_TYPE, enabled=False):
                depth = self.depth(feats)  # expect: TL409
            return F.softplus(depth)

    def gated(self, image):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            feats = self.stem(image)
            with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16, enabled=False):
                return self.act(feats).mean((2, 3))  # expect: TL409


class DepthNetFixed(DepthNet):
    def forward(self, image):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            feats = self.stem(image)
            with torch.autocast(DEVICE_TYPE, enabled=False):
                depth = self.depth(feats.float())  # ok: TL409
            return F.softplus(depth)

    def gated(self, image):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            feats = self.stem(image).float()
            with torch.autocast(DEVICE_TYPE, enabled=False):
                return self.act(feats).mean((2, 3))  # ok: TL409

    def normalised(self, image):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            feats = self.stem(image)
            with torch.autocast(DEVICE_TYPE, enabled=False):
                pooled = F.avg_pool2d(self.norm(feats), 2)  # ok: TL409
        return pooled

    def from_image(self, image):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            coarse = self.stem(image).mean()
            with torch.autocast(DEVICE_TYPE, enabled=False):
                fine = self.stem(image)  # ok: TL409
            return fine + coarse


def demonstrate():
    torch.manual_seed(0)
    image = torch.randn(2, 3, 4, 4, device=DEVICE_TYPE)
    bad, good = DepthNet().to(DEVICE_TYPE), DepthNetFixed().to(DEVICE_TYPE)
    for call in (bad, bad.gated):
        try:
            call(image)
            raise AssertionError("float32 weights met bf16 features")
        except RuntimeError as err:
            assert "BFloat16" in str(err), err
    assert good(image).dtype is torch.float32
    assert good.gated(image).dtype is torch.float32
    assert good.normalised(image).shape == (2, 8, 2, 2)
    assert good.from_image(image).dtype is torch.float32
