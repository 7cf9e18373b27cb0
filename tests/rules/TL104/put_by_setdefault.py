"""table.setdefault(key, value) is a test and a store in one: what is there stays."""
import torch
from torch import nn


class Rotated(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.weight = nn.Parameter(torch.eye(dim))
        self.kept = {}

    def inverse(self, scale: int):
        raise NotImplementedError

    def forward(self, x, scale: int = 2):
        return x @ self.inverse(scale)


class ByScale(Rotated):
    def inverse(self, scale):
        return self.kept.setdefault(scale, self.weight.inverse() * scale)  # expect: TL104


class AfterAFailedLookUp(Rotated):
    def inverse(self, scale):
        place = scale, self.weight.device, self.weight.dtype
        try:
            return self.kept[place]
        except KeyError:
            return self.kept.setdefault(place, self.weight.inverse() * scale)  # expect: TL104


class Nested(Rotated):
    def inverse(self, scale):
        of_scale = self.kept.setdefault(scale, {})  # ok: TL104  no tensor
        if "inverse" not in of_scale:
            self.kept[scale]["inverse"] = self.weight.inverse() * scale  # expect: TL104
        return self.kept[scale]["inverse"]


class ByVersion(Rotated):
    def inverse(self, scale):
        key = scale, self.weight._version, self.weight.device, self.weight.dtype
        return self.kept.setdefault(key, self.weight.inverse() * scale)  # ok: TL104


class Dropped(Rotated):
    def inverse(self, scale):
        return self.kept.setdefault(scale, self.weight.inverse() * scale)  # ok: TL104

    def _apply(self, fn, recurse=True):
        self.kept.clear()
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args, **kwargs):
        self.kept.clear()
        super()._load_from_state_dict(*args, **kwargs)


class Counted(Rotated):
    def inverse(self, scale):
        self.kept.setdefault(scale, 0)  # ok: TL104  a number
        self.kept[scale] += 1
        return self.weight.inverse() * scale


def follows_a_load(kind: type) -> bool:
    module, other = kind(), kind()
    module(torch.eye(3))
    with torch.no_grad():
        other.weight.mul_(2)
    module.load_state_dict(other.state_dict())
    return torch.equal(module(torch.eye(3)), other(torch.eye(3)))


def demonstrate():
    for kind, follows in (
        (ByScale, False), (AfterAFailedLookUp, False), (Nested, False), (ByVersion, True), (Dropped, True), (Counted, True),
    ):
        assert follows_a_load(kind) is follows, kind
