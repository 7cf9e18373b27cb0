"""A tensor of no dimensions meets every device and changes no dtype: a note. One element in a dimension does not."""
import math

import torch
from torch import nn


class Weighted(nn.Module):
    def __init__(self, **options):
        super().__init__()
        self.temperature = torch.tensor(0.5)  # note: TL101
        self.total = torch.ones(3).sum()  # note: TL101
        self.scale = torch.tensor([0.5])  # expect: TL101
        shape = torch.tensor(options["shape"] if "shape" in options else (3, 4, 5), dtype=torch.float32)
        self.depth = shape[2] * 0.001  # note: TL101  one number of three
        self.width = torch.tensor(options.get("shape", (3, 4, 5)))[0]  # note: TL101
        self.sizes = shape[1:2] * 0.001  # expect: TL101  a slice of them
        self.row = torch.tensor(options.get("rows", ((3, 4), (4, 5))))[0]  # expect: TL101
        self.height = 3.0 if "shape" not in options else float(options["shape"][0])  # ok: TL101
        self.rate = 0.5  # ok: TL101
        self.log_rate = math.log(0.5)  # ok: TL101
        self.steps = int(torch.tensor(3.0))  # ok: TL101

    def forward(self, x):
        scaled = x * self.depth * self.width * self.sizes * self.row * self.height
        return scaled * self.temperature * self.total * self.scale * self.rate * self.log_rate * self.steps


def demonstrate():
    x = torch.ones(2, device="meta", dtype=torch.float16)
    module = Weighted()
    y = x * module.temperature * module.total * module.depth * module.width
    assert y.is_meta
    assert y.dtype == torch.float16
    for wide in (module.scale, module.sizes, module.row):
        try:
            x * wide
            raise AssertionError("one dimension is enough to clash")
        except RuntimeError:
            pass
