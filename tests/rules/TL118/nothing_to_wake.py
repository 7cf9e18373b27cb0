"""A part without a mode, and modules that nobody trains."""
from torch import nn


class Modeless(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 4, 1), nn.ReLU())
        self.head = nn.Conv2d(4, 2, 1)
        self.body.eval()  # ok: TL118  computes the same in both modes

    def forward(self, x):
        return self.head(self.body(x))


class Layered(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 2)
        self.second = nn.GELU()

    def forward(self, x):
        return self.second(self.first(x))


class Deeper(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = Layered()
        self.head = nn.Linear(2, 2)
        self.body.eval()  # ok: TL118

    def forward(self, x):
        return self.head(self.body(x))


class Loss(nn.Module):
    """Around a frozen network: nothing of it learns."""

    def __init__(self, network: nn.Module):
        super().__init__()
        self.network = network
        self.network.eval()  # ok: TL118
        self.criterion = nn.MSELoss()

    def forward(self, x, y):
        return self.criterion(self.network(x), self.network(y))


class Pipeline(nn.Module):
    """What stands around the model is not known to learn, and nothing switches gradients off."""

    def __init__(self, prepare: nn.Module, model: nn.Module):
        super().__init__()
        self.prepare = prepare
        self.model = model.eval()  # ok: TL118

    def forward(self, x):
        return self.model(self.prepare(x))


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5))
        self.head = nn.Linear(2, 1)
        self.eval()  # ok: TL118  all of it, for good

    def forward(self, x):
        return self.head(self.body(x))


class Measured(nn.Module):
    """The constructor wakes all of it again."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5))
        self.width = self.measure()
        self.head = nn.Linear(self.width, 2)
        self.train()

    def measure(self):
        self.body.eval()  # ok: TL118
        return self.body[0].out_features

    def forward(self, x):
        return self.head(self.body(x))


class Extractor(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5))
        self.head = nn.Linear(2, 2)
        self.body.eval()  # ok: TL118  every parameter is frozen below
        for parameter in self.parameters():
            parameter.requires_grad = False

    def forward(self, x):
        return self.head(self.body(x))


class FineTuned(nn.Module):
    """Only normalises with what it knows while it is built; all of it learns."""

    def __init__(self, head: nn.Module):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 4, 1), nn.BatchNorm2d(4))
        self.body.eval()  # ok: TL118
        self.body.requires_grad_()
        for parameter in self.body.parameters():
            parameter.requires_grad = True
        self.head = head

    def forward(self, x):
        return self.head(self.body(x))


class Meter:
    """No Module."""

    def __init__(self, network: nn.Module):
        self.network = network
        self.network.eval()  # ok: TL118
        self.head = nn.Linear(2, 2)


class Woken(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = Dropping()
        self.head = nn.Linear(2, 2)
        self.body.eval()  # expect: TL118

    def forward(self, x):
        return self.head(self.body(x))


class Dropping(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(x)


def demonstrate():
    for kind in (Modeless, Deeper, Woken):
        assert kind().train().body.training, kind
    assert all(parameter.requires_grad for parameter in FineTuned(nn.Identity()).parameters())
    assert not any(parameter.requires_grad for parameter in Extractor().parameters())
