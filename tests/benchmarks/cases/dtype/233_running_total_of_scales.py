"""A multi-scale loss adds its terms onto a total that was made on the CPU: a one-element vector, or a scalar added to in place.

source: akarasman/yolo-heatmaps#13 (a CPU scalar in where), multi-scale criteria with `total = torch.zeros(1)`
rules: [TL204]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Pyramid(nn.Module):
    def __init__(self, weights=(1.0, 0.5)):
        super().__init__()
        self.weights = weights

    def terms(self, preds, goal):
        for pred, w in zip(preds, self.weights):
            yield w * F.l1_loss(pred, F.adaptive_avg_pool2d(goal, pred.shape[-2:]))

    def forward(self, preds, goal):
        total = torch.zeros(1)  # expect: TL204
        for term in self.terms(preds, goal):
            total = total + term
        return total


class PyramidInPlace(Pyramid):
    def start(self):
        return torch.tensor(0.0)  # expect: TL204

    def forward(self, preds, goal):
        total = self.start()
        for term in self.terms(preds, goal):
            total += term
        return total


class PyramidScalar(Pyramid):
    """A CPU scalar that is only an operand, never the target, may meet any device."""

    def forward(self, preds, goal):
        total = torch.tensor(0.0)  # ok: TL204
        for term in self.terms(preds, goal):
            total = total + term
        return total


class PyramidStacked(Pyramid):
    def forward(self, preds, goal):
        return torch.stack(list(self.terms(preds, goal))).sum()  # ok: TL204


class PyramidZeros(Pyramid):
    def forward(self, preds, goal):
        return sum(self.terms(preds, goal), goal.new_zeros(1))  # ok: TL204


def demonstrate():
    from torch._subclasses.fake_tensor import FakeTensorMode

    def call(cls, place):
        preds = [torch.ones(1, 1, n, n, device=place) for n in (4, 2)]
        return cls()(preds, torch.ones(1, 1, 8, 8, device=place))

    for cls, fine in (
        (Pyramid, False), (PyramidInPlace, False), (PyramidScalar, True), (PyramidStacked, True), (PyramidZeros, True),
    ):
        assert call(cls, "cpu") >= 0
        try:
            with FakeTensorMode():
                ok = call(cls, "cuda").device.type == "cuda"
        except RuntimeError as err:
            assert "device" in str(err), err
            ok = False
        assert ok is fine, cls
