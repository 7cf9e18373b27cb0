"""Composite models with hand-written mode switches: a part is forgotten, the default is missing, the mode is not passed on.

source: wangsr126/MAE-Lite#11 (no default), roytseng-tw/Detectron.pytorch#104 (parts left in training mode), meta-pytorch/botorch#2702
rules: [TL108]
"""
import torch
import torch.nn as nn


class Composite(nn.Module):
    def __init__(self, dim: int = 4, frozen: int = 0):
        super().__init__()
        self.frozen = frozen
        self.stage0 = nn.Sequential(nn.Linear(dim, dim), nn.Dropout(0.5))
        self.stage1 = nn.Sequential(nn.Linear(dim, dim), nn.Dropout(0.5))
        self.head = nn.Dropout(0.5)

    def stages(self):
        return [getattr(self, f"stage{i}") for i in range(2)]

    def forward(self, x):
        for s in self.stages():
            x = s(x)
        return self.head(x)


class ForgetsHead(Composite):
    def train(self, mode: bool = True):  # expect: TL108
        self.training = mode
        for i, stage in enumerate(self.stages()):
            stage.train(mode and i >= self.frozen)
        return self


class NoDefault(Composite):
    def train(self, mode):  # expect: TL108
        super().train(mode)
        for stage in self.stages()[: self.frozen]:
            stage.eval()
        return self


class LosesMode(Composite):
    def train(self, mode: bool = True):  # expect: TL108
        super().train()
        for stage in self.stages()[: self.frozen]:
            stage.eval()
        return self


class AllChildren(Composite):
    """Nothing of super() is called, and nothing of its work is missing."""

    def train(self, mode: bool = True):  # ok: TL108
        self.training = mode
        for child in self.children():
            child.train(mode)
        for stage in self.stages()[: self.frozen]:
            stage.train(False)
        return self


class ByKeyword(Composite):
    def train(self, mode=True):  # ok: TL108
        result = super().train(mode=mode)
        for stage in self.stages()[: self.frozen]:
            stage.train(mode=False)
        return result


class Unchanged(Composite):
    """A property of the same family of names and a helper that is not the API."""

    def train_stage(self, index: int) -> None:  # ok: TL108
        self.stages()[index].train()

    @property
    def trained(self) -> bool:  # ok: TL108
        return self.training


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.ones(64, 4)
    m = ForgetsHead().eval()
    assert m.head.training and not torch.equal(m(x), m(x))
    try:
        NoDefault().train()
        raise AssertionError("mode has no default")
    except TypeError:
        pass
    m = LosesMode().eval()
    assert m.training and m.stage0[1].training
    for cls in (AllChildren, ByKeyword):
        m = cls(frozen=1)
        assert m.train() is m and not m.stage0[1].training and m.stage1[1].training
        assert m.eval() is m and not any(k.training for k in m.modules())
        assert torch.equal(m(x), m(x))
    u = Unchanged().eval()
    u.train_stage(0)
    assert u.stage0.training and not u.trained
