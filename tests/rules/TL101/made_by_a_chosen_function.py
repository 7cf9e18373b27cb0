"""A setting chooses the function of torch that makes the tensor: by its name, in a table, in a branch."""

import torch
import torch.nn.functional as F
from torch import nn

WINDOWS = {"hann": torch.hann_window, "hamming": torch.hamming_window}


class Framing:
    """A plain class beside the module; what it stores lies on the module all the same."""

    def set_up(self, size: int, kind: str) -> None:
        self.taper = getattr(torch, f"{kind}_window")(size)  # expect: TL101
        self.energy = self.taper.square().sum().item()  # ok: TL101  a number


class Windowed(nn.Module):
    def __init__(
        self,
        size: int = 8,
        kind: str = "hann",
        window: str = "hann_window",
        act: str = "relu",
        window_fn=torch.hann_window,
        any_fn=float,
    ):
        super().__init__()
        self.by_name = getattr(torch, window)(size)  # expect: TL101
        self.by_sum = getattr(torch, kind + "_window")(size)  # expect: TL101
        self.by_table = WINDOWS[kind](size)  # expect: TL101
        self.by_get = WINDOWS.get(kind, torch.ones)(size)  # expect: TL101
        make = torch.hann_window if kind == "hann" else torch.ones
        self.by_branch = make(size)  # expect: TL101
        self.makers = {"hann": torch.hann_window, "ones": torch.ones}
        self.by_own_table = self.makers[kind](size)  # expect: TL101
        self.by_default = window_fn(size)  # expect: TL101
        self.by_any = any_fn(size)  # ok: TL101  nothing is known of it
        self.act = getattr(F, act)  # ok: TL101  a function
        self.register_buffer("held", getattr(torch, window)(size), persistent=False)  # ok: TL101
        self.size = {"one": int, "two": round}["one"](size)  # ok: TL101

    def forward(self, x):
        x = self.act(x) * self.by_name * self.by_sum * self.by_table * self.by_get
        x = x * self.by_own_table * self.by_default * self.by_any
        return x * self.by_branch * self.held * self.size


class Registering(Framing):
    def set_up(self, size, kind):
        self.register_buffer("taper", getattr(torch, f"{kind}_window")(size), persistent=False)  # ok: TL101
        self.energy = 1.0


class Loss(nn.Module):
    def __init__(self, size: int = 8, kind: str = "hann"):
        super().__init__()
        self.set_up(size, kind)

    def forward(self, x):
        return x * self.taper / self.energy


class LooseLoss(Framing, Loss):
    pass


class FirmLoss(Registering, Loss):
    pass


def demonstrate():
    x = torch.ones(8)
    module = Windowed()
    module(x)
    module.half()
    names = ("by_name", "by_sum", "by_table", "by_get", "by_branch", "by_own_table", "by_default")
    assert all(getattr(module, name).dtype == torch.float32 for name in names) and module.held.dtype == torch.float16
    assert LooseLoss().half()(x.half()).dtype == torch.float32
    assert FirmLoss().half()(x.half()).dtype == torch.float16
