"""Colour noise along the principal axes of the pictures is drawn in numpy; added as it is, it makes the whole batch double.

source: AlexNet-style lighting transforms ported by hand ("Input type (double) and bias type (float)"); kuaikuaikim/dface#33 kind
rules: [TL203]
"""
import numpy as np
import torch
from torch import nn

AXES = np.array([[-0.57, 0.72, 0.40], [-0.58, -0.01, -0.81], [-0.59, -0.69, 0.42]])
SIZES = np.array([0.22, 0.019, 0.0045])


class Lighting:
    def __init__(self, strength, seed=0):
        self.strength, self.dice = strength, np.random.RandomState(seed)

    def shift(self):
        draw = self.dice.normal(0.0, self.strength, size=3)
        return AXES @ (draw * SIZES)

    def __call__(self, image):
        rgb = torch.from_numpy(self.shift())  # expect: TL203
        return image + rgb.view(3, 1, 1)


class LightingInPlace(Lighting):
    """The picture keeps its own type: the sum is written into it."""

    def __call__(self, image):
        rgb = torch.from_numpy(self.shift())  # ok: TL203
        out = image.clone()
        return out.add_(rgb.view(3, 1, 1))


class LightingLikeImage(Lighting):
    def __call__(self, image):
        rgb = torch.from_numpy(self.shift()).view(3, 1, 1)  # ok: TL203
        return image + rgb.type_as(image)


class LightingByGain(Lighting):
    """One number for the whole picture: a 0-dim double does not widen it."""

    def __call__(self, image):
        gain = torch.tensor(1 + self.dice.normal(0.0, self.strength))  # ok: TL203
        return image * gain


class Pictures(torch.utils.data.Dataset):
    def __init__(self, images, steps):
        self.images, self.steps = images, steps

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        image = self.images[i]
        for step in self.steps:
            image = step(image)
        return image


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 4, 3)

    def forward(self, x):
        return self.stem(x).amax((2, 3))


def epoch(kind=Lighting):
    data = Pictures(torch.rand(4, 3, 8, 8), [torch.clone, kind(0.1)])
    net = Net()
    return [net(x) for x in torch.utils.data.DataLoader(data, batch_size=2)]


def demonstrate():
    torch.manual_seed(0)
    try:
        epoch(Lighting)
        raise AssertionError("a double batch was convolved")
    except RuntimeError as err:
        assert "double" in str(err).lower(), err
    for kind in (LightingInPlace, LightingLikeImage, LightingByGain):
        assert len(epoch(kind)) == 2, kind
