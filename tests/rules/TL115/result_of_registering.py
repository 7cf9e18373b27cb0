"""Registering methods return None, hooks return a handle."""
import torch
from torch import nn


class Emptied(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.scale = self.register_buffer("scale", torch.ones(dim))  # expect: TL115
        self.bias = self.register_parameter("bias", nn.Parameter(torch.zeros(dim)))  # expect: TL115
        self.layer = self.add_module("layer", nn.Linear(dim, dim))  # expect: TL115
        self.mean = self.register_buffer("running_mean", torch.zeros(dim), persistent=False)  # expect: TL115
        std = super().register_buffer(name="std", tensor=torch.ones(dim))
        self.std = std  # expect: TL115
        self.body = nn.Sequential()
        self.head = self.body.add_module("head", nn.Linear(dim, dim))  # expect: TL115
        self.offset = self.register_buffer("offset", torch.ones(dim)) if dim > 1 else None  # expect: TL115
        self._build(dim)

    def _build(self, dim):
        setattr(self, "extra", self.register_buffer("extra", torch.ones(dim)))  # expect: TL115

    def forward(self, x):
        return self.body(x)


class Kept(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.register_buffer("scale", torch.ones(dim))  # ok: TL115
        self.bias = nn.Parameter(torch.zeros(dim))  # ok: TL115
        self.register_parameter("gain", None)  # ok: TL115
        self.slope = self.register_parameter("slope", None)  # ok: TL115  None is meant
        self.layer = nn.Linear(dim, dim)  # ok: TL115
        self.handle = self.register_forward_hook(lambda module, inputs, output: output)  # ok: TL115
        self.pre = self.layer.register_forward_pre_hook(lambda module, inputs: inputs)  # ok: TL115
        self.loaded = self.register_load_state_dict_post_hook(lambda module, keys: None)  # ok: TL115
        self.scale_again = self.scale  # ok: TL115

    def forward(self, x):
        return self.layer(x) * self.scale + self.bias


def demonstrate():
    emptied, kept = Emptied(), Kept()
    for name in ("scale", "bias", "layer", "mean", "std", "head", "extra", "offset"):
        assert getattr(emptied, name) is None
    assert set(emptied.state_dict()) == {"body.head.weight", "body.head.bias"}
    assert kept.handle is not None and kept(torch.ones(3)).shape == (3,)
