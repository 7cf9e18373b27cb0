"""The mode change of a network leaves what it computes on its blocks, which know nothing of it."""
import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.layer = nn.Linear(dim, dim, bias=False)
        self.gain = nn.Parameter(torch.ones(dim, 1))
        self.folded = None
        self.may_fold = False

    @torch.no_grad()
    def fold(self):
        return self.layer.weight * self.gain

    def forward(self, x):
        if self.folded is not None:
            return F.linear(x, self.folded)
        return F.linear(x, self.layer.weight * self.gain)


class Network(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.first = Block(dim)
        self.blocks = nn.Sequential(Block(dim), Block(dim))

    def forward(self, x):
        return self.blocks(self.first(x))


class OverModules(Network):
    def train(self, mode: bool = True):
        super().train(mode)
        for module in self.modules():
            if isinstance(module, Block):
                module.folded = None if mode else module.fold()  # expect: TL103
        return self


class OverBlocks(Network):
    def train(self, mode: bool = True):
        super().train(mode)
        for block in self.blocks:
            block.folded = None
            if not mode:
                block.folded = (block.layer.weight * block.gain).detach()  # expect: TL103
        return self


class OnOneChild(Network):
    def train(self, mode: bool = True):
        super().train(mode)
        self.first.folded = None if mode else self.first.fold()  # expect: TL103
        return self


class NeverDropped(Network):
    def eval(self):
        super().eval()
        for name, module in self.named_modules():
            if isinstance(module, Block):
                setattr(module, "folded", module.fold())  # expect: TL103
        return self


class FoldsItself(Block):
    def __init__(self, dim: int = 3):
        super().__init__(dim)
        self.kernel = None

    def keep(self):
        self.kernel = self.fold()  # expect: TL103

    def drop(self):
        self.kernel = None

    def forward(self, x):
        return F.linear(x, self.fold() if self.kernel is None else self.kernel)


class ByMethods(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.blocks = nn.Sequential(FoldsItself(dim), FoldsItself(dim))

    def train(self, mode: bool = True):
        super().train(mode)
        for block in self.blocks:
            if mode:
                block.drop()
            else:
                block.keep()
        return self

    def forward(self, x):
        return self.blocks(x)


class KeepsCarefully(Block):
    def __init__(self, dim: int = 3):
        super().__init__(dim)
        self.kernel = None

    def keep(self):
        self.kernel = self.fold()  # ok: TL103  the owner drops it

    def drop(self):
        self.kernel = None

    def forward(self, x):
        return F.linear(x, self.fold() if self.kernel is None else self.kernel)


class ByMethodsCarefully(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.blocks = nn.Sequential(KeepsCarefully(dim), KeepsCarefully(dim))

    def train(self, mode: bool = True):
        super().train(mode)
        for block in self.blocks:
            block.drop() if mode else block.keep()
        return self

    def _apply(self, fn, recurse=True):
        for block in self.blocks:
            block.drop()
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args, **kwargs):
        for block in self.blocks:
            block.drop()
        super()._load_from_state_dict(*args, **kwargs)

    def forward(self, x):
        return self.blocks(x)


class Careful(Network):
    """Every event that makes the kernels old drops them."""

    def unfold(self):
        for block in self.blocks:
            block.folded = None

    def train(self, mode: bool = True):
        super().train(mode)
        for block in self.blocks:
            block.folded = None if mode else block.fold()  # ok: TL103
        return self

    def _apply(self, fn, recurse=True):
        self.unfold()
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args, **kwargs):
        self.unfold()
        super()._load_from_state_dict(*args, **kwargs)


class CarefulBlock(Block):
    def _apply(self, fn, recurse=True):
        self.folded = None
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args, **kwargs):
        self.folded = None
        super()._load_from_state_dict(*args, **kwargs)


class OfCarefulBlocks(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.blocks = nn.Sequential(CarefulBlock(dim), CarefulBlock(dim))

    def train(self, mode: bool = True):
        super().train(mode)
        for block in self.blocks:
            block.folded = None if mode else block.fold()  # ok: TL103  the block drops it
        return self

    def forward(self, x):
        return self.blocks(x)


class Allowing(Network):
    def train(self, mode: bool = True):
        super().train(mode)
        for block in self.blocks:
            block.may_fold = not mode  # ok: TL103  a flag
        return self


def follows_a_load(module: nn.Module, other: nn.Module) -> bool:
    x = torch.eye(3)
    module.train(), module.eval()
    with torch.no_grad():
        for parameter in other.parameters():
            parameter.mul_(1.5)
    outer = nn.ModuleList([module])
    outer.load_state_dict({f"0.{name}": value for name, value in other.state_dict().items()})
    return torch.allclose(module(x), other(x))


def demonstrate():
    for kind, follows in (
        (OverModules, False), (OverBlocks, False), (OnOneChild, False), (NeverDropped, False), (ByMethods, False),
        (ByMethodsCarefully, True), (Careful, True),
        (OfCarefulBlocks, True), (Allowing, True),
    ):
        assert follows_a_load(kind(), kind()) is follows, kind
