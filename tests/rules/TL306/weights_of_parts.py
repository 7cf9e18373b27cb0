"""The weight of a layer inside of a network that the caller gives needs a gradient; its data, a copy or a buffer do not."""

import torch
from torch import nn


def filters(model):
    return model.first.weight.numpy()  # expect: TL306


def last_bias(model):
    return model.layers[-1].bias.numpy()  # expect: TL306


def filters_detached(model):
    return model.first.weight.detach().cpu().numpy()  # ok: TL306


@torch.no_grad()
def filters_without_gradients(model):
    return model.first.weight.cpu().numpy()  # ok: TL306


def statistics(model):
    return model.norm.running_mean.cpu().numpy()  # ok: TL306  a buffer


def share(sample):
    return sample.weight.numpy()  # ok: TL306  no network


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm = nn.Linear(2, 2), nn.BatchNorm1d(2)
        self.layers = nn.ModuleList([nn.Linear(2, 2)])


def demonstrate():
    model = Model()
    for function in (filters, last_bias):
        try:
            function(model)
            raise AssertionError("numpy took a weight")
        except RuntimeError as error:
            assert "requires grad" in str(error)
    filters_detached(model), filters_without_gradients(model), statistics(model)
