"""An object keeps a part of a module that it has made itself: where it puts the whole, there the part is."""
import torch
from torch import nn


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.reader, self.writer = nn.Linear(2, 2), nn.Linear(2, 2)

    def forward(self, x):
        return self.writer(self.reader(x))


class Painter:
    def __init__(self, weights):
        coder = Coder()
        coder.load_state_dict(weights)
        self._decoder = coder.writer

    @torch.no_grad()
    def painted(self, state):
        return self._decoder(state).numpy()  # ok: TL306


class PainterOnCpu:
    def __init__(self, weights):
        coder = Coder().cpu()
        coder.load_state_dict(weights)
        self._decoder = coder.writer

    @torch.no_grad()
    def painted(self, state):
        return self._decoder(state).numpy()  # ok: TL306


class MovedPainter:
    def __init__(self, weights, device):
        coder = Coder()
        coder.load_state_dict(weights)
        coder.to(device)
        self._decoder = coder.writer

    @torch.no_grad()
    def painted(self, state):
        return self._decoder(state).numpy()  # expect: TL306


class MovedWhole:
    def __init__(self, weights, device):
        coder = Coder()
        coder.load_state_dict(weights)
        coder.to(device)
        self._decoder = coder

    @torch.no_grad()
    def painted(self, state):
        return self._decoder(state).numpy()  # expect: TL306


def demonstrate():
    weights, state = Coder().state_dict(), torch.ones(1, 2)
    Painter(weights).painted(state), PainterOnCpu(weights).painted(state)
    for kind in (MovedPainter, MovedWhole):
        try:
            kind(weights, "meta").painted(state.to("meta"))
        except (TypeError, NotImplementedError) as error:
            assert "meta" in str(error)
        else:
            raise AssertionError("numpy took a tensor of another device")
