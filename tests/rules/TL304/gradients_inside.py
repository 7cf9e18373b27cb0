"""A network whose own forward asks for a gradient, in evaluation as well: no_grad() around it would raise."""
import torch
from torch import nn

held = []


class Adapting(nn.Module):
    def __init__(self, mode="adapt"):
        super().__init__()
        self.layer = nn.Linear(2, 2)
        self.mode = mode

    def forward(self, x):
        if self.mode == "adapt":
            return self.adapted(x)
        return self.layer(x)

    def adapted(self, x):
        loss = self.layer(x).pow(2).sum()
        (slope,) = torch.autograd.grad(loss, [self.layer.weight])
        return x @ (self.layer.weight - 0.1 * slope).t()


class Penalised(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)
        self.penalty = None

    def forward(self, x):
        out = self.layer(x)
        if self.training:
            (slope,) = torch.autograd.grad(out.sum(), [self.layer.weight], create_graph=True)
            self.penalty = slope.pow(2).sum()
        return out


class Trainer:
    def __init__(self):
        self.model = Adapting()
        self.other = Penalised()

    def validate(self, batches):
        self.model.eval()  # ok: TL304  adapted() needs gradients
        for x in batches:
            held.append(self.model(x))

    def validate_other(self, batches):
        self.other.eval()  # expect: TL304  forward() asks for gradients in training alone
        for x in batches:
            held.append(self.other(x))


def validate(batches):
    model = Adapting()
    model.eval()  # ok: TL304
    for x in batches:
        held.append(model(x))


def demonstrate():
    batches = [torch.ones(1, 2)] * 2
    for run in (Trainer().validate, validate):
        run(batches)
        try:
            with torch.no_grad():
                run(batches)
        except RuntimeError as error:
            assert "does not require grad" in str(error)
        else:
            raise AssertionError("autograd.grad() without a graph")
    held.clear()
    Trainer().validate_other(batches)
    assert held[0].requires_grad
    with torch.no_grad():
        Trainer().validate_other(batches)
