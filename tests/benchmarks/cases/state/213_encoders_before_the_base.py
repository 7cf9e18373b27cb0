"""The base constructor asks for a size that depends on the encoders, so the child builds the encoders first.

source: leggedrobotics/rsl_rl#175 (networks assigned before the base constructor), Genentech/gReLU#188
rules: [TL109]
"""
from typing import Mapping

import torch
from torch import nn


def small_cnn(channels: int) -> nn.Module:
    return nn.Sequential(nn.Conv2d(channels, 2, 3), nn.Flatten())


class VectorModel(nn.Module):
    def __init__(self, obs: Mapping[str, tuple], hidden: int = 4):
        super().__init__()
        self.groups = [k for k, s in obs.items() if len(s) == 1]
        self.mlp = nn.Linear(self.latent_size(obs), hidden)

    def latent_size(self, obs) -> int:
        return sum(obs[k][0] for k in self.groups)

    def latent(self, batch):
        return torch.cat([batch[k] for k in self.groups], -1)

    def forward(self, batch):
        return self.mlp(self.latent(batch))


class ImageModel(VectorModel):
    def __init__(self, obs, hidden: int = 4):
        images = {k: s for k, s in obs.items() if len(s) == 3}
        self.image_groups = sorted(images)  # ok: TL109
        self.cnns = nn.ModuleDict({k: small_cnn(images[k][0]) for k in self.image_groups})  # expect: TL109
        self.flat = sum(2 * (s[1] - 2) * (s[2] - 2) for s in images.values())  # ok: TL109
        super().__init__(obs, hidden)

    def latent_size(self, obs):
        return super().latent_size(obs) + self.flat

    def latent(self, batch):
        return torch.cat([super().latent(batch), *(self.cnns[k](batch[k]) for k in self.image_groups)], -1)


class OrderedImageModel(VectorModel):
    """Networks wait in a local name; what the base needs before is a list and an int."""

    def __init__(self, obs, hidden: int = 4):
        images = {k: s for k, s in obs.items() if len(s) == 3}
        made = {k: small_cnn(s[0]) for k, s in images.items()}
        self.image_groups = sorted(images)  # ok: TL109
        self.flat = sum(2 * (s[1] - 2) * (s[2] - 2) for s in images.values())  # ok: TL109
        super().__init__(obs, hidden)
        self.cnns = nn.ModuleDict(made)  # ok: TL109, TL107

    def latent_size(self, obs):
        return super().latent_size(obs) + self.flat

    def latent(self, batch):
        return torch.cat([super().latent(batch), *(self.cnns[k](batch[k]) for k in self.image_groups)], -1)


class TemperedModel(VectorModel):
    def __init__(self, obs, hidden: int = 4, start: float = 1.0):
        self._prepare(start)
        super().__init__(obs, hidden)

    def _prepare(self, start: float) -> None:
        self.log_std = nn.Parameter(torch.full((1,), start).log())  # expect: TL109

    def forward(self, batch):
        return super().forward(batch) * self.log_std.exp()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    obs = {"joints": (3,), "depth": (1, 4, 4)}
    for cls in (ImageModel, TemperedModel):
        try:
            cls(obs)
            raise TypeError("expected the assignment to raise")
        except AttributeError as exc:
            assert "before Module.__init__" in str(exc), exc
    m = OrderedImageModel(obs)
    assert m({"joints": torch.ones(2, 3), "depth": torch.ones(2, 1, 4, 4)}).shape == (2, 4)
