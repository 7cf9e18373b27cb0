"""A text-to-speech stack writes its own train(): early returns, lost modes and an own flag that is never switched.

source: Lightning-AI/pytorch-lightning#18930 (parts that must stay in eval mode); rebuilt from scratch
rules: [TL108]
"""
import torch
from torch import nn


class Speech(nn.Module):
    def __init__(self, dim: int = 4, pinned: bool = False):
        super().__init__()
        self.text = nn.Sequential(nn.Linear(dim, dim), nn.Dropout(0.5))
        self.vocoder = nn.Sequential(nn.Linear(dim, dim), nn.Dropout(0.5))
        self.pinned = pinned

    def forward(self, x):
        h = self.text(x)
        return self.vocoder(h + torch.randn_like(h) if self.training else h)


class EarlyReturnSpeech(Speech):
    def train(self, mode: bool = True):  # expect: TL108
        if self.pinned:
            self.eval_parts()
            return
        return super().train(mode)

    def eval_parts(self) -> None:
        nn.Module.train(self, False)


class LostModeSpeech(Speech):
    def train(self, mode: bool = True):  # expect: TL108
        super().train()
        if self.pinned:
            self.vocoder.eval()
        return self


class PartsOnlySpeech(Speech):
    """The parts are switched, the module's own flag stays as it was."""

    def train(self, mode: bool = True):  # expect: TL108
        for part in (self.text, self.vocoder):
            part.train(mode)
        return self


class EvalWorksSpeech(Speech):
    """eval() takes the noise away; train(False), which is what a parent calls, does not."""

    noise = 1.0

    def eval(self):  # expect: TL108
        self.noise = 0.0
        return super().eval()

    def forward(self, x):
        h = self.text(x)
        return self.vocoder(h + self.noise * torch.ones_like(h))


class HelperSpeech(Speech):
    """The same work split over a helper that hands the module on."""

    def train(self, mode: bool = True):  # ok: TL108
        return self._switch(mode)

    def _switch(self, mode: bool) -> "HelperSpeech":
        super().train(mode and not self.pinned)
        return self


class RebuiltSpeech(Speech):
    def train(self, mode: bool = True):  # ok: TL108
        self.training = mode
        for name, part in self.named_children():
            part.train(mode if name != "vocoder" else False)
        return self


class ForwardingSpeech(Speech):
    def train(self, mode: bool = True):  # ok: TL108
        self.calls = getattr(self, "calls", 0) + 1
        return super().train(mode=mode)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    assert EarlyReturnSpeech(pinned=True).train() is None
    m = LostModeSpeech().train(False)
    assert m.training and m.text.training
    m = PartsOnlySpeech().eval()
    assert m.training and not m.text.training
    host = nn.Sequential(EvalWorksSpeech())
    assert host.eval()[0].noise == 1.0 and EvalWorksSpeech().eval().noise == 0.0
    for cls in (HelperSpeech, RebuiltSpeech, ForwardingSpeech):
        m = cls()
        assert m.train(False) is m and not m.training and not m.text.training, cls
        assert m.train(True) is m and m.training, cls
