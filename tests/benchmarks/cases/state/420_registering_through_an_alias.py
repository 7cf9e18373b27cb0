"""Constructors shorten register_buffer to a local name, bind arguments to it, or unpack several results at once.

source: constructors that shorten long registering calls; classes rebuilt from scratch
rules: [TL115]
"""
from functools import partial

import torch
from torch import nn


class Gabor(nn.Module):
    def __init__(self, taps: int = 5):
        super().__init__()
        self.taps = taps
        self.gain = nn.Parameter(torch.ones(()))
        self.set_up(torch.hann_window(taps), torch.arange(taps).float())

    def set_up(self, w: torch.Tensor, t: torch.Tensor) -> None:
        raise NotImplementedError

    def forward(self, x):
        return (x * self.window * torch.cos(self.phase)).sum(-1) * self.gain


class AliasedGabor(Gabor):
    def set_up(self, w, t):
        reg = self.register_buffer
        self.window = reg("window", w)  # expect: TL115
        self.phase = reg("phase", t)  # expect: TL115


class BoundGabor(Gabor):
    def set_up(self, w, t):
        const = partial(self.register_buffer, persistent=False)
        const("window", w)
        self.phase: torch.Tensor = const("phase", t)  # expect: TL115


class ForwardedGabor(Gabor):
    def keep(self, name: str, value: torch.Tensor):
        return super().register_buffer(name, value)

    def set_up(self, w, t):
        self.keep("window", w)
        self.phase = self.keep("phase", t)  # expect: TL115


class ReturningGabor(Gabor):
    """This helper registers and then hands back the tensor itself."""

    def keep(self, name: str, value: torch.Tensor) -> torch.Tensor:
        self.register_buffer(name, value)
        return getattr(self, name)

    def set_up(self, w, t):
        self.window = self.keep("window", w)  # ok: TL115, TL101
        self.phase = self.keep("phase", t)  # ok: TL115, TL101


class HandleGabor(Gabor):
    """Hooks do return something worth keeping."""

    def set_up(self, w, t):
        for name, value in {"window": w, "phase": t}.items():
            self.register_buffer(name, value)
        self.handle = self.register_forward_pre_hook(lambda mod, args: (args[0].to(mod.window),))  # ok: TL115


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(2, 5)
    for cls, works in ((AliasedGabor, False), (BoundGabor, False), (ForwardedGabor, False), (ReturningGabor, True), (HandleGabor, True)):
        m = cls()
        assert (m.phase is None) is not works, cls
        try:
            ok = m(x).shape == (2,)
        except TypeError:
            ok = False
        assert ok is works, cls
