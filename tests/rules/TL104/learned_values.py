"""A value computed from weights is wrong after a load, whatever else its test asks."""
import torch
from torch import nn


class Folded(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.register_buffer("scale", torch.zeros(dim))
        self.register_buffer("steps", torch.arange(dim).float())
        self.folded = None
        self.version = -1

    def fold(self):
        return (self.weight * self.scale.exp()).detach()


class ByPresence(Folded):
    def forward(self, x):
        if self.folded is None:
            self.folded = self.fold()  # expect: TL104
        return x * self.folded


class ByPlacement(Folded):
    def forward(self, x):
        if self.folded is None or self.folded.device != x.device or self.folded.dtype != x.dtype:
            self.folded = self.fold()  # expect: TL104
        return x * self.folded


class OfABuffer(Folded):
    @property
    def exponent(self):
        if self.folded is None:
            self.folded = self.scale.exp()  # expect: TL104
        return self.folded

    def forward(self, x):
        return x * self.exponent.to(x) * self.weight


class DroppedWhileTraining(Folded):
    """forward drops it in training; a load comes in evaluation too."""

    def forward(self, x):
        if self.training:
            self.folded = None
            return x * self.fold()
        if self.folded is None:
            self.folded = self.fold()  # expect: TL104
        return x * self.folded


class OfATable(Folded):
    """The buffer holds the same in every checkpoint."""

    def forward(self, x):
        if self.folded is None:
            self.folded = self.steps.cos()  # ok: TL104
        return x * self.folded.to(x) * self.weight


class DroppedByHooks(Folded):
    def __init__(self, dim: int = 4):
        super().__init__(dim)
        self.register_load_state_dict_post_hook(lambda module, keys: module.forget())

    def forget(self):
        self.folded = None

    def _apply(self, fn, recurse=True):
        self.forget()
        return super()._apply(fn, recurse)

    def train(self, mode: bool = True):
        self.forget()
        return super().train(mode)

    def forward(self, x):
        if self.folded is None:
            self.folded = self.fold()  # ok: TL104
        return x * self.folded


class KeyedByVersion(Folded):
    def forward(self, x):
        seen = (self.weight._version, self.scale._version, x.device, x.dtype)
        if seen != self.version:
            self.version = seen
            self.folded = self.fold()  # ok: TL104
        return x * self.folded


class MadeAnew(Folded):
    def forward(self, x):
        if self.folded is not None:
            x = x * self.folded
        folded = self.fold()  # ok: TL104
        return x * folded


def is_right_after_load(kind: type[Folded]) -> bool:
    module, x = kind().eval(), torch.ones(4)
    module(x)
    module.load_state_dict({**module.state_dict(), "scale": torch.ones(4)})
    fresh = kind().eval()
    fresh.load_state_dict(module.state_dict())
    return torch.equal(module(x), fresh(x))


def demonstrate():
    for kind in (ByPresence, ByPlacement, OfABuffer, DroppedWhileTraining):
        assert not is_right_after_load(kind), kind
    for kind in (OfATable, DroppedByHooks, KeyedByVersion, MadeAnew):
        assert is_right_after_load(kind), kind
