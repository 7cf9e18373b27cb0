"""What eval() stores and training reads too must be dropped when training starts; what only evaluation reads need not."""
import torch
from torch import nn


class Folded(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.table = None
        self.register_load_state_dict_post_hook(lambda module, keys: module.forget())

    def forget(self):
        self.table = None

    def _apply(self, fn, recurse=True):
        self.forget()
        return super()._apply(fn, recurse)

    def fold(self):
        return self.weight.exp().detach()


class ReadAlways(Folded):
    def train(self, mode: bool = True):
        if not mode:
            self.table = self.fold()  # expect: TL103
        return super().train(mode)

    def forward(self, x):
        return x * (self.fold() if self.table is None else self.table)


class ReadInEvaluation(Folded):
    def train(self, mode: bool = True):
        if not mode:
            self.table = self.fold()  # ok: TL103  training does not read it, and the next eval() stores anew
        return super().train(mode)

    def forward(self, x):
        return x * (self.fold() if self.training or self.table is None else self.table)


class DroppedByTraining(ReadAlways):
    def train(self, mode: bool = True):
        super(ReadAlways, self).train(mode)
        self.table = None if mode else self.fold()  # ok: TL103
        return self


def demonstrate():
    for cls, follows in ((ReadAlways, False), (ReadInEvaluation, True), (DroppedByTraining, True)):
        module = cls().eval().train()
        with torch.no_grad():
            module.weight.add_(1.0)
        assert torch.equal(module(torch.ones(3)), module.fold()) is follows, cls
