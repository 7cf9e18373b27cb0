"""Vector quantisation: the nearest code is searched under no_grad "in float32"; autocast still owns the product of the distance.

source: vector-quantize codebooks under mixed precision (codes collapse in fp16/bf16); Parskatt/RoMa#2 kind
rules: [TL403]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Codebook(nn.Module):
    def __init__(self, codes=4, dim=8):
        super().__init__()
        grid = 100 + 0.2 * torch.arange(codes).float()[:, None].expand(codes, dim)
        self.register_buffer("codes", grid.clone())

    @torch.no_grad()
    def nearest(self, z):
        z, e = z.float(), self.codes.float()  # expect: TL403
        far = z.pow(2).sum(1, keepdim=True) - 2 * torch.matmul(z, e.mT) + e.pow(2).sum(1)
        return far.argmin(1)

    def forward(self, z):
        return F.embedding(self.nearest(z), self.codes)


class SlowCodebook(Codebook):
    """The plain difference: elementwise and exact."""

    @torch.no_grad()
    def nearest(self, z):
        z, e = z.float(), self.codes.float()  # ok: TL403
        return (z[:, None] - e[None]).square().sum(-1).argmin(1)


class GuardedCodebook(Codebook):
    @torch.no_grad()
    @torch.autocast(KIND, enabled=False)
    def nearest(self, z):
        z, e = z.float(), self.codes.float()  # ok: TL403
        far = z.pow(2).sum(1, keepdim=True) - 2 * torch.matmul(z, e.mT) + e.pow(2).sum(1)
        return far.argmin(1)


class Coder(nn.Module):
    book = Codebook

    def __init__(self):
        super().__init__()
        self.post, self.codes = nn.Linear(8, 8), self.book()

    def forward(self, z):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            return self.post(self.codes(z))


class SlowCoder(Coder):
    book = SlowCodebook


class GuardedCoder(Coder):
    book = GuardedCodebook


def demonstrate():
    torch.manual_seed(0)

    def found(cls):
        net = cls().to(KIND)
        z = net.codes.codes + 0.01
        net(z)
        with torch.autocast(KIND, dtype=torch.bfloat16):
            return net.codes.nearest(z).tolist()

    assert found(Coder) != [0, 1, 2, 3]
    assert found(SlowCoder) == found(GuardedCoder) == [0, 1, 2, 3]
