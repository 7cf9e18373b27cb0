"""clip() of a tensor limits its values, and is no network of that name: what was detached before stays so."""

import torch
from torch import nn


class Weighed(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(2, 2)

    def forward(self, x):
        return self.head(x)


def weights(model, batch):
    weight = model(batch).detach().cpu()
    weight = weight.clip(0.1, 0.9)
    return weight.numpy()  # ok: TL306


def recorded_weights(model, batch):
    weight = model(batch).cpu()
    weight = weight.clip(0.1, 0.9)
    return weight.numpy()  # expect: TL306


class Retrieval:
    def __init__(self, clip):
        self.clip = clip

    def features(self, images):
        return self.clip(images).cpu().numpy()  # expect: TL306

    def detached_features(self, images):
        return self.clip(images).detach().cpu().numpy()  # ok: TL306


def demonstrate():
    model, batch = Weighed(), torch.ones(1, 2)
    assert weights(model, batch).shape == Retrieval(model).detached_features(batch).shape == (1, 2)
    for run in (lambda: recorded_weights(model, batch), lambda: Retrieval(model).features(batch)):
        try:
            run()
            raise AssertionError("numpy() took what autograd records")
        except RuntimeError as error:
            assert "requires grad" in str(error)
