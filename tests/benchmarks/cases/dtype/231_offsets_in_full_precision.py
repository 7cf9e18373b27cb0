"""A helper runs any layer "in full precision"; one caller passes bf16 features through it, the other helper casts its arguments.

source: erksch/fnet-pytorch#10 (island that casts), lbin/DCNv2#2, pytorch/pytorch#42358
rules: [TL409]
"""
import torch
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Deformable(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.stem = nn.Conv1d(dim, dim, 3, padding=1)
        self.offset = nn.Conv1d(dim, dim, 3, padding=1)
        self.act = nn.PReLU()
        self.norm = nn.GroupNorm(1, dim)

    def moves(self, feats):
        with torch.amp.autocast(KIND, enabled=False):
            return self.offset(feats)  # expect: TL409

    def forward(self, x):
        with torch.autocast(KIND, torch.bfloat16):
            feats = self.stem(x)
            return feats + torch.tanh(self.moves(feats))


class DeformableGated(Deformable):
    def forward(self, x):
        with torch.autocast(KIND, torch.bfloat16):
            feats = self.stem(x)
            with torch.autocast(KIND, torch.float32, False):
                feats = self.act(feats)  # expect: TL409
            return feats


class DeformableCast(Deformable):
    def moves(self, feats):
        with torch.amp.autocast(KIND, enabled=False):
            wide = [t.to(torch.float32) for t in (feats,)]
            return self.offset(*wide)  # ok: TL409


class DeformableNormed(Deformable):
    """A sum with a float32 tensor is float32 before the layer sees it."""

    def forward(self, x):
        with torch.autocast(KIND, torch.bfloat16):
            feats = self.stem(x)
            with torch.autocast(KIND, enabled=False):
                both = x + feats
                return self.offset(both)  # ok: TL409


def run(net, x):
    return net.to(KIND)(x)


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(2, 4, 8, device=KIND)
    for cls, fine in ((Deformable, False), (DeformableGated, False), (DeformableCast, True), (DeformableNormed, True)):
        try:
            run(cls(), x)
            ok = True
        except RuntimeError as err:
            assert "type" in str(err).lower(), err
            ok = False
        assert ok is fine, cls
