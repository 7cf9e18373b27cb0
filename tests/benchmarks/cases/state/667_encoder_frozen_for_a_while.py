"""Fine-tuning freezes an encoder: its norms are put to eval mode once, and the epoch loop calls train(); two train() methods lose things.

source: pgniewko/gt-pyg#112 (freeze() is reset by the next model.train()), ContinualAI/avalanche#772
rules: [TL108, TL118]
"""
import torch
from torch import nn


class GraphNetBase(nn.Module):
    def __init__(self, dim: int = 4, finetune: bool = True):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(dim, dim), nn.BatchNorm1d(dim))
        self.head = nn.Linear(dim, 1)
        if finetune:
            self.freeze()

    def forward(self, x):
        return self.head(self.encoder(x))


class FrozenOnce(GraphNetBase):
    def freeze(self):
        for p in self.encoder.parameters():
            p.requires_grad_(False)
        for m in self.encoder.modules():
            if isinstance(m, (nn.BatchNorm1d, nn.BatchNorm2d)):
                m.eval()  # expect: TL118
        return self


class FrozenForGood(GraphNetBase):
    def freeze(self):
        self.encoder.requires_grad_(False)
        self.encoder.eval()  # ok: TL118
        return self

    def train(self, mode: bool = True):  # ok: TL108
        super().train(mode)
        self.encoder.eval()
        return self


class FrozenWeightsOnly(GraphNetBase):
    """Weights are frozen, statistics go on on purpose."""

    def freeze(self):
        self.encoder.requires_grad_(False)  # ok: TL118
        return self


class NoisyPair(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.noise, self.out = nn.Dropout(0.5), nn.Linear(dim, 1)

    def forward(self, x):
        return self.out(self.noise(x))


class ForgetsSelf(NoisyPair):
    def train(self, mode=True):  # expect: TL108
        super().train(mode)
        self.noise.p = 0.5 if mode else 0.0


class DropsMode(NoisyPair):
    def train(self, mode=True):  # expect: TL108
        super().train()
        self.noise.p = 0.5 if mode else 0.0
        return self


class PassesOn(NoisyPair):
    def train(self, mode=True):  # ok: TL108
        self.noise.p = 0.5 if mode else 0.0
        return super().train(mode)


def run_epoch(model, loader):
    model.train()
    opt = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
    for x, y in loader:
        loss = (model(x).squeeze(1) - y).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


def main(loader):
    model = FrozenOnce()
    for _ in range(2):
        run_epoch(model, loader)
    return model


def others(loader):
    for model in (FrozenForGood(), FrozenWeightsOnly(), PassesOn()):
        run_epoch(model, loader)
        yield model


# ---- demonstration: not part of the graded code ----
def demonstrate():
    loader = [(torch.randn(6, 4) + 3, torch.randn(6))]
    moved = main(loader).encoder[1].running_mean
    assert moved.abs().sum() > 0
    good, weights_only, _ = others(loader)
    assert good.encoder[1].running_mean.abs().sum() == 0
    assert weights_only.encoder[1].running_mean.abs().sum() > 0
    m = ForgetsSelf()
    assert m.train(False) is None and PassesOn().train(False).training is False
    m = DropsMode().train(False)
    assert m.training and m.out.training
