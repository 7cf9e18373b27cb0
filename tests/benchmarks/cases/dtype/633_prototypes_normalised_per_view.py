"""Prototypes are brought back to unit length after every view; all views of a step share one region and see the first cast.

source: X-GenGroup/Flow-Factory#186 (one outer region, writes between forwards), prototype code of self-supervised training
rules: [TL408]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Prototypes(nn.Module):
    def __init__(self, dim=6, k=4):
        super().__init__()
        self.encoder, self.prototypes = nn.Linear(dim, dim), nn.Linear(dim, k, bias=False)

    @torch.no_grad()
    def to_sphere(self):
        w = F.normalize(self.prototypes.weight.data.clone(), dim=1)
        self.prototypes.weight.copy_(w)

    def forward(self, x):
        return self.prototypes(F.normalize(self.encoder(x), dim=1))


def scores_of_views(model: Prototypes, views):
    out = []
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        for view in views:
            out.append(model(view))
            model.to_sphere()  # expect: TL408
    return out


def scores_once(model: Prototypes, views):
    out = []
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        model.to_sphere()  # ok: TL408
        for view in views:
            out.append(model(view))
    return out


def scores_per_view(model: Prototypes, views):
    out = []
    for view in views:
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            out.append(model(view))
        model.to_sphere()  # ok: TL408
    return out


def scores_uncached(model: Prototypes, views):
    out = []
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16, cache_enabled=False):
        for view in views:
            out.append(model(view))
            model.to_sphere()  # ok: TL408
    return out


def demonstrate():
    def last(fn):
        torch.manual_seed(0)
        model = Prototypes().to(DEVICE_TYPE)
        return fn(model, [torch.ones(1, 6, device=DEVICE_TYPE)] * 3)

    frozen = last(scores_of_views)
    assert torch.equal(frozen[0], frozen[-1])
    for fn in (scores_per_view, scores_uncached):
        moving = last(fn)
        assert not torch.equal(moving[0], moving[-1])
    assert last(scores_once)[0].shape == (1, 4)
