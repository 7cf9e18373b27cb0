"""The test asks the object's own dict: self.__dict__.get(name), name in vars(self), getattr() with a default."""
import torch
from torch import nn


class Matched(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.body = nn.Linear(dim, dim)
        self.anchors = nn.Parameter(torch.eye(dim))

    def encoded(self):
        raise NotImplementedError

    def forward(self, x):
        return self.body(x) @ self.encoded().mT


class ByFlag(Matched):
    def encoded(self):
        if not self.__dict__.get("is_ready", False):
            self.bank = self.body(self.anchors).detach()  # expect: TL104
            self.is_ready = True
        return self.bank


class ByName(Matched):
    def encoded(self):
        if "bank" not in vars(self):
            self.bank = self.body(self.anchors).detach()  # expect: TL104
        return self.bank


class ByDefault(Matched):
    def encoded(self):
        if getattr(self, "is_ready", None) is None:
            self.bank = self.body(self.anchors).detach()  # expect: TL104
            self.is_ready = True
        return self.bank


class ByHasattr(Matched):
    def encoded(self):
        if not hasattr(self, "is_ready"):
            self.bank = self.body(self.anchors).detach()  # expect: TL104
            self.is_ready = True
        return self.bank


class Always(Matched):
    def encoded(self):
        now = self.body(self.anchors)
        self.bank = now.detach()  # ok: TL104  stored in every call
        return now


class BySettings(Matched):
    def __init__(self, dim: int = 3, **settings):
        super().__init__(dim)
        self.settings = settings

    def encoded(self):
        now = self.body(self.anchors)
        if self.settings.get("is_kept", False):
            self.bank = now.detach()  # ok: TL104  a setting of the owner, not a memory
        return now


def follows_a_step(kind: type) -> bool:
    module, x = kind(), torch.eye(3)
    module(x)
    with torch.no_grad():
        module.body.weight.add_(1.0)
    return torch.allclose(module(x), module.body(x) @ module.body(module.anchors).mT)


def demonstrate():
    for kind, follows in (
        (ByFlag, False), (ByName, False), (ByDefault, False), (ByHasattr, False), (Always, True), (BySettings, True),
    ):
        assert follows_a_step(kind) is follows, kind
