"""What comes from code that is not seen has an order that is not known."""

import torch
from torch import nn


def of_unknown_module(model, x):
    return model(x).transpose(1, 2).view(x.size(0), -1)  # ok: TL205


def of_attribute(batch):
    return batch.image.transpose(1, 2).view(2, -1)  # ok: TL205


def of_two_dimensions(x):
    return x.transpose(-2, -1).view(-1, 3)  # ok: TL205  it may have two dimensions, and keep them


def of_numpy(array):
    import numpy as np

    return np.transpose(array).view(np.uint8)  # ok: TL205


def of_argument(x):
    batch, length, width = x.shape
    return x.transpose(1, 2).view(batch, width * length)  # expect: TL205  an argument is taken to be in order


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 3, batch_first=True)
        self.plain_lstm = nn.LSTM(4, 3)

    def forward(self, x):
        out, _ = self.lstm(x)
        return out.view(x.size(0), -1)  # expect: TL205

    def last(self, x):
        out, _ = self.lstm(x)
        return out[:, -1].view(x.size(0), 3)  # ok: TL205

    def time_first(self, x):
        out, _ = self.plain_lstm(x)
        return out.view(x.size(0), -1)  # ok: TL205


def demonstrate():
    x = torch.rand(2, 3, 4)
    for call in (of_argument, Recurrent()):
        try:
            call(x)
            raise AssertionError("merged")
        except RuntimeError as error:
            assert "view size is not compatible" in str(error)
    Recurrent().last(x), Recurrent().time_first(x)
    of_unknown_module(lambda t: t.transpose(1, 2).contiguous().transpose(1, 2), x)
    of_two_dimensions(torch.rand(3, 3))
