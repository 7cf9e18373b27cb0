"""A contrastive pair reads exp(logit_scale) once, in the constructor; learning and loading the scale have no effect any more.

source: CLIP-like re-implementations (logit_scale.exp() outside forward), KhrulkovV/tt-pytorch#4 for the life cycle
rules: [TL106]
"""
import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class PairConfig:
    width: int = 4
    start: float = 1 / 0.07
    classes: int = 3


class Pair(nn.Module):
    def __init__(self, cfg: PairConfig):
        super().__init__()
        self.image, self.text = nn.Linear(6, cfg.width), nn.Linear(5, cfg.width)
        self.logit_scale = nn.Parameter(torch.tensor(math.log(cfg.start)))
        self._finish(cfg)

    def _finish(self, cfg) -> None:
        with torch.no_grad():
            self.temperature = self.logit_scale.exp()  # expect: TL106

    def forward(self, img, txt):
        a, b = F.normalize(self.image(img), dim=-1), F.normalize(self.text(txt), dim=-1)
        return self.temperature * a @ b.mT


class PropertyPair(Pair):
    def _finish(self, cfg):
        self.start = cfg.start  # ok: TL106

    @property
    def temperature(self):
        return self.logit_scale.exp()  # ok: TL112


class PrototypeHead(nn.Module):
    """Unit-length prototypes as a buffer beside the parameter that they come from."""

    def __init__(self, cfg: PairConfig):
        super().__init__()
        self.proto = nn.Parameter(torch.randn(cfg.classes, cfg.width))
        self.register_buffer("unit", F.normalize(self.proto.detach(), dim=-1), persistent=False)  # expect: TL106

    def forward(self, z):
        return F.normalize(z, dim=-1) @ self.unit.mT


class TrackedHead(PrototypeHead):
    """The copy only starts from the parameter and then follows it slowly."""

    def __init__(self, cfg: PairConfig):
        nn.Module.__init__(self)
        self.proto = nn.Parameter(torch.randn(cfg.classes, cfg.width))
        self.register_buffer("unit", self.proto.detach().clone())  # ok: TL106

    @torch.no_grad()
    def follow(self, rate: float = 0.5) -> None:
        self.unit.lerp_(F.normalize(self.proto, dim=-1), rate)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    img, txt = torch.randn(2, 6), torch.randn(2, 5)
    for cls, right in ((Pair, False), (PropertyPair, True)):
        hot, cold = cls(PairConfig(start=50.0)), cls(PairConfig(start=2.0))
        cold.load_state_dict(hot.state_dict())
        assert torch.allclose(cold(img, txt), hot(img, txt)) is right, cls
    a, b, z = PrototypeHead(PairConfig()), PrototypeHead(PairConfig()), torch.randn(4, 4)
    b.load_state_dict(a.state_dict())
    assert not torch.allclose(a(z), b(z))
    c, d = TrackedHead(PairConfig()), TrackedHead(PairConfig())
    c.follow()
    d.load_state_dict(c.state_dict())
    assert torch.equal(c(z), d(z))
