"""A captioner freezes its encoder in the constructor; the fit loop calls train() every epoch and thaws dropout and statistics.

source: lightly-ai/lightly#1438, Lightning-AI/pytorch-lightning#15062, chemprop/chemprop#952
rules: [TL118]
"""
import torch
from torch import nn


class Encoder(nn.Sequential):
    def __init__(self, dim: int = 4):
        super().__init__(nn.Linear(dim, dim), nn.BatchNorm1d(dim), nn.Dropout(0.5))


class Captioner(nn.Module):
    def __init__(self, dim: int = 4, words: int = 3, tune_encoder: bool = False):
        super().__init__()
        self.encoder = Encoder(dim)
        self.decoder = nn.Linear(dim, words)
        self.tune_encoder = tune_encoder
        if not tune_encoder:
            self.freeze_encoder()

    def freeze_encoder(self) -> None:
        raise NotImplementedError

    def forward(self, x):
        return self.decoder(self.encoder(x))


class ThawingCaptioner(Captioner):
    def freeze_encoder(self):
        part = self.encoder
        part.requires_grad_(False)
        part.eval()  # expect: TL118


class PinnedCaptioner(Captioner):
    def freeze_encoder(self):
        self.encoder.requires_grad_(False).eval()  # ok: TL118

    def train(self, mode: bool = True):
        super().train(mode)
        if not self.tune_encoder:
            self.encoder.eval()  # ok: TL118
        return self


class ConstantCaptioner(Captioner):
    """The encoder's own class refuses to be trained."""

    class Constant(Encoder):
        def train(self, mode: bool = True):
            return super().train(False)

    def freeze_encoder(self):
        self.encoder = self.Constant()
        self.encoder.requires_grad_(False)
        self.encoder.eval()  # ok: TL118


class GradOnlyCaptioner(Captioner):
    """Only the gradients are switched off, and train() does not touch those."""

    def freeze_encoder(self):
        for p in self.encoder.parameters():
            p.requires_grad = False  # ok: TL118


def fit(model: Captioner, epochs: int = 2) -> Captioner:
    opt = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.01)
    for _ in range(epochs):
        model.train()
        for _ in range(3):
            loss = model(torch.randn(8, 4) + 5).logsumexp(-1).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
    return model


def experiments() -> list[Captioner]:
    return [fit(ThawingCaptioner()), fit(PinnedCaptioner()), fit(ConstantCaptioner()), fit(GradOnlyCaptioner())]


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, frozen in ((ThawingCaptioner, False), (PinnedCaptioner, True), (ConstantCaptioner, True)):
        m = cls()
        assert not m.encoder.training
        before = m.encoder[1].running_mean.clone()
        fit(m)
        assert torch.equal(m.encoder[1].running_mean, before) is frozen, cls
        assert m.encoder[2].training is not frozen
    assert len(experiments()) == 4
