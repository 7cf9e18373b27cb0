"""A data set hands out float64 samples, a DataLoader stacks them, and a network takes the batch."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Curves(Dataset):
    def __init__(self, count):
        self.x = np.random.randn(count, 4)
        self.y = np.random.randint(0, 2, count)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return torch.from_numpy(self.x[index]), torch.tensor(self.y[index])  # expect: TL203


class NarrowCurves(Curves):
    def __getitem__(self, index):
        return torch.from_numpy(self.x[index]).float(), torch.tensor(self.y[index])  # ok: TL203


class CurvesCastLater(Curves):
    def __getitem__(self, index):
        return torch.from_numpy(self.x[index]), torch.tensor(self.y[index])  # ok: TL203


class CurvesCollated(Curves):
    def __getitem__(self, index):
        return torch.from_numpy(self.x[index]), torch.tensor(self.y[index])  # ok: TL203


def narrowed(samples):
    x, y = zip(*samples)
    return torch.stack(x).float(), torch.stack(y)


def loaders(count):
    return DataLoader(Curves(count), batch_size=4, shuffle=True), DataLoader(NarrowCurves(count))


def train(count):
    net = nn.Linear(4, 2)
    wide, narrow = loaders(count)
    for x, y in narrow:
        F.cross_entropy(net(x), y).backward()
    for x, y in DataLoader(CurvesCastLater(count)):
        F.cross_entropy(net(x.float()), y).backward()
    for x, y in DataLoader(CurvesCollated(count), collate_fn=narrowed):
        F.cross_entropy(net(x), y).backward()
    for step, (x, y) in enumerate(wide):
        F.cross_entropy(net(x), y).backward()


def demonstrate():
    try:
        train(8)
    except RuntimeError as error:
        assert "dtype" in str(error)
    else:
        raise AssertionError("float64 was accepted beside float32")
    assert next(iter(DataLoader(Curves(4))))[0].dtype is torch.float64
