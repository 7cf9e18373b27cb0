"""A call that gives a method more than it takes means another method of that name, unless it is called of the class."""
import torch
from torch import nn


class Placed:
    def __init__(self, classes):
        self.classes = classes

    def transition(self, share, device):
        share = share.unsqueeze(1).to(device)
        return share * torch.eye(self.classes, device=device).unsqueeze(0)  # ok: TL204


class Unplaced:
    def __init__(self, classes):
        self.classes = classes

    def transition(self, share):
        share = share.unsqueeze(1)
        return share * torch.eye(self.classes).unsqueeze(0)  # ok: TL204  each call gives a device: none can mean this

    def decay(self, share):
        share = share.unsqueeze(1)
        return share * torch.eye(self.classes).unsqueeze(0)  # expect: TL204

    def mixture(self, share):
        share = share.unsqueeze(1)
        return share * torch.eye(self.classes).unsqueeze(0)  # expect: TL204


class Diffusion(nn.Module):
    def __init__(self, schedule, classes=3):
        super().__init__()
        self.schedule = schedule
        self.share = nn.Linear(classes, 1)

    def forward(self, x):
        share = self.share(x).sigmoid()
        return (self.schedule.transition(share, x.device) @ x.unsqueeze(2)).squeeze(2)


class Decaying(nn.Module):
    def __init__(self, rates, classes=3):
        super().__init__()
        self.rates = rates
        self.share = nn.Linear(classes, 1)

    def forward(self, x):
        share = self.share(x).sigmoid()
        mixed = Unplaced.mixture(self.rates, share)
        return ((self.rates.decay(share) + mixed) @ x.unsqueeze(2)).squeeze(2)


def on_cuda(module):
    return module.cuda()


def demonstrate():
    x = torch.rand(2, 3)
    assert Diffusion(Placed(3))(x).shape == Decaying(Unplaced(3))(x).shape == (2, 3)
    try:
        Unplaced(3).transition(x, x.device)
        raise AssertionError("the call fits")
    except TypeError:
        pass
