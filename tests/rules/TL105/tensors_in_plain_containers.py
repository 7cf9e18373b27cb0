"""Tensors in a plain container stay behind, as a tensor on a plain attribute does."""
import torch
from torch import nn


class Plain(nn.Module):
    def __init__(self, sizes=(2, 3), dim: int = 3, bits=None):
        super().__init__()
        self.grids = [torch.linspace(0, 1, dim) for _ in sizes]  # expect: TL105
        self.tables = {name: torch.rand(dim) for name in "ab"}  # expect: TL105
        self.meshes = torch.meshgrid(torch.arange(3.0), torch.arange(3.0), indexing="ij")  # expect: TL105
        self.offsets = []  # expect: TL105
        for size in sizes:
            self.offsets.append(torch.full((dim,), float(size)))
        self.start = (torch.zeros(dim), torch.ones(dim))  # expect: TL105
        self.rows = [torch.tensor([0, 1]), torch.tensor([1, 2])]  # note: TL105  indices may stay on the CPU
        self.moved = [torch.rand(dim), torch.rand(dim)]  # note: TL105  converted at every read
        self.by_name = {"a": torch.rand(dim)}  # note: TL105  the same through items()
        self.limits = (torch.tensor(0.0), torch.tensor(1.0))  # note: TL105  0-dim
        self.range = (torch.tensor(1.0), torch.tensor(bits or 4.0))  # note: TL105  like the one beside it
        self.taps = (torch.tensor([1.0, 2.0, 1.0]), torch.tensor(bits or 4.0))  # expect: TL105
        self.counts = [torch.ones(dim) for _ in sizes]  # ok: TL105  only looked at
        self.sizes = list(sizes)  # ok: TL105  numbers
        self.once = [torch.rand(dim) for _ in sizes]  # ok: TL105  only construction reads it
        self.register_buffer("sums", torch.stack(self.once), persistent=False)
        self.numbers = [size.item() for size in torch.tensor(sizes)]  # ok: TL105
        self.shapes = [grid.shape for grid in self.grids]  # ok: TL105

    def forward(self, x):
        for grid, offset in zip(self.grids, self.offsets):
            x = x * grid + offset
        for i, moved in enumerate(self.moved):
            x = x + moved.to(x.device, x.dtype) * i
        for name, one in self.by_name.items():
            x = x + one.to(x) * len(name)
        low, high = self.start
        x = x + self.tables["a"] + self.meshes[0] + low * high + x[self.rows[0]].sum() + self.sums[0]
        x = x / self.range[1] + self.taps[0] * self.taps[1]
        return x.clamp(*self.limits) * len(self.counts) * self.counts[0].shape[0] * self.sizes[0] * self.numbers[0]


class Registered(nn.Module):
    def __init__(self, sizes=(2, 3), dim: int = 3):
        super().__init__()
        for i, size in enumerate(sizes):
            self.register_buffer(f"grid{i}", torch.full((dim,), float(size)))
        self.names = [f"grid{i}" for i in range(len(sizes))]  # ok: TL105

    def forward(self, x):
        for name in self.names:
            x = x * getattr(self, name)
        return x


def demonstrate():
    plain = Plain().double()
    assert plain.grids[0].dtype == plain.start[0].dtype == plain.tables["a"].dtype == torch.float32
    assert Plain().range[1].ndim == 0
    Plain()(torch.ones(3))
    assert Plain().to("meta").meshes[0].device.type == "cpu"
    assert Registered().double()(torch.ones(3, dtype=torch.float64)).dtype == torch.float64
