"""An ensemble loader evaluates its members while they are built and casts them in a later loop.

source: ultralytics/ultralytics#23780; ensemble loaders that call eval() on each member and half() on the list
rules: [TL103, TL303]
"""
from __future__ import annotations

import torch
from torch import nn


class Relative(nn.Module):
    """Relative bias table expanded to a square once per evaluation phase."""

    def __init__(self, n: int = 4):
        super().__init__()
        self.n = n
        self.table = nn.Parameter(torch.randn(2 * n - 1))
        i = torch.arange(n)
        self.register_buffer("where", i[:, None] - i + n - 1, persistent=False)

    def square(self):
        return self.table[self.where]

    def forward(self, s):
        return s + self.square()


class MemoRelative(Relative):
    def eval(self):  # use: TL108
        super().eval()
        with torch.no_grad():
            self.flat = self.square()  # expect: TL103
        return self

    def train(self, mode: bool = True):
        super().train(mode)
        self.__dict__.pop("flat", None)
        return self

    def forward(self, s):
        kept = self.__dict__.get("flat")
        return s + (self.square() if kept is None else kept)


class Ensemble(nn.Module):
    def __init__(self, members):
        super().__init__()
        self.members = nn.ModuleList(members)

    def forward(self, s):
        return torch.stack([m(s) for m in self.members]).mean(0)


def load_memo(paths: list, half: bool = True) -> Ensemble:
    members = []
    for _ in paths:
        m = MemoRelative()
        m.eval()
        if half:
            m.half()  # expect: TL303
        members.append(m)
    return Ensemble(members)


def load_plain(paths: list, half: bool = True) -> Ensemble:
    members = []
    for _ in paths:
        m = Relative()
        m.eval()
        members.append(m.half() if half else m)  # ok: TL303
    return Ensemble(members)


def load_ordered(paths: list, half: bool = True) -> Ensemble:
    members = [MemoRelative() for _ in paths]
    for m in members:
        if half:
            m.half()  # ok: TL303
    for m in members:
        m.eval()
    return Ensemble(members)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    s = torch.randn(2, 4, 4).half()
    assert load_memo([1, 2])(s).dtype == torch.float32, "the kept squares are float32 and promote"
    assert load_plain([1, 2])(s).dtype == torch.float16
    assert load_ordered([1, 2])(s).dtype == torch.float16
    m = MemoRelative().eval()
    m.load_state_dict(MemoRelative().state_dict())
    assert not torch.equal(m.flat, m.square())
