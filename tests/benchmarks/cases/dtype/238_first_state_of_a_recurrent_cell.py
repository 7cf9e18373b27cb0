"""A convolutional LSTM makes its first states with Variable(zeros).cuda() when the caller passes none.

source: ConvLSTM re-implementations with init_hidden(...).cuda(); research code of the pre-0.4 style
rules: [TL207]
"""
import torch
from torch import nn
from torch.autograd import Variable


class Cell(nn.Module):
    def __init__(self, inp, hid):
        super().__init__()
        self.hid, self.gates = hid, nn.Conv2d(inp + hid, 4 * hid, 3, padding=1)

    def blank(self, x):
        shape = (x.size(0), self.hid, *x.shape[-2:])
        return tuple(Variable(torch.zeros(shape)).cuda() for _ in "hc")  # expect: TL207

    def forward(self, x, state=None):
        h, c = state if state is not None else self.blank(x)
        i, f, o, g = self.gates(torch.cat([x, h], 1)).chunk(4, 1)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        h = o.sigmoid() * c.tanh()
        return h, (h, c)


class FollowingCell(Cell):
    def blank(self, x):
        place = next(self.parameters()).device
        return tuple(torch.zeros(x.size(0), self.hid, *x.shape[-2:], device=place) for _ in "hc")  # ok: TL207


class CheckedCell(Cell):
    def blank(self, x):
        h = torch.zeros(x.size(0), self.hid, *x.shape[-2:])
        if x.is_cuda:
            h = h.cuda(x.device)  # ok: TL207
        return h, h.clone()


class Stack(nn.Module):
    def __init__(self, kind=Cell, depth=2):
        super().__init__()
        self.cells = nn.ModuleList(kind(1 if not i else 2, 2) for i in range(depth))

    def forward(self, frames):
        states = dict.fromkeys(range(len(self.cells)))
        for x in frames.unbind(1):
            for i, cell in enumerate(self.cells):
                x, states[i] = cell(x, states[i])
        return x


def deploy(net):
    return net.cuda() if torch.cuda.is_available() else net  # ok: TL207


def demonstrate():
    frames = torch.randn(1, 3, 1, 4, 4)
    for kind in (FollowingCell, CheckedCell):
        assert Stack(kind)(frames).shape == (1, 2, 4, 4)
    try:
        out = Stack()(frames)
    except (AssertionError, RuntimeError) as err:  # no cuda here; with cuda: cat of two devices
        assert "cuda" in str(err).lower(), err
    else:
        raise AssertionError(f"a CPU model reached for cuda: {out.shape}")
