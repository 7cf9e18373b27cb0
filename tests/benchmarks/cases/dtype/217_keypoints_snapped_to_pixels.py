"""A keypoint head snaps its soft-argmax to whole pixels in a geometry helper; the coordinate loss then trains nothing.

source: forum thread "Torch.round() gradient" (28628) kind; keypoint and landmark heads with an integer crop helper
rules: [TL305]
"""
import torch
import torch.nn.functional as F
from torch import nn

PIXEL = torch.int64


def snap(points, kind=PIXEL):
    return points.to(kind)  # expect: TL305


def snap_straight(points, kind=PIXEL):
    whole = points.to(kind)  # ok: TL305
    return points + (whole - points).detach()


class Head(nn.Module):
    geometry = staticmethod(snap)

    def __init__(self, joints=2, side=8):
        super().__init__()
        self.maps = nn.Conv2d(1, joints, 3, padding=1)
        self.gate = nn.Conv2d(1, joints, 1)
        self.register_buffer("axis", torch.arange(side).float())

    def soft(self, x):
        prob = self.maps(x).flatten(2).softmax(-1).view(len(x), -1, *x.shape[-2:])
        return torch.stack([(prob.sum(-2) * self.axis).sum(-1), (prob.sum(-1) * self.axis).sum(-1)], dim=-1)

    def forward(self, x):
        return {"at": self.geometry(self.soft(x)), "seen": self.gate(x).mean((2, 3))}


class StraightHead(Head):
    geometry = staticmethod(snap_straight)


class FreeHead(Head):
    """Snaps for the crop it returns to the caller, trains on the soft place."""

    def forward(self, x):
        at = self.soft(x)
        return {"at": at, "seen": self.gate(x).mean((2, 3)), "crop": at.round().int()}  # ok: TL305


def objective(out, goal, seen):
    return F.smooth_l1_loss(out["at"] * 0.5, goal * 0.5) + F.binary_cross_entropy_with_logits(out["seen"], seen)


def train_step(x, goal, seen, kind=Head):
    head = kind()
    opt = torch.optim.SGD(head.parameters(), lr=0.1)
    loss = objective(head(x), goal, seen)
    loss.backward()
    opt.step()
    return head


def demonstrate():
    torch.manual_seed(0)
    x, goal, seen = torch.randn(2, 1, 8, 8), torch.rand(2, 2, 2) * 7, torch.ones(2, 2)
    for cls, learns in ((Head, False), (StraightHead, True), (FreeHead, True)):
        head = train_step(x, goal, seen, cls)
        assert head.gate.weight.grad is not None, "the other term hides it"
        assert (head.maps.weight.grad is not None) is learns, cls
