"""A pruning scan zeroes weights of one layer at a time and measures the damage; one region around the scan makes all damage zero.

source: layer-sensitivity scans of pruning tools under autocast; X-GenGroup/Flow-Factory#186 kind
rules: [TL408]
"""
import copy

import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


def net():
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))


def small(weight, share):
    cut = weight.abs().flatten().kthvalue(max(1, int(share * weight.numel()))).values
    return weight.abs() <= cut


class Scan:
    def __init__(self, model, share=0.5):
        self.model, self.share = model.to(KIND), share

    def weights(self):
        return {n: p for n, p in self.model.named_parameters() if p.dim() > 1}

    def error(self, batch):
        x, y = batch
        return F.mse_loss(self.model(x).float(), y).item()

    def region(self, **kwargs):
        return torch.autocast(KIND, dtype=torch.bfloat16, **kwargs)


class OneRegionScan(Scan):
    @torch.no_grad()
    def run(self, batch):
        damage = {}
        with self.region():
            start = self.error(batch)
            for name, weight in self.weights().items():
                kept = weight.clone()
                weight.masked_fill_(small(weight, self.share), 0.0)  # expect: TL408
                damage[name] = self.error(batch) - start
                weight.copy_(kept)  # use: TL408
        return damage


class RegionPerLookScan(Scan):
    def error(self, batch):
        with self.region():
            return super().error(batch)

    @torch.no_grad()
    def run(self, batch):
        damage, start = {}, self.error(batch)
        for name, weight in self.weights().items():
            kept = weight.clone()
            weight.masked_fill_(small(weight, self.share), 0.0)  # ok: TL408
            damage[name] = self.error(batch) - start
            weight.copy_(kept)  # ok: TL408
        return damage


class CopyScan(Scan):
    """Every look has a network of its own; nothing that was cached is written."""

    @torch.no_grad()
    def run(self, batch):
        damage, whole = {}, self.model
        with self.region():
            start = self.error(batch)
            for name in self.weights():
                self.model = copy.deepcopy(whole)
                weight = self.weights()[name]
                weight.masked_fill_(small(weight, self.share), 0.0)  # ok: TL408
                damage[name] = self.error(batch) - start
        self.model = whole
        return damage


def demonstrate():
    torch.manual_seed(0)
    model, x = net(), torch.randn(32, 4, device=KIND)
    batch = x, x.sum(1, keepdim=True)
    assert set(OneRegionScan(model).run(batch).values()) == {0.0}
    for cls in (RegionPerLookScan, CopyScan):
        assert all(v != 0.0 for v in cls(model).run(batch).values()), cls
