"""A recurrent video network keeps one hidden map per layer in a dict; one child keeps the graph in it as well.

source: sgadgil6/cnslab_fmri#4, quark0/darts#56 (repackage the hidden state), convolutional recurrent video code
rules: [TL102]
"""
import torch
from torch import nn


class Cell(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.gates = nn.Conv1d(2 * dim, 2 * dim, 3, padding=1)

    def forward(self, x, h):
        z, c = self.gates(torch.cat([x, h], 1)).chunk(2, 1)
        return torch.lerp(h, c.tanh(), z.sigmoid())


class Recurrent(nn.Module):
    def __init__(self, dim: int = 2, depth: int = 2):
        super().__init__()
        self.cells = nn.ModuleList(Cell(dim) for _ in range(depth))
        self.maps = {}  # use: TL122
        self.frames = 0  # ok: TL122

    def initial(self, x):
        return torch.zeros_like(x)

    def keep(self, layer: int, value: torch.Tensor) -> None:
        raise NotImplementedError

    def forward(self, x):
        self.frames += 1
        for i, cell in enumerate(self.cells):
            x = cell(x, self.maps.get(i, self.initial(x)))
            self.keep(i, x)
        return x

    def extra_repr(self) -> str:
        return f"frames={self.frames}"


class AttachedMaps(Recurrent):
    def keep(self, layer, value):
        self.maps[layer] = value  # expect: TL102


class ClipMaps(Recurrent):
    """Hidden maps live for one clip: the caller says when the next begins, and the graph is cut between steps."""

    def start_clip(self) -> None:
        self.maps = {}  # use: TL122

    def keep(self, layer, value):
        self.maps[layer] = value.detach()  # ok: TL102


class ReturnedMaps(Recurrent):
    """The caller owns the maps."""

    def forward(self, x, maps=None):
        maps = dict(maps or {})
        for i, cell in enumerate(self.cells):
            x = maps[i] = cell(x, maps.get(i, self.initial(x)))  # ok: TL102
        return x, {k: v.detach() for k, v in maps.items()}


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, works in ((AttachedMaps, False), (ClipMaps, True), (ReturnedMaps, True)):
        net, maps = cls(), None
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        ok = True
        for _ in range(3):
            x = torch.randn(1, 2, 5)
            out = net(x, maps) if cls is ReturnedMaps else net(x)
            out, maps = out if isinstance(out, tuple) else (out, None)
            opt.zero_grad()
            try:
                out.sum().backward()
            except RuntimeError as exc:
                assert "second time" in str(exc) or "inplace" in str(exc), exc
                ok = False
                break
            opt.step()
        assert ok is works, cls
