"""The transpose stands in one function, the view in another: helpers, methods, a collate function."""

import torch
from torch import nn
from torch.utils.data import DataLoader


def turned(x):
    return x.transpose(0, 1)


def flat(x):
    return x.view(-1, x.size(-1))  # expect: TL205


def flat_copy(x):
    return x.reshape(-1, x.size(-1))  # ok: TL205


def flat_elsewhere(x):
    return x.view(-1, x.size(-1))  # ok: TL205  called with what is in order


def by_helpers(x):
    length, batch, width = x.shape
    return turned(x).view(batch * length, width)  # expect: TL205


def passes_on(x):
    length, batch, width = x.shape
    both = flat(turned(x)) + flat_copy(turned(x)) + flat_elsewhere(turned(x).contiguous())
    return both.view(length, batch, width)


def collate(samples):
    images = torch.stack([image for image, _ in samples])
    labels = torch.stack([label for _, label in samples])
    return turned(images), labels


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 2)

    def split(self, x):
        batch, length, width = x.shape
        return x.view(batch, length, 2, width // 2).transpose(1, 2)

    def merge(self, x):
        batch, heads, length, width = x.shape
        return x.transpose(1, 2).view(batch, length, heads * width)  # expect: TL205

    def forward(self, x):
        return self.linear(self.merge(self.split(x).softmax(-1)))


def demonstrate():
    x = torch.rand(3, 2, 4)
    for call in (by_helpers, passes_on, Net()):
        try:
            call(x)
            raise AssertionError("merged")
        except RuntimeError as error:
            assert "view size is not compatible" in str(error)
    for images, _ in DataLoader([(x[0], x[0, 0]), (x[1], x[1, 0])], 2, collate_fn=collate):
        assert not images.is_contiguous()
