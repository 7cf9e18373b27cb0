"""Something puts the part into eval mode again, or takes its train() away."""
from torch import nn


class Frozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5))
        self.head = nn.Linear(2, 2)
        self.body.eval()  # expect: TL118

    def forward(self, x):
        return self.head(self.body(x))


class ByTrain(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5))
        self.head = nn.Linear(2, 2)
        self.freeze()

    def freeze(self):
        self.body.eval()  # ok: TL118

    def train(self, mode: bool = True):
        super().train(mode)
        self.freeze()
        return self

    def forward(self, x):
        return self.head(self.body(x))


class ByForward(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5))
        self.head = nn.Linear(2, 2)
        self.body.eval()  # ok: TL118

    def forward(self, x):
        self.body.eval()
        return self.head(self.body(x))


class Disabled(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5))
        self.head = nn.Linear(2, 2)
        self.body.eval()  # ok: TL118
        self.body.train = lambda mode=True: self.body

    def forward(self, x):
        return self.head(self.body(x))


class Hidden(nn.Module):
    """A list hides the part from train()."""

    def __init__(self):
        super().__init__()
        body = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5))
        body.eval()  # ok: TL118
        self.bodies = [body]  # note: TL105
        self.head = nn.Linear(2, 2)

    def forward(self, x):
        return self.head(self.bodies[0](x))


def demonstrate():
    assert Frozen().train().body.training
    assert not ByTrain().train().body.training
    assert not Disabled().train().body.training
    assert not Hidden().train().bodies[0].training
