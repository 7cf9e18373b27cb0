"""forward fills the cache in eval mode; the override of train() is where it should be dropped, and there it is reported."""
import torch
from torch import nn


class Lazy(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(dim))
        self.register_buffer("order", torch.arange(dim))
        self.tables = {}
        self.table = None

    def gathered(self):
        return self.bias[self.order]


class DroppedOnTrain(Lazy):
    """The dict is emptied when training begins, and only then."""

    @torch.no_grad()
    def train(self, mode: bool = True):  # expect: TL103
        super().train(mode)
        if mode and self.tables:
            self.tables = {}
        return self

    def forward(self, x):
        if self.training:
            return x + self.gathered()
        key = str(x.device)
        if key not in self.tables:
            self.tables[key] = self.gathered()  # expect: TL104
        return x + self.tables[key]


class NeverDropped(Lazy):
    def train(self, mode: bool = True):  # expect: TL103
        self.order.requires_grad_(False)
        return super().train(mode)

    def forward(self, x):
        if not self.training and self.table is None:
            self.table = self.gathered().detach()
        return x + (self.gathered() if self.training else self.table)


class Dropped(Lazy):
    def train(self, mode: bool = True):  # ok: TL103
        self.table = None
        return super().train(mode)

    def _apply(self, fn, recurse=True):
        self.table = None
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args, **kwargs):
        self.table = None
        super()._load_from_state_dict(*args, **kwargs)

    def forward(self, x):
        if not self.training and self.table is None:
            self.table = self.gathered().detach()
        return x + (self.gathered() if self.training else self.table)


class Cleared(Lazy):
    """Emptied in place, by everyone who must."""

    def train(self, mode: bool = True):  # ok: TL103
        self.tables.clear()
        return super().train(mode)

    def _apply(self, fn, recurse=True):
        self.tables.clear()
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args, **kwargs):
        self.tables.clear()
        super()._load_from_state_dict(*args, **kwargs)

    def forward(self, x):
        key = str(x.device)
        if not self.training and key not in self.tables:
            self.tables[key] = self.gathered().detach()
        return x + (self.gathered() if self.training else self.tables[key])


class ClearsAnother(Lazy):
    def __init__(self, dim: int = 4):
        super().__init__(dim)
        self.notes = {}

    def train(self, mode: bool = True):  # expect: TL103
        self.tables.clear()
        return super().train(mode)

    def _apply(self, fn, recurse=True):
        self.notes.clear()
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args, **kwargs):
        self.notes.clear()
        super()._load_from_state_dict(*args, **kwargs)

    def forward(self, x):
        key = str(x.device)
        if not self.training and key not in self.tables:
            self.tables[key] = self.gathered().detach()  # expect: TL104
        return x + (self.gathered() if self.training else self.tables[key])


class MadeAnew(Lazy):
    def train(self, mode: bool = True):  # ok: TL103
        self.order.requires_grad_(False)
        return super().train(mode)

    def forward(self, x):
        self.shape = x.shape  # ok: TL103
        return x + self.gathered()


def is_right_after_load(kind: type[Lazy]) -> bool:
    module = kind().eval()
    with torch.no_grad():
        module(torch.zeros(4))
        module.load_state_dict({name: value + 1 if name == "bias" else value for name, value in module.state_dict().items()})
        return torch.equal(module(torch.zeros(4)), module.bias)


def demonstrate():
    for kind, right in (
        (DroppedOnTrain, False), (NeverDropped, False), (Dropped, True), (Cleared, True),
        (ClearsAnother, False), (MadeAnew, True),
    ):
        assert is_right_after_load(kind) is right, kind
