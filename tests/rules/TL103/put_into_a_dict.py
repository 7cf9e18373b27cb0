"""update() and setdefault() store too."""
import torch
from torch import nn


class Kept(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.weight = nn.Parameter(torch.eye(dim))
        self.kept = {}

    def forward(self, x):
        return x @ self.kept.get("power", self.weight.exp())


class Updated(Kept):
    def train(self, mode: bool = True):
        super().train(mode)
        self.kept.clear()
        if not mode:
            self.kept.update(power=self.weight.exp().detach())  # expect: TL103
        return self


class SetByDefault(Kept):
    def train(self, mode: bool = True):
        super().train(mode)
        if not mode:
            self.kept.setdefault("power", self.weight.exp().detach())  # expect: TL103
        return self


class Numbers(Kept):
    def train(self, mode: bool = True):
        super().train(mode)
        self.kept.update(mode=mode)  # ok: TL103
        return self


class Cleared(Kept):
    def _apply(self, fn, recurse=True):
        self.kept.clear()
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args, **kwargs):
        self.kept.clear()
        super()._load_from_state_dict(*args, **kwargs)

    def train(self, mode: bool = True):
        super().train(mode)
        self.kept.clear()
        if not mode:
            self.kept.update({"power": self.weight.exp().detach()})  # ok: TL103
        return self


def demonstrate():
    for kind, right in ((Updated, False), (SetByDefault, False), (Numbers, True), (Cleared, True)):
        module, fresh, x = kind().eval(), kind(), torch.ones(1, 4)
        fresh.weight.data.fill_(2.0)
        module.load_state_dict(fresh.state_dict())
        assert torch.equal(module(x), fresh(x)) is right, kind
