"""An edge loss filters pictures with a Sobel kernel that is sent to cuda inside forward, wherever the pictures are.

source: edge and gradient losses of enhancement code (kernel.cuda() in forward); HolyBayes/pytorch_ard#1, aaron-y-chen/deeplog#6 kind
rules: [TL207]
"""
import torch
import torch.nn.functional as F
from torch import nn

ROWS = [[-1.0, 0.0, 1.0], [-2.0, 0.0, 2.0], [-1.0, 0.0, 1.0]]


def sobel(channels: int) -> torch.Tensor:
    k = torch.tensor(ROWS)
    return torch.stack([k, k.t()]).unsqueeze(1).repeat(channels, 1, 1, 1)


class Edges(nn.Module):
    def __init__(self, channels: int = 3):
        super().__init__()
        self.channels = channels

    def kernel(self, x):
        raise NotImplementedError

    def filtered(self, x):
        return F.conv2d(x, self.kernel(x), padding=1, groups=self.channels)

    def forward(self, a, b):
        return F.l1_loss(self.filtered(a), self.filtered(b))


class CudaEdges(Edges):
    def kernel(self, x):
        return sobel(self.channels).cuda()  # expect: TL207


class NamedEdges(Edges):
    """The name of the card is a default of the class."""

    card = "cuda:0"

    def kernel(self, x):
        return sobel(self.channels).to(self.card)  # expect: TL207


class AskingEdges(Edges):
    def kernel(self, x):
        k = sobel(self.channels)
        if x.is_cuda:
            k = k.cuda(x.get_device())  # ok: TL207
        return k.type_as(x)


class FollowingEdges(Edges):
    def kernel(self, x):
        return sobel(self.channels).to(x)  # ok: TL207


class BufferedEdges(Edges):
    def __init__(self, channels: int = 3):
        super().__init__(channels)
        self.register_buffer("k", sobel(channels), persistent=False)

    def kernel(self, x):
        return self.k  # ok: TL207


def main(model):
    """A script may say where it wants its model."""
    if torch.cuda.is_available():
        model = model.cuda()  # ok: TL207
    return model


def demonstrate():
    a, b = torch.rand(1, 3, 5, 5), torch.rand(1, 3, 5, 5)
    for cls, works in (
        (CudaEdges, False), (NamedEdges, False), (AskingEdges, True), (FollowingEdges, True), (BufferedEdges, True),
    ):
        try:
            assert cls()(a, b) > 0
            ok = True
        except (RuntimeError, AssertionError) as err:  # no card at all, or a card and pictures on the host
            assert "CUDA" in str(err) or "cuda" in str(err), err
            ok = False
        assert ok is works, cls
    assert isinstance(main(BufferedEdges()), Edges)
