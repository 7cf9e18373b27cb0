"""The region runs the helper by another name: a hook of the subclass, an entry of a table or of a registry, a default."""
import torch
from torch import nn


class Pooling(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(4, 4)
        self.register_buffer("anchors", torch.ones(2, 4))

    def more(self, rows):
        raise NotImplementedError

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            rows = self.project(x)
            return torch.cat([rows, self.more(rows)])

    def outside(self):
        return self.show()

    def show(self):
        return self.anchors


class NarrowPooling(Pooling):
    def more(self, rows):
        return self.anchors.half()  # expect: TL403

    def show(self):
        return self.anchors.half()  # ok: TL403  no region calls it


class FollowingPooling(Pooling):
    def more(self, rows):
        return self.anchors.to(rows.dtype)  # ok: TL403


class Other:
    """Of another family: the same name means nothing."""

    def more(self, rows):
        return rows.half()  # ok: TL403


def spread(z):
    z = (z - z.mean(0)).float()  # expect: TL403
    return (z.T @ z).square().mean()


def size(z):
    return z.float().square().mean()  # ok: TL403  honoured


def unlisted(z):
    z = z.float()  # ok: TL403  nobody runs it in a region
    return (z.T @ z).mean()


TERMS = {"spread": spread, "size": size}
LOSSES = {}


def register(name):
    def keep(function):
        LOSSES[name] = function
        return function

    return keep


@register("gram")
def gram(z):
    z = z.float()  # expect: TL403
    return (z @ z.T).mean()


@register("mean")
def mean(z):
    return z.float().mean()  # ok: TL403


def by_default(z):
    z = z.float()  # expect: TL403
    return (z @ z.T).mean()


class Criterion:
    def __init__(self, model, names, last=by_default):
        self.model, self.names, self.last = model, names, last

    def __call__(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            z = self.model(x)
            total = sum(TERMS[name](z) for name in self.names)
            for loss in LOSSES.values():
                total = total + loss(z)
            total = total + self.last(z)
        return total + unlisted(z.detach())  # expect: TL305


def demonstrate():
    x = torch.ones(3, 4)
    try:
        NarrowPooling()(x)
        raise AssertionError("cat took float16 beside bfloat16")
    except RuntimeError as error:
        assert "autocast" in str(error) or "dtype" in str(error)
    assert FollowingPooling()(x).dtype is torch.bfloat16
    assert torch.isfinite(Criterion(nn.Linear(4, 4), ["spread", "size"])(x))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        z = nn.Linear(4, 4)(x).float()
        assert (z.T @ z).dtype is torch.bfloat16
