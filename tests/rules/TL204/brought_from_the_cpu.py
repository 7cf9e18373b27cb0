"""What callers bring from the CPU, and results that they move afterwards, meet tensors of the CPU only."""

import numpy as np
import torch
from torch import nn

THERE = "cuda" if torch.cuda.is_available() else "meta"


def to_there(*tensors):
    return [None if one is None else one.to(THERE) for one in tensors]


class Steps:
    def __init__(self, net: nn.Module):
        self.net = net.to(THERE)

    def hide(self, x, share: float):
        hidden = torch.from_numpy(np.full(tuple(x.shape), share > 0.5))  # ok: TL204  a batch of the loader
        return x.masked_scatter(hidden, x[hidden].clone().fill_(0.0)), hidden

    def padded(self, x):
        return torch.cat([x, torch.zeros(2, x.size(1))], 0)  # ok: TL204  moved by the caller

    def widened(self, x):
        return torch.cat([x, torch.zeros(2, x.size(1))], 0)  # expect: TL204

    def step(self, batch):
        x, hidden = self.hide(batch, 0.7)
        x, hidden = to_there(x, hidden)
        return self.net(x), hidden

    def padded_step(self, batch):
        x = self.padded(batch)
        return self.net(x.to(THERE))

    def widened_step(self, batch):
        x = batch.to(THERE)
        return self.net(self.widened(x))


class Peaks(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 4)

    def forward(self, x):
        heat = self.net(x)
        return places(heat.detach().cpu().unsqueeze(0)), places_there(heat)

    def counted(self, rows):
        numbers = np.zeros(3, dtype="int64")
        return self.one_hot(torch.Tensor(numbers).view(-1, 1)) * self.net(rows)  # note: TL202

    def one_hot(self, labels):
        rows = torch.zeros(labels.size(0), 4)  # ok: TL204  the labels come from NumPy
        rows.scatter_(1, labels.long(), 1.0)
        return rows.to(self.net.weight)


def places(pred):
    best = pred.flatten(1).max(1)[1].float().view(-1, 1)
    shift = torch.full((1, 1), 0.25)  # ok: TL204  the caller brings it from the CPU
    return best + shift


def places_there(pred):
    best = pred.flatten(1).max(1)[1].float().view(-1, 1)
    shift = torch.full((1, 1), 0.25)  # expect: TL204
    return best + shift


def nearest_loss(scores: torch.Tensor):
    found = (scores > 0).type(torch.LongTensor)
    other = torch.zeros(4, dtype=torch.long)  # ok: TL204  a type of the CPU moves there
    shares = torch.ones(4)  # expect: TL204
    return found * other, (scores > 0).type(torch.float32) * shares


def demonstrate():
    steps, batch = Steps(nn.Linear(4, 4)), torch.zeros(3, 4)
    hidden = steps.hide(batch, 0.7)[1]
    assert hidden.device.type == "cpu" and steps.step(batch)[0].device.type == THERE
    assert steps.padded_step(batch).device.type == THERE
    peaks = Peaks()
    assert peaks.counted(torch.zeros(3, 4)).shape == (3, 4) and len(peaks(torch.zeros(2, 4))) == 2
    pinned = torch.zeros(4, device=THERE)
    for call in (
        lambda: steps.widened_step(batch),
        lambda: places_there(torch.zeros(2, 4, device=THERE)),
        lambda: (pinned > 0).type(torch.float32) * torch.ones(4),
    ):
        try:
            call()
            raise AssertionError("tensors of two devices were combined")
        except RuntimeError as error:
            assert "device" in str(error)
