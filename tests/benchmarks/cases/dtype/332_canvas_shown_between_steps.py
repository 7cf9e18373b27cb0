"""An image is optimised directly; between steps its canvas, a leaf with gradient, is handed to a callback as an array.

source: swz30/MPRNet#128 kind, style-transfer and texture scripts ("Can't call numpy() on Tensor that requires grad")
rules: [TL306]
"""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class Painter:
    def __init__(self, extractor, size=4, steps=3):
        self.extractor = extractor.requires_grad_(False)
        self.canvas = torch.full((1, 1, size, size), 0.5).requires_grad_()
        self.steps, self.watchers = steps, []

    def watch(self, fn):
        self.watchers.append(fn)
        return fn

    def show(self, step):
        for fn in self.watchers:
            fn(step, self.picture())

    def picture(self):
        return self.canvas.clamp(0, 1).squeeze().numpy()  # expect: TL306

    def paint(self, wanted):
        solver = torch.optim.Adam([self.canvas], lr=0.1)
        for step in range(self.steps):
            solver.zero_grad()
            F.mse_loss(self.extractor(self.canvas), wanted).backward()
            solver.step()
            self.show(step)
        return self.canvas


class PainterFixed(Painter):
    def picture(self):
        frozen = self.canvas.detach()
        return frozen.clamp(0, 1).squeeze().numpy()  # ok: TL306


class PainterSlope(Painter):
    """Shows where the picture is being changed; a gradient carries no graph of its own."""

    def picture(self):
        return self.canvas.grad.abs().squeeze().numpy()  # ok: TL306


class PainterForced(Painter):
    def picture(self):
        return self.canvas.squeeze().numpy(force=True)  # ok: TL306


def demonstrate():
    def run(kind):
        torch.manual_seed(0)
        painter = kind(nn.Conv2d(1, 2, 3))
        seen = []
        painter.watch(lambda step, image: seen.append(np.array(image)))
        painter.paint(torch.zeros(1, 2, 2, 2))
        return seen

    try:
        run(Painter)
        raise AssertionError("numpy accepted a leaf that requires grad")
    except RuntimeError as err:
        assert "requires grad" in str(err)
    for kind in (PainterFixed, PainterSlope, PainterForced):
        assert len(run(kind)) == 3
