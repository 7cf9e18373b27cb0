"""A table kept in __dict__, in a child, on the class, or behind a property that asks for its presence."""

import torch
from torch import nn


class InDict(nn.Module):
    def forward(self, x):
        if "ramp" not in self.__dict__:
            self.ramp = torch.arange(x.shape[-1], device=x.device)  # expect: TL104
        return x + self.ramp


class ByProperty(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim, dim))
        self._inverse = None

    @property
    def inverse(self):
        if self._inverse is None:
            self._inverse = torch.linalg.inv(self.weight.detach())  # expect: TL104
        return self._inverse

    def forward(self, x):
        return x @ self.inverse


class ByGet(nn.Module):
    def __init__(self):
        super().__init__()
        self.windows = {}

    def forward(self, x, size: int):
        window = self.windows.get(size)
        if window is None:
            window = torch.hann_window(size)  # expect: TL204
            self.windows[size] = window  # expect: TL104
        return x * window


class ByGetWithAll(nn.Module):
    def __init__(self):
        super().__init__()
        self.windows = {}

    def forward(self, x, size: int):
        key = f"{size}-{x.device}-{x.dtype}"
        window = self.windows.get(key)
        if window is None:
            window = torch.hann_window(size, device=x.device, dtype=x.dtype)
            self.windows[key] = window  # ok: TL104
        return x * window


class Returned(nn.Module):
    def __init__(self):
        super().__init__()
        self.window = None

    def prepare(self, x, size: int):
        if self.window is not None and self.window.shape[0] == size:
            return self.window.to(x)
        self.window = torch.hann_window(size)  # ok: TL104  converted at every read
        return self.window.to(x)

    def forward(self, x, size: int):
        return x * self.prepare(x, size)


def demonstrate():
    module, other = ByProperty(3), ByProperty(3)
    x = torch.ones(2, 3)
    module(x)
    module.load_state_dict(other.state_dict())
    assert not torch.allclose(module(x), other(x))
    ramp = InDict()
    ramp(torch.ones(3))
    try:
        ramp(torch.ones(4))
    except RuntimeError:
        pass
    else:
        raise AssertionError
    ByGet()(torch.ones(4), 4), ByGetWithAll()(torch.ones(4), 4), Returned()(torch.ones(4), 4)
