"""Stages are frozen by attribute name from the constructor; the epoch loop of one trainer never re-freezes them.

source: roytseng-tw/Detectron.pytorch#104, jfzhang95/pytorch-deeplab-xception#140; backbones with frozen_stages settings
rules: [TL118]
"""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class BackboneConfig:
    widths: tuple = (3, 4, 4, 2)
    frozen: int = 1
    norm_eval: bool = False


class Backbone(nn.Module):
    def __init__(self, cfg: BackboneConfig):
        super().__init__()
        self.cfg = cfg
        pairs = zip(cfg.widths, cfg.widths[1:])
        self.names = []
        for i, (a, b) in enumerate(pairs, 1):
            self.names.append(f"stage{i}")
            self.add_module(self.names[-1], nn.Sequential(nn.Linear(a, b), nn.BatchNorm1d(b)))
        self.freeze()

    def freeze(self) -> None:
        for name in self.names[: self.cfg.frozen]:
            stage = getattr(self, name)
            stage.eval()  # expect: TL118
            for p in stage.parameters():
                p.requires_grad = False

    def forward(self, x):
        for name in self.names:
            x = getattr(self, name)(x)
        return x


class SteadyBackbone(Backbone):
    def train(self, mode: bool = True):  # ok: TL108
        super().train(mode)
        self.freeze()
        if mode and self.cfg.norm_eval:
            for m in self.modules():
                if isinstance(m, nn.BatchNorm1d):
                    m.eval()  # ok: TL118
        return self


class ModelessFreeze(nn.Module):
    """The frozen part is linear: it has no mode that matters."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(3, 4)
        self.head = nn.Linear(4, 2)
        self.freeze()

    def freeze(self) -> None:
        self.embed.eval()  # ok: TL118
        self.embed.requires_grad_(False)

    def forward(self, x):
        return self.head(self.embed(x))


class Trainer:
    def __init__(self, model: nn.Module, epochs: int = 2):
        self.model, self.epochs = model, epochs

    def run(self, loader) -> None:
        opt = torch.optim.SGD([p for p in self.model.parameters() if p.requires_grad], lr=0.1)
        for _ in range(self.epochs):
            self.model.train(True)
            for x in loader:
                opt.zero_grad()
                self.model(x).pow(2).mean().backward()
                opt.step()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    loader = [torch.randn(8, 3) + 4]
    for cls, frozen in ((Backbone, False), (SteadyBackbone, True)):
        net = cls(BackboneConfig())
        Trainer(net).run(loader)
        assert bool((net.stage1[1].running_mean == 0).all()) is frozen, cls
        assert net.stage2[1].num_batches_tracked > 0
    Trainer(ModelessFreeze()).run(loader)
