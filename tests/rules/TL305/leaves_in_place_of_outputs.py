"""A forward pass returns leaves where its layers' outputs were: the loss is computed, and nothing behind it learns."""

import torch
from torch import nn


class Series(nn.Module):
    def __init__(self, targets: int = 2):
        super().__init__()
        self.body = nn.Linear(3, 4)
        self.heads = nn.ModuleList(nn.Linear(4, 1) for _ in range(targets))

    def prepared(self, outputs):
        raise NotImplementedError

    def forward(self, x):
        hidden = self.body(x).relu()
        return self.prepared([head(hidden) for head in self.heads])


class Detached(Series):
    def prepared(self, outputs):
        return [out.detach().clone().requires_grad_() for out in outputs]  # expect: TL305


class Rebuilt(Series):
    def prepared(self, outputs):
        outputs = [torch.tensor(out, requires_grad=True) for out in outputs]  # expect: TL305
        return outputs


class Cloned(Series):
    def prepared(self, outputs):
        return [out.clone() for out in outputs]  # ok: TL305


class Reported(Series):
    def prepared(self, outputs):
        self.last = [out.detach().clone().requires_grad_(False) for out in outputs]  # ok: TL305  kept, not returned
        return outputs


class Encoded(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(3, 3), nn.Linear(3, 1)

    def forward(self, x):
        hidden = self.first(x)
        hidden = hidden.data.requires_grad_(True)  # expect: TL305
        return self.second(hidden)


class Energy(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.net = nn.Linear(3, 3), nn.Linear(3, 1)

    def forward(self, places):
        places = self.embed(places).detach().requires_grad_()  # ok: TL305  its gradient is the result
        energy = self.net(places).sum()
        (force,) = torch.autograd.grad(energy, places, create_graph=True)
        return energy, -force, places


class Given(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(3, 1)

    def forward(self, x):
        x = x.detach().requires_grad_()  # ok: TL305  an input
        return self.net(x)


def demonstrate():
    import warnings

    warnings.simplefilter("ignore")
    for kind, learns in ((Detached, False), (Rebuilt, False), (Cloned, True), (Reported, True)):
        model = kind()
        sum(out.sum() for out in model(torch.ones(2, 3))).backward()
        assert (model.body.weight.grad is not None) is learns
    encoded = Encoded()
    encoded(torch.ones(2, 3)).sum().backward()
    assert encoded.first.weight.grad is None
    Energy()(torch.ones(2, 3)), Given()(torch.ones(2, 3))
