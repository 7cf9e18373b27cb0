"""A tensor that is optimised itself is a leaf: numpy refuses it as long as it asks for a gradient."""
import torch
from torch import nn
from torch.nn import functional as F


class Painter:
    def __init__(self, size: int):
        self.canvas = torch.full((size,), 0.5).requires_grad_()
        self.frame = torch.full((size,), 0.5)
        self.border = torch.zeros(size)
        self.border.requires_grad = True

    def paint(self, wanted):
        F.mse_loss(self.canvas + self.border, wanted).backward()

    def picture(self):
        return self.canvas.clamp(0, 1).numpy()  # expect: TL306

    def edge(self):
        return self.border.numpy()  # expect: TL306

    def quiet_picture(self):
        held = self.canvas.detach()
        return held.clamp(0, 1).numpy()  # ok: TL306

    def slope(self):
        return self.canvas.grad.abs().numpy()  # ok: TL306

    def plain(self):
        return self.frame.clamp(0, 1).numpy()  # ok: TL306

    def forced(self):
        return self.canvas.numpy(force=True)  # ok: TL306


def slopes(model: nn.Linear, x, y):
    loss = F.mse_loss(model(x), y)
    return [one.numpy() for one in torch.autograd.grad(loss, list(model.parameters()))]  # ok: TL306


def curvature(model: nn.Linear, x, y):
    loss = F.mse_loss(model(x), y)
    return [one.numpy() for one in torch.autograd.grad(loss, list(model.parameters()), create_graph=True)]  # expect: TL306


def fresh_parameter():
    scale = nn.Parameter(torch.ones(2))
    fixed = nn.Parameter(torch.ones(2), requires_grad=False)
    return scale.detach().numpy() + fixed.numpy()  # ok: TL306


def filled_in_a_loop(model: nn.Linear, batches):
    losses, sizes = torch.zeros(len(batches)), torch.zeros(len(batches))
    for index, (x, y) in enumerate(batches):
        losses[index] = F.mse_loss(model(x), y)
        sizes[index] = len(x)
    return sizes.numpy(), losses.numpy()  # expect: TL306


def demonstrate():
    painter = Painter(2)
    painter.paint(torch.zeros(2))
    painter.quiet_picture(), painter.slope(), painter.plain(), painter.forced(), fresh_parameter()
    x, y, model = torch.ones(2, 3), torch.ones(2, 1), nn.Linear(3, 1)
    slopes(model, x, y)
    refused = (
        painter.picture,
        painter.edge,
        lambda: curvature(model, x, y),
        lambda: filled_in_a_loop(model, [(x, y)]),
    )
    for call in refused:
        try:
            call()
            raise AssertionError("numpy took a leaf")
        except RuntimeError as error:
            assert "requires grad" in str(error)
