"""Modules without parameters lose nothing in a list, unless their mode matters."""
import torch
from torch import nn


class Square(nn.Module):
    def forward(self, x):
        return x * x


class Noise(nn.Module):
    def forward(self, x):
        return x + torch.randn_like(x) if self.training else x


class Average(nn.Module):
    """Its only part is stateless as well."""

    def __init__(self, size: int):
        super().__init__()
        self.pool = nn.AvgPool1d(size, stride=1)

    def forward(self, x):
        return self.pool(x)


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.square = Square()
        self.normed = nn.BatchNorm1d(2)

    def forward(self, x):
        return self.normed(self.square(x))


class Trend(nn.Module):
    def __init__(self, sizes=(1, 3)):
        super().__init__()
        self.averages = [Average(size) for size in sizes]  # note: TL105
        self.scales = [Scaled() for _ in sizes]  # expect: TL105

    def forward(self, x):
        return [scale(average(x)) for scale, average in zip(self.scales, self.averages, strict=True)]


class Activations(nn.Module):
    def __init__(self, rate: float = 0.5):
        super().__init__()
        self.acts = {"relu": nn.ReLU(), "gelu": nn.GELU()}  # note: TL105
        self.losses = [nn.MSELoss(), nn.CrossEntropyLoss(reduction="none")]  # note: TL105
        self.weighted = {"mse": nn.MSELoss(), "ce": nn.CrossEntropyLoss(weight=torch.ones(3))}  # expect: TL105
        self.own = [Square(), nn.Sequential(nn.Identity(), nn.Tanh())]  # note: TL105
        self.drops = [nn.Dropout(rate), nn.Dropout(rate)]  # expect: TL105
        self.noises = [Noise(), Noise()]  # expect: TL105
        self.normed = [nn.ReLU(), nn.Sequential(nn.LayerNorm(3), nn.ReLU())]  # expect: TL105
        self.kinds = {"relu": nn.ReLU, "gelu": nn.GELU}  # ok: TL105
        self.functions = [torch.relu, torch.tanh]  # ok: TL105
        self.kept = nn.ModuleList([nn.Dropout(rate)])  # ok: TL105
        self.rates = [rate]  # ok: TL105
        self.act = nn.ReLU()
        self.shared = [self.act]  # ok: TL105
        self.drop = nn.Dropout(rate)
        self.both = [self.drop, self.act]  # ok: TL105

    def forward(self, x, name: str = "relu"):
        x = self.kinds[name]()(self.acts[name](x))
        for layer in (*self.own, *self.drops, *self.noises, *self.normed, *self.kept, *self.shared, *self.both):
            x = layer(x)
        return self.losses[0](self.functions[0](x), x * self.rates[0]) + self.weighted["ce"](x, x)


def demonstrate():
    assert not list(Trend().state_dict())
    assert not list(Average(3).state_dict()) and list(Scaled().state_dict())
    module = Activations().eval()
    assert all(layer.training for layer in (*module.drops, *module.noises))
    assert not list(module.losses[1].buffers()) and list(module.weighted["ce"].buffers())
    assert not module.kept[0].training and not module.drop.training
