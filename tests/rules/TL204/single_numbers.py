"""A single number on the CPU may meet any tensor, but it is no target of an in-place operation."""
import torch
import torch.nn.functional as F
from torch import nn


class Scaled(nn.Module):
    def forward(self, x):
        gain = torch.tensor(2.0)  # ok: TL204
        mean = torch.arange(8).float().mean()  # ok: TL204  a single number
        size = torch.tensor(x.size(1)) * 0.5  # ok: TL204
        return torch.where(x > 0, x * gain, torch.tensor(0.0)) + mean / size  # ok: TL204


class Totals(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 4)

    def forward(self, x):
        total = torch.tensor(0.0)  # expect: TL204
        for _ in range(2):
            total += self.head(x).mean()
        return total


class Sums(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 4)

    def forward(self, x):
        total = torch.tensor(0.0)  # ok: TL204  a new tensor, no target
        for _ in range(2):
            total = total + self.head(x).mean()
        return total


def train_epoch(model: nn.Module, loader, optimizer):
    total = torch.zeros(1)  # expect: TL204
    count = torch.tensor(0.0)  # ok: TL204  only numbers are added
    seen = torch.tensor(0.0)  # ok: TL204  item() leaves the device
    for image, target in loader:
        loss = F.cross_entropy(model(image), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach()
        count += len(target)
        seen += loss.item()  # note: TL307
    return total / count


class Trainer:
    def fit(self, net, loader):
        total = torch.tensor(0.0)  # expect: TL204
        kept = torch.tensor(0.0)  # ok: TL204  cpu() comes first
        for batch in loader:
            loss = self.loss_of(net, batch)
            loss.backward()
            total += loss
        kept += loss.detach().cpu()
        return total.item(), kept

    def loss_of(self, net, batch):
        return net(batch).mean()


def demonstrate():
    there = torch.device("cuda" if torch.cuda.is_available() else "meta")
    with there:
        x, totals, sums = torch.ones(2, 4), Totals(), Sums()
    assert Scaled()(x).device == sums(x).device == there
    try:
        totals(x)
        raise AssertionError("a CPU number took a value of another device")
    except (RuntimeError, AssertionError) as error:
        assert "device" in str(error)
