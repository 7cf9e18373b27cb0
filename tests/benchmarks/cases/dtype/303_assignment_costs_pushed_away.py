"""A detector's assigner pushes impossible pairs away with 1e5: written into half costs it is inf, and a rescaling gives NaN.

source: MultimediaTechLab/YOLO#234, pytorch/vision#3371 (box arithmetic in half); dynamic assigners with `+ 100000 * outside`
rules: [TL302]
"""
import torch
from torch import nn

FAR = 1e5


class Assigner:
    def __init__(self, keep=2):
        self.keep = keep

    def cost(self, logits, boxes, targets):
        gap = (boxes[:, None, :2] - targets[None, :, :2]).abs().sum(-1)
        inside = gap < targets[None, :, 2]
        return self.exclude(-logits.sigmoid().log()[:, None] + gap, inside)

    def exclude(self, cost, inside):
        cost[~inside] = FAR  # expect: TL302
        return cost

    def __call__(self, logits, boxes, targets):
        cost = self.cost(logits, boxes, targets)
        cost = (cost - cost.amin()) / (cost.amax() - cost.amin())
        return cost.topk(self.keep, dim=0, largest=False)


class AddingAssigner(Assigner):
    def exclude(self, cost, inside):
        # a bool mask times a Python float is float32, and so is the sum
        return cost + FAR * (~inside)  # ok: TL302


class ScoreTypeAssigner(Assigner):
    def exclude(self, cost, inside):
        return cost + (~inside).type_as(cost) * FAR  # expect: TL302


class RangeAssigner(Assigner):
    def exclude(self, cost, inside):
        top = torch.finfo(cost.dtype).max
        return torch.where(inside, cost, top)  # ok: TL302


class Detector(nn.Module):
    def __init__(self, assigner):
        super().__init__()
        self.score, self.box = nn.Linear(4, 1), nn.Linear(4, 4)
        self.assigner = assigner

    @torch.no_grad()
    def match(self, feats, targets):
        return self.assigner(self.score(feats).squeeze(-1), self.box(feats), targets)


def fp16_detector(assigner):
    torch.manual_seed(0)
    net = Detector(assigner)
    net.half()
    return net


def demonstrate():
    torch.manual_seed(3)
    feats = torch.randn(5, 4).half()
    targets = torch.tensor([[0.0, 0.0, 1.5], [9.0, 9.0, 0.1]]).half()
    for kind in (Assigner, ScoreTypeAssigner):
        assert not fp16_detector(kind()).match(feats, targets)[0].isfinite().all()
    for kind in (AddingAssigner, RangeAssigner):
        assert fp16_detector(kind()).match(feats, targets)[0].isfinite().all()
    single = fp16_detector(Assigner()).float()
    assert single.match(feats.float(), targets.float())[0].isfinite().all()
