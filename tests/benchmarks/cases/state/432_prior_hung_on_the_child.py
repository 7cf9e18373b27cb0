"""Long-tailed recognition: the recogniser hangs the log-frequencies of the classes on its head, as a plain tensor or not.

source: logit-adjustment code that sets tensors on a submodule; pytorch/pytorch#2641 (what .cuda() moves); rebuilt from scratch
rules: [TL101]
"""
from collections import Counter
from typing import Iterable, Optional

import torch
from torch import nn


def log_share(labels: Iterable[int], classes: int) -> torch.Tensor:
    tally = Counter(labels)
    share = torch.tensor([tally[c] + 1.0 for c in range(classes)])
    return (share / share.sum()).log()


class Head(nn.Linear):
    """Adds an offset when somebody has given it one."""

    def forward(self, x):
        y = super().forward(x)
        shift = getattr(self, "offset", None)
        return y if shift is None else y + shift


class BufferHead(nn.Linear):
    offset: Optional[torch.Tensor]

    def __init__(self, cin: int, classes: int):
        super().__init__(cin, classes)
        self.register_buffer("offset", None, persistent=False)

    def forward(self, x):
        return super().forward(x) if self.offset is None else super().forward(x) + self.offset


class Recogniser(nn.Module):
    def __init__(self, labels: list[int], dim: int = 4, classes: int = 3):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(dim, dim), nn.Tanh())
        self.top = Head(dim, classes)
        self.top.offset = log_share(labels, classes)  # expect: TL101
        self.most = int(log_share(labels, classes).argmax())  # ok: TL101

    def forward(self, x):
        return self.top(self.body(x))


class BufferedRecogniser(nn.Module):
    """The child knows the name as a buffer, so a write from outside fills the buffer."""

    def __init__(self, labels: list[int], dim: int = 4, classes: int = 3):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(dim, dim), nn.Tanh())
        self.top = BufferHead(dim, classes)
        self.top.offset = log_share(labels, classes)  # ok: TL101

    def forward(self, x):
        return self.top(self.body(x))


class BiasedRecogniser(nn.Module):
    """The same numbers are the start of a bias that is learned."""

    def __init__(self, labels: list[int], dim: int = 4, classes: int = 3):
        super().__init__()
        self.top = Head(dim, classes)
        prior = log_share(labels, classes)
        with torch.no_grad():
            self.top.bias.copy_(prior)  # ok: TL101

    def forward(self, x):
        return self.top(x)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x, labels = torch.randn(2, 4), [0, 0, 0, 1, 2]
    for cls, follows in ((Recogniser, False), (BufferedRecogniser, True), (BiasedRecogniser, True)):
        m = cls(labels)
        m(x)
        m.half()
        assert (m(x.half()).dtype == torch.float16) is follows, cls
        try:
            ok = m.to("meta")(x.half().to("meta")).is_meta
        except RuntimeError:
            ok = False
        assert ok is follows, cls
