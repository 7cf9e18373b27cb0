"""Who takes the float64 tensor: a network, a loss, a Parameter, an operation of a module; or nobody who minds."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def run(model: nn.Module):
    x = torch.from_numpy(np.random.randn(2, 4))  # expect: TL203
    return model(x)


def run_local():
    net = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
    x = torch.tensor(np.random.randn(2, 4))  # expect: TL203
    y = torch.from_numpy(np.random.randn(2, 4)).float()  # ok: TL203
    return net(y), net(x)


def regression(model, x, prices: list):
    target = torch.from_numpy(np.array(prices) / 1000.0)  # expect: TL203
    return F.mse_loss(model(x).squeeze(-1), target.to(x.device))


def both_double():
    first, second = torch.from_numpy(np.random.rand(3)), torch.from_numpy(np.random.rand(3))  # ok: TL203
    return F.mse_loss(first, second)


def by_name(criterion, out, size: int):
    target = torch.from_numpy(np.random.uniform(0, 1, size))  # expect: TL203
    return criterion(out, target)


def start_from(table: np.ndarray):
    rows = np.vstack([table, np.random.uniform(-1, 1, (2, 4))])
    return nn.Embedding.from_pretrained(torch.from_numpy(rows))  # expect: TL203


def start_from_narrow(table: np.ndarray):
    rows = np.vstack([table, np.random.uniform(-1, 1, (2, 4))])
    return nn.Embedding.from_pretrained(torch.tensor(rows, dtype=torch.float32))  # ok: TL203


class Mixing(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.from_numpy(np.random.randn(4, 4)))  # expect: TL203
        self.layer = nn.Linear(4, 4)
        with torch.no_grad():
            self.layer.weight.copy_(torch.from_numpy(np.eye(4)))  # ok: TL203  copied into a float32 one

    def forward(self, x):
        return self.layer(x) @ self.weight


class Windowed(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.from_numpy(np.hanning(4)))  # expect: TL203
        self.register_buffer("edge", torch.from_numpy(np.hanning(4)))  # ok: TL203  cast where it is read

    def forward(self, x):
        return x * self.window + x * self.edge.to(x.dtype)


def numbers(model, x):
    share = torch.tensor(np.random.rand())  # ok: TL203  a single number
    rows = torch.zeros(2, 4)
    rows[0] = torch.from_numpy(np.random.rand(4))  # ok: TL203  assigned to a part
    return model(x * share + rows)


def on_purpose():
    net = nn.Linear(4, 4).double()
    return net(torch.from_numpy(np.random.rand(2, 4)))  # ok: TL203  the network is float64


def plotted():
    return torch.from_numpy(np.linspace(0, 1, 5)).cumsum(0)  # ok: TL203  no network takes it


def demonstrate():
    layer = nn.Linear(4, 4)
    for wrong in (lambda: run(layer), run_local, lambda: Mixing()(torch.ones(2, 4))):
        try:
            wrong()
            raise AssertionError("float64 was accepted beside float32")
        except RuntimeError as error:
            assert "dtype" in str(error)
    head = nn.Linear(4, 1)
    assert regression(head, torch.ones(2, 4), [900.0, 1100.0]).dtype is torch.float64
    assert by_name(F.mse_loss, torch.ones(3), 3).dtype is Windowed()(torch.ones(2, 4)).dtype is torch.float64
    assert start_from(np.ones((2, 4), dtype="float32")).weight.dtype is torch.float64
    assert start_from_narrow(np.ones((2, 4))).weight.dtype is torch.float32
    assert numbers(layer, torch.ones(2, 4)).dtype is both_double().float().dtype is torch.float32
    assert on_purpose().dtype is torch.float64
