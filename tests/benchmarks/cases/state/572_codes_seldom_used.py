"""A codebook restarts codes that are seldom used and cools its temperature; how often and how far is not part of the checkpoint.

source: bayesiains/nflows#5, mujocolab/mjlab#484 (training state lost on resume), facebookresearch/habitat-lab#570; rebuilt from scratch
rules: [TL122]
"""
import torch
from torch import nn


class Codebook(nn.Module):
    def __init__(self, codes: int = 4, dim: int = 2):
        super().__init__()
        self.register_buffer("book", torch.randn(codes, dim))
        self.prepare(codes)

    def prepare(self, codes: int) -> None:
        raise NotImplementedError

    def note(self, hits):
        self.usage = 0.5 * self.usage + 0.5 * hits

    def forward(self, z):
        near = torch.cdist(z, self.book).argmin(-1)
        if self.training:
            self.note(torch.bincount(near, minlength=len(self.book)).float())
        return near, self.usage / self.usage.sum().clamp(min=1e-6)


class PlainCodebook(Codebook):
    def prepare(self, codes):
        self.usage = torch.ones(codes)  # expect: TL122


class TransientCodebook(Codebook):
    def prepare(self, codes):
        self.register_buffer("usage", torch.ones(codes), persistent=False)  # expect: TL122


class SavedCodebook(Codebook):
    def prepare(self, codes):
        self.register_buffer("usage", torch.ones(codes))  # ok: TL122
        self.batches = 0  # ok: TL122

    def note(self, hits):
        super().note(hits)
        self.batches += 1

    def extra_repr(self):
        return f"batches={self.batches}"


class CoolingCodebook(SavedCodebook):
    """Draws codes at a temperature that falls with every training batch."""

    def prepare(self, codes):
        super().prepare(codes)
        self.temperature = 2.0  # expect: TL122

    def forward(self, z):
        if self.training:
            self.temperature = max(0.1, 0.5 * self.temperature)
        soft = (-torch.cdist(z, self.book) / self.temperature).softmax(-1)
        return soft.argmax(-1), soft.mean(0)


class SettledCodebook(CoolingCodebook):
    """The same number, written into the checkpoint."""

    def prepare(self, codes):
        SavedCodebook.prepare(self, codes)
        self.temperature = 2.0  # ok: TL122

    def get_extra_state(self):
        return {"temperature": self.temperature}

    def set_extra_state(self, state):
        self.temperature = state["temperature"]


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    z = torch.randn(9, 2)
    for cls, faithful in (
        (PlainCodebook, False), (TransientCodebook, False), (SavedCodebook, True), (CoolingCodebook, False),
        (SettledCodebook, True),
    ):
        run, resumed = cls(), cls()
        for _ in range(3):
            run(z)
        resumed.load_state_dict(run.state_dict())
        assert torch.allclose(run.eval()(z)[1], resumed.eval()(z)[1]) is faithful, cls
