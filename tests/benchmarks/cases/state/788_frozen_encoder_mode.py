"""Two mode switches of a segmentation net: train() loses its argument, and Monte-Carlo dropout sits in eval() alone.

source: forum threads on frozen encoders and on dropout at test time; classes written from scratch
rules: [TL108]
"""
import torch
from torch import nn


class SegBase(nn.Module):
    def __init__(self, width: int = 4):
        super().__init__()
        self.encoder = nn.Sequential(nn.Conv2d(3, width, 1), nn.BatchNorm2d(width), nn.ReLU())
        self.decoder = nn.Sequential(nn.BatchNorm2d(width), nn.Dropout(0.5), nn.Conv2d(width, 2, 1))
        for p in self.encoder.parameters():
            p.requires_grad_(False)

    def forward(self, x):
        return self.decoder(self.encoder(x))


class FrozenEncoderSeg(SegBase):
    def train(self, mode: bool = True):  # expect: TL108
        super().train()
        self.encoder.eval()
        return self


class PinnedEncoderSeg(SegBase):
    def train(self, mode: bool = True):  # ok: TL108
        super().train(mode)
        self.encoder.eval()
        return self


class MonteCarloSeg(SegBase):
    def eval(self):  # expect: TL108
        super().eval()
        for m in self.modules():
            if isinstance(m, nn.Dropout):
                m.train()
        return self


class EitherWayMonteCarloSeg(SegBase):
    """The same wish, in the method that both spellings and every parent arrive at."""

    def train(self, mode: bool = True):  # ok: TL108
        super().train(mode)
        for m in self.modules():
            if isinstance(m, nn.Dropout):
                m.training = True
        return self


class ShortEvalSeg(SegBase):
    def eval(self):  # ok: TL108
        return self.train(False)


class Engine:
    """Not a module: a loop may be called train here, and eval may compute a score."""

    def __init__(self, net: SegBase, lr: float = 0.01):
        self.net = net
        self.opt = torch.optim.SGD(net.decoder.parameters(), lr=lr)

    def train(self, images, masks) -> float:  # ok: TL108
        self.net.train()
        loss = nn.functional.cross_entropy(self.net(images), masks)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    @torch.no_grad()
    def eval(self, images, masks) -> float:  # ok: TL108
        self.net.eval()
        return float((self.net(images).argmax(1) == masks).float().mean())


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, switches in ((FrozenEncoderSeg, False), (PinnedEncoderSeg, True), (ShortEvalSeg, True)):
        net = cls()
        nn.Sequential(net).eval()
        assert (not net.decoder[0].training) is switches, cls
        net.train()
        assert net.decoder[0].training
    for cls, active in ((MonteCarloSeg, False), (EitherWayMonteCarloSeg, True)):
        net = cls()
        assert net.eval().decoder[1].training and not net.decoder[0].training
        nn.Sequential(net).train(False)
        assert net.decoder[1].training is active, cls
    images, masks = torch.randn(2, 3, 4, 4), torch.randint(0, 2, (2, 4, 4))
    engine = Engine(PinnedEncoderSeg())
    engine.train(images, masks)
    assert 0.0 <= engine.eval(images, masks) <= 1.0
