"""An object hands out pictures with the channels moved; convolutions keep that order, and flattening asks for another."""
import torch
from torch import nn


class Camera:
    def pictures(self, count):
        return self.ordered(torch.randint(0, 9, (count, *(4, 4, 3))).float())

    def ordered(self, pictures):
        return pictures.permute(0, 3, 1, 2)


class Album:
    def prints(self, count):
        return torch.randint(0, 9, (count, *(3, 4, 4))).float()


class Watcher(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen, self.out = nn.Sequential(nn.Conv2d(3, 2, 3), nn.ReLU()), nn.Linear(8, 2)

    def flat(self, x):
        return x.view(x.size(0), -1)  # expect: TL205

    def forward(self, x):
        return self.out(self.flat(self.seen(x)))

    def watch(self, source):
        return self(source.pictures(2))


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen, self.out = nn.Sequential(nn.Conv2d(3, 2, 3), nn.ReLU()), nn.Linear(8, 2)

    def forward(self, x):
        x = self.seen(x)
        return self.out(x.view(x.size(0), -1))  # ok: TL205

    def read(self, source):
        return self(source.prints(2))


class Copier(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen, self.out = nn.Sequential(nn.Conv2d(3, 2, 3), nn.ReLU()), nn.Linear(8, 2)

    def forward(self, x):
        return self.out(self.seen(x).flatten(1))  # ok: TL205

    def copy(self, source):
        return self(source.pictures(2))


def demonstrate():
    try:
        Watcher().watch(Camera())
        raise AssertionError("merged")
    except RuntimeError as error:
        assert "view size is not compatible" in str(error)
    assert Reader().read(Album()).shape == Copier().copy(Camera()).shape == (2, 2)
