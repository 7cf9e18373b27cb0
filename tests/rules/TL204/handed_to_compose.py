"""What is handed to the transforms of a data set works on one sample, on the CPU; the same code elsewhere may not."""
import torch
from torch import nn


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, x):
        for transform in self.transforms:
            x = transform(x)
        return x


class Pictures:
    def __init__(self, count, transform=None):
        self.count, self.transform = count, transform

    def __getitem__(self, index):
        return self.transform(torch.full((3, 2), float(index)))


mirrored = lambda x: torch.cat((x[1:2].index_select(1, torch.tensor([1, 0])), x[2:, :], x[:1, :]), 0)  # ok: TL204
turned = lambda x: torch.cat((x[1:2].index_select(1, torch.tensor([1, 0])), x[2:, :], x[:1, :]), 0)  # expect: TL204


def dimmed(x):
    return x.clamp(0, 1) * torch.linspace(0, 1, x.shape[-1])  # ok: TL204


def shaded(x):
    return x.clamp(0, 1) * torch.linspace(0, 1, x.shape[-1])  # ok: TL204


def faded(logits):
    return logits.clamp(0, 1) * torch.linspace(0, 1, logits.shape[-1])  # expect: TL204


def weighed(logits):
    return logits.clamp(0, 1) * torch.linspace(0, 1, logits.shape[-1])  # expect: TL204


def pictures(count):
    found = Pictures(count, transform=shaded)
    found.transform = Compose([found.transform, mirrored, dimmed])
    return found


def weighed_pictures(net, count):
    return net(Pictures(count, transform=weighed)[0]), weighed(net(torch.ones(1, 2).cuda()))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x):
        return faded(turned(self.layer(x)))


def demonstrate():
    assert pictures(2)[1].shape == (3, 2)
    with torch.device("meta"):
        outputs = torch.rand(3, 2)
    for elsewhere in (faded, weighed):
        try:
            elsewhere(outputs)
            raise AssertionError("tensors of two devices were combined")
        except (RuntimeError, NotImplementedError) as error:
            assert "device" in str(error) or "meta" in str(error)
