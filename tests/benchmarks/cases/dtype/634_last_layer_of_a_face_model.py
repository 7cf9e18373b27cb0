"""A face recogniser runs its body in the region and its last linear layer in full precision; one variant forgot the cast at the door.

source: face-recognition backbones with an fp16 switch (`self.fc(x.float() if self.fp16 else x)`); pytorch/pytorch#79085
rules: [TL409]
"""
import torch
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class FaceNet(nn.Module):
    def __init__(self, width=4, features=6):
        super().__init__()
        self.conv, self.act = nn.Conv2d(3, width, 3, padding=1), nn.PReLU(width)
        self.fc, self.features = nn.Linear(width * 16, features), nn.BatchNorm1d(features)

    def forward(self, x):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            x = self.act(self.conv(x))
            x = torch.flatten(x, 1)
            with torch.autocast(DEVICE_TYPE, enabled=False):
                x = self.fc(x)  # expect: TL409
                return self.features(x)


class FaceNetCast(FaceNet):
    def forward(self, x):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            x = self.act(self.conv(x))
            x = torch.flatten(x, 1)
            with torch.autocast(DEVICE_TYPE, enabled=False):
                x = self.fc(x.float())  # ok: TL409
                return self.features(x)


class FaceNetNormOnly(FaceNet):
    """The layer stays in the region; only the norm, which takes bf16, is outside of it."""

    def forward(self, x):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            x = self.fc(torch.flatten(self.act(self.conv(x)), 1))
            with torch.autocast(DEVICE_TYPE, enabled=False):
                return self.features(x)  # ok: TL409


class FaceNetAfter(FaceNet):
    """After the region, with a cast."""

    def forward(self, x):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            x = torch.flatten(self.act(self.conv(x)), 1)
        return self.features(self.fc(x.to(self.fc.weight.dtype)))  # ok: TL409


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(3, 3, 4, 4, device=DEVICE_TYPE)
    try:
        FaceNet().to(DEVICE_TYPE)(x)
        raise AssertionError("bf16 features entered a float32 layer")
    except RuntimeError as err:
        assert "dtype" in str(err), err
    for cls in (FaceNetCast, FaceNetNormOnly, FaceNetAfter):
        assert cls().to(DEVICE_TYPE)(x).shape == (3, 6)
