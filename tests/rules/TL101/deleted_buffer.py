"""`del self.name` takes a buffer out of the registry, so the assignment that follows is a plain one."""
import torch
from torch import nn


class Windowed(nn.Module):
    def __init__(self, size: int = 8):
        super().__init__()
        self.register_buffer("window", torch.ones(size), persistent=False)

    def forward(self, x):
        return x * self.window


class ByDel(Windowed):
    def __init__(self, size: int = 8):
        super().__init__(size)
        del self.window
        self.window = torch.hann_window(size)  # expect: TL101


class ByDelattr(Windowed):
    def __init__(self, size: int = 8):
        super().__init__(size)
        delattr(self, "window")
        self.window = torch.hamming_window(size)  # expect: TL101


class Stretched(Windowed):
    """The new tensor is made of the old one, and is a plain attribute all the same."""

    def __init__(self, size: int = 8):
        super().__init__(size)
        self.window = torch.hann_window(size)  # ok: TL101  still the buffer
        old = self.window
        del self.window
        self.window = old * 2  # expect: TL101


class Popped(Windowed):
    def __init__(self, size: int = 8):
        super().__init__(size)
        self._buffers.pop("window")
        self.window = torch.hann_window(size)  # expect: TL101


class PoppedFromAChild(Windowed):
    def __init__(self, size: int = 8):
        super().__init__(size)
        self.child = Windowed(size)
        self.child._buffers.pop("window")
        self.window = torch.hann_window(size)  # ok: TL101  the name of another object

    def forward(self, x):
        return x * self.window


class Assigned(Windowed):
    def __init__(self, size: int = 8):
        super().__init__(size)
        self.window = torch.hann_window(size)  # ok: TL101


class RegisteredAgain(Windowed):
    def __init__(self, size: int = 8):
        super().__init__(size)
        del self.window
        self.register_buffer("window", torch.hann_window(size))  # ok: TL101
        self.window = torch.hamming_window(size)  # ok: TL101


class LocalDeleted(Windowed):
    def __init__(self, size: int = 8):
        super().__init__(size)
        window = torch.hann_window(size)
        self.window = window / window.sum()  # ok: TL101  the deleted name is a local variable
        del window


def demonstrate():
    x = torch.ones(8)
    for kind, follows in (
        (ByDel, False), (ByDelattr, False), (Stretched, False), (Popped, False),
        (PoppedFromAChild, True), (Assigned, True), (RegisteredAgain, True), (LocalDeleted, True),
    ):
        module = kind()
        assert ("window" in dict(module.named_buffers())) is follows, kind
        assert (module.half()(x.half()).dtype == torch.float16) is follows, kind
