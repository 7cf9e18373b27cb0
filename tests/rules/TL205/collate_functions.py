"""A collate function hands out time-major batches as views; the model that gets them flattens."""

import torch
from torch import nn
from torch.utils.data import DataLoader


def time_first(samples):
    images = torch.stack([image for image, _ in samples])
    labels = torch.stack([label for _, label in samples])
    return images.transpose(0, 1), labels


def batch_first(samples):
    images = torch.stack([image for image, _ in samples])
    return images, torch.stack([label for _, label in samples])


class TimeFirst:
    def __call__(self, samples):
        images, labels = batch_first(samples)
        return images.transpose(0, 1), labels


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 2)

    def forward(self, x):
        length, batch, width = x.shape
        return self.linear(x.view(length * batch, width))  # expect: TL205


class OtherNet(Net):
    def forward(self, x):
        length, batch, width = x.shape
        return self.linear(x.view(length * batch, width))  # ok: TL205  its batches are in order


def train(model, loader):
    return [model(images).sum() for images, _ in loader]


def fit(model, loader):
    for images, labels in loader:
        flat = images.view(images.size(0) * images.size(1), images.size(2))  # expect: TL205
        model(images.contiguous()), flat


def main(samples):
    loader = DataLoader(samples, batch_size=2, collate_fn=time_first)
    for images, labels in loader:
        Net()(images)
    for images, labels in DataLoader(samples, batch_size=2, collate_fn=batch_first):
        OtherNet()(images)
    fit(OtherNet(), DataLoader(samples, batch_size=2, collate_fn=TimeFirst()))


def by_pattern(x):
    from einops import rearrange

    pixels = rearrange(x, "b c h w -> b h w c")
    batch = pixels.size(0)
    return pixels.view(batch, -1)  # expect: TL205


def made_contiguous(x):
    batch, length, width = x.shape
    y = x.transpose(1, 2)
    if not y.is_contiguous():
        y = y.contiguous()
    return y.view(batch, length * width)  # ok: TL205


def asks_first(x):
    y = x.transpose(1, 2)
    if y.is_contiguous():
        return y.view(x.size(0), -1)  # ok: TL205
    return y.reshape(x.size(0), -1)  # ok: TL205


def demonstrate():
    samples = [(torch.rand(3, 4), torch.tensor(0)), (torch.rand(3, 4), torch.tensor(1))]
    for call in (main, lambda s: fit(OtherNet(), DataLoader(s, 2, collate_fn=TimeFirst()))):
        try:
            call(samples)
            raise AssertionError("merged")
        except RuntimeError as error:
            assert "view size is not compatible" in str(error)
    made_contiguous(torch.rand(2, 3, 4)), asks_first(torch.rand(2, 3, 4))
