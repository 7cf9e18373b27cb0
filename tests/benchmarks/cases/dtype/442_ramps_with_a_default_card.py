"""Rotary angles are made by a helper whose device argument defaults to "cuda"; the layer that forgets the argument works on one machine only.

source: rotary helpers of language-model code (device="cuda" defaults); Parskatt/dad#1, pq-yang/MatAnyone#43 kind (cuda assumed)
rules: [TL207]
"""
import torch
from torch import nn


def angles(count, freq, device="cuda"):
    at = torch.arange(count, device=device, dtype=torch.float32)  # expect: TL207
    return torch.outer(at, freq)


def angles_there(count, freq, device=None):
    at = torch.arange(count, device=device or freq.device, dtype=torch.float32)  # ok: TL207
    return torch.outer(at, freq)


class Turn(nn.Module):
    make = staticmethod(angles)

    def __init__(self, dim, base=100.0):
        super().__init__()
        self.register_buffer("freq", base ** (-torch.arange(0, dim, 2) / dim), persistent=False)

    def table(self, x):
        return self.make(x.size(1), self.freq)

    def forward(self, x):
        a = self.table(x)
        even, odd = x[..., ::2], x[..., 1::2]
        return torch.cat([even * a.cos() - odd * a.sin(), even * a.sin() + odd * a.cos()], dim=-1)


class TurnThere(Turn):
    make = staticmethod(angles_there)


class TurnByBuffer(Turn):
    """Counts with what is already in the right place."""

    def table(self, x):
        at = torch.ones_like(x[0, :, 0]).cumsum(0) - 1  # ok: TL207
        return at[:, None] * self.freq


def warm_up(module, device="cuda"):
    """A tool of the command line: the caller decides, nothing meets a foreign input."""
    module.to(device)  # ok: TL207
    return module(torch.zeros(1, 2, 4, device=device))  # ok: TL207


def demonstrate():
    from torch._subclasses.fake_tensor import FakeTensorMode

    torch.manual_seed(0)
    with FakeTensorMode():
        try:
            Turn(4)(torch.randn(2, 3, 4))
            raise SystemError("angles on cuda met vectors on the CPU")
        except (RuntimeError, AssertionError) as err:
            assert "device" in str(err) or "CUDA" in str(err), err
    x = torch.randn(2, 3, 4)
    assert torch.allclose(TurnThere(4)(x), TurnByBuffer(4)(x), atol=1e-5)
    assert TurnThere(4).to("meta")(x.to("meta")).device.type == "meta"
    assert warm_up(TurnThere(4), device="cpu").shape == (1, 2, 4)
