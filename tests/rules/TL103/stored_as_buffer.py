"""Registered inside train(), the cache moves with the module and is stale all the same after a load."""
import torch
from torch import nn


class Fold(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))


class ByRegisterBuffer(Fold):
    def train(self, mode: bool = True):
        super().train(mode)
        if not mode:
            self.register_buffer("table", self.weight.exp().detach(), persistent=False)  # expect: TL103
        return self

    def forward(self, x):
        return x * (self.weight.exp() if self.training else self.table)


class BySetattr(Fold):
    def train(self, mode: bool = True):
        super().train(mode)
        for name in ("table",):
            setattr(self, name, None if mode else self.weight.exp().detach())  # expect: TL103
        return self

    def forward(self, x):
        return x * (self.weight.exp() if self.training else self.table)


class Refolded(Fold):
    """A load folds again, and a buffer needs no help with moves."""

    def __init__(self, dim: int = 4):
        super().__init__(dim)
        self.register_buffer("table", None, persistent=False)
        self.register_load_state_dict_post_hook(Refolded.refold)

    @staticmethod
    def refold(module, keys):
        if not module.training:
            module.table = module.weight.exp().detach()  # ok: TL103

    def train(self, mode: bool = True):
        super().train(mode)
        self.table = None if mode else self.weight.exp().detach()  # ok: TL103
        return self

    def forward(self, x):
        return x * (self.weight.exp() if self.training else self.table)


class Unregistering(Refolded):
    """`del` takes the name out of the registry, so the second eval() stores plainly."""

    def train(self, mode: bool = True):
        nn.Module.train(self, mode)
        if mode:
            del self.table
            self.table = None
        else:
            self.table = self.weight.exp().detach()  # expect: TL103
        return self


class Saved(Fold):
    """A persistent buffer: the checkpoint brings the table that belongs to its weights."""

    def __init__(self, dim: int = 4):
        super().__init__(dim)
        self.register_buffer("table", torch.ones(dim))

    def train(self, mode: bool = True):
        super().train(mode)
        if not mode:
            self.table = self.weight.exp().detach()  # ok: TL103
        return self

    def forward(self, x):
        return x * (self.weight.exp() if self.training else self.table)


class Unsaved(Fold):
    def __init__(self, dim: int = 4):
        super().__init__(dim)
        self.register_buffer("table", torch.ones(dim), persistent=False)

    def train(self, mode: bool = True):
        super().train(mode)
        if not mode:
            self.table = self.weight.exp().detach()  # expect: TL103
        return self

    def forward(self, x):
        return x * (self.weight.exp() if self.training else self.table)


class SavedByAssignment(Saved):
    def __init__(self, dim: int = 4):
        Fold.__init__(self, dim)
        self.table = nn.Buffer(torch.ones(dim))

    def train(self, mode: bool = True):
        nn.Module.train(self, mode)
        if not mode:
            self.table = self.weight.exp().detach()  # ok: TL103
        return self


class UnsavedByAssignment(Saved):
    def __init__(self, dim: int = 4):
        Fold.__init__(self, dim)
        self.table = nn.Buffer(torch.ones(dim), persistent=False)

    def train(self, mode: bool = True):
        nn.Module.train(self, mode)
        if not mode:
            self.table = self.weight.exp().detach()  # expect: TL103
        return self


class Numbered(Fold):
    """A buffer of construction that train() fills with a number of its own."""

    def __init__(self, dim: int = 4):
        super().__init__(dim)
        self.register_buffer("mode", torch.zeros(()))

    def train(self, mode: bool = True):
        super().train(mode)
        self.mode.fill_(float(mode))  # ok: TL103
        return self

    def forward(self, x):
        return x * self.weight + self.mode


def demonstrate():
    for kind, right in (
        (ByRegisterBuffer, False), (BySetattr, False), (Refolded, True), (Saved, True), (Unsaved, False),
        (SavedByAssignment, True), (UnsavedByAssignment, False),
    ):
        module, fresh = kind().eval(), kind()
        fresh.weight.data.fill_(2.0)
        module.load_state_dict(fresh.eval().state_dict())
        assert torch.equal(module(torch.ones(4)), module.weight.exp()) is right, kind
    module = Unregistering().eval().train().eval().double()  # expect: TL303
    assert module.table.dtype == torch.float32
