"""train() asks for the mode before the change beside the one to come: what it stores is for evaluation all the same."""
import torch
from torch import nn


class Whitening(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.register_buffer("precision", torch.eye(dim))
        self.prepared = None

    def prepare(self) -> dict:
        return {"inverse": torch.linalg.inv(self.precision)}

    def forward(self, x):
        return x @ (self.prepared or self.prepare())["inverse"]


class Prepared(Whitening):
    def train(self, mode: bool = True):
        before = self.training
        super().train(mode)
        if before and not mode:
            self.prepared = self.prepare()  # expect: TL103
        elif mode:
            self.prepared = None
        return self


class PreparedForTraining(Whitening):
    """Evaluation computes it anew."""

    def train(self, mode: bool = True):
        before = self.training
        super().train(mode)
        self.prepared = None
        if mode and not before:
            self.rank = len(self.precision)  # ok: TL103
        return self


class Careful(Prepared):
    def _apply(self, fn, recurse=True):
        self.prepared = None
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args):
        self.prepared = None
        super()._load_from_state_dict(*args)

    def train(self, mode: bool = True):
        super(Prepared, self).train(mode)
        self.prepared = None if mode else self.prepare()  # ok: TL103
        return self


def demonstrate():
    for kind, is_right in ((Prepared, False), (PreparedForTraining, True), (Careful, True)):
        module = kind().eval()
        module.load_state_dict({"precision": 2 * torch.eye(3)})
        assert torch.equal(module(torch.ones(3)), torch.full((3,), 0.5)) is is_right
