"""A vocoder's judges are one per period and one per band: they sit in lists, in a dict of tuples, and one owner builds them too early.

source: pytorch forum and issue reports "optimizer got an empty parameter list" / discriminators that never learn; pytorch/pytorch#29807
rules: [TL105, TL109]
"""
import torch
from torch import Tensor, nn


class PeriodJudge(nn.Module):
    def __init__(self, period: int):
        super().__init__()
        self.period = period
        self.conv = nn.Conv1d(period, 1, 1)

    def forward(self, wav: Tensor) -> Tensor:
        n = wav.shape[-1] // self.period * self.period
        return self.conv(wav[..., :n].unflatten(-1, (-1, self.period)).squeeze(1).mT)


class ListedJudges(nn.Module):
    def __init__(self, periods=(2, 3)):
        super().__init__()
        self.judges = [PeriodJudge(p) for p in periods]  # expect: TL105

    def forward(self, wav):
        return [j(wav) for j in self.judges]


class KeptJudges(nn.Module):
    def __init__(self, periods=(2, 3)):
        super().__init__()
        judges = [PeriodJudge(p) for p in periods]
        self.judges = nn.ModuleList(judges)  # ok: TL105
        self.order = [judges[-1], judges[0]]  # ok: TL105

    def forward(self, wav):
        return [j(wav) for j in self.order]


class BandGains(nn.Module):
    """Gain and offset per band, together in a dict of tuples."""

    def __init__(self, bands=("low", "high")):
        super().__init__()
        self.gains = {b: (nn.Parameter(torch.ones(1)), nn.Parameter(torch.zeros(1))) for b in bands}  # expect: TL105

    def forward(self, wav, band: str):
        gain, offset = self.gains[band]
        return wav * gain + offset


class BandGainsFixed(nn.Module):
    def __init__(self, bands=("low", "high")):
        super().__init__()
        self.gains = nn.ModuleDict({b: nn.ParameterList([torch.ones(1), torch.zeros(1)]) for b in bands})  # ok: TL105

    def forward(self, wav, band: str):
        gain, offset = self.gains[band]
        return wav * gain + offset


class EarlyVocoder(nn.Module):
    def __init__(self, periods=(2, 3)):
        self.periods = tuple(periods)  # ok: TL109
        self.judges = KeptJudges(periods)  # expect: TL109
        super().__init__()

    def forward(self, wav):
        return self.judges(wav)


class Vocoder(nn.Module):
    def __init__(self, periods=(2, 3)):
        self.periods = tuple(periods)  # ok: TL109
        super().__init__()
        self.judges = KeptJudges(self.periods)  # ok: TL109

    def forward(self, wav):
        return self.judges(wav)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    wav = torch.randn(1, 1, 12)
    assert not list(ListedJudges().parameters()) and len(list(KeptJudges().parameters())) == 4
    assert not list(BandGains().parameters()) and len(list(BandGainsFixed().parameters())) == 4
    assert len(ListedJudges()(wav)) == len(KeptJudges()(wav)) == len(Vocoder()(wav)) == 2
    assert torch.equal(BandGains()(wav, "low"), BandGainsFixed()(wav, "low"))
    try:
        EarlyVocoder()
        raise AssertionError("a Module was assigned before Module.__init__")
    except AttributeError as exc:
        assert "before Module.__init__" in str(exc), exc
