"""train() folds the weight for eval mode: dropped on train(True), but neither on a load nor on a conversion."""
import torch
from torch import nn


class Fold(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.weight = nn.Parameter(torch.eye(dim))
        self.gain = nn.Parameter(torch.ones(dim, 1))
        self.folded = None

    def forward(self, x):
        return x @ (self.weight * self.gain if self.folded is None else self.folded)


class Forgetful(Fold):
    def train(self, mode: bool = True):
        super().train(mode)
        self.folded = None if mode else (self.weight * self.gain).detach()  # expect: TL103
        return self


class ByEval(Fold):
    def eval(self):  # expect: TL108
        self.folded = (self.weight * self.gain).detach()  # expect: TL103
        return super().eval()


class ByHelper(Fold):
    def fold(self):
        self.folded = (self.weight * self.gain).detach()  # expect: TL103

    def train(self, mode: bool = True):
        super().train(mode)
        if mode:
            self.folded = None
        else:
            self.fold()
        return self


class Listed(Fold):
    """A list of what is computed is as stale as the values in it."""

    def train(self, mode: bool = True):
        super().train(mode)
        self.parts = None if mode else [(self.weight * gain).detach() for gain in self.gain]  # expect: TL103
        return self

    def forward(self, x):
        return x @ (self.weight * self.gain) if self.parts is None else sum(x @ part for part in self.parts) / 4


class Careful(Fold):
    def train(self, mode: bool = True):
        super().train(mode)
        self.folded = None if mode else (self.weight * self.gain).detach()  # ok: TL103
        return self

    def _apply(self, fn, recurse=True):
        self.folded = None
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args, **kwargs):
        self.folded = None
        super()._load_from_state_dict(*args, **kwargs)


class Unfolded(Fold):
    def train(self, mode: bool = True):
        super().train(mode)
        self.folded = None  # ok: TL103
        return self


class Counted(Fold):
    def train(self, mode: bool = True):
        super().train(mode)
        self.scale = 1.0 if mode else 0.5  # ok: TL103  a number
        self.size = self.weight.shape  # ok: TL103
        return self


def is_right_after_load(kind: type[Fold]) -> bool:
    module = kind()
    module.eval()
    module.load_state_dict({name: value + 1 for name, value in module.state_dict().items()})
    return torch.allclose(module(torch.ones(1, 4)), torch.ones(1, 4) @ (module.weight * module.gain))


def demonstrate():
    for kind, right in (
        (Forgetful, False), (ByEval, False), (ByHelper, False), (Listed, False),
        (Careful, True), (Unfolded, True), (Counted, True),
    ):
        assert is_right_after_load(kind) is right, kind
