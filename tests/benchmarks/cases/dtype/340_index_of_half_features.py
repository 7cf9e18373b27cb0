"""A retrieval index collects half features and widens them on the device before they are fetched: twice the bytes cross the bus.

source: facebookresearch/habitat-lab#297 (cast on the wrong side of the transfer), in the other direction
rules: [TL307]
"""
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.body = nn.Linear(3, dim)

    def forward(self, x):
        return self.body(x.to(self.body.weight.dtype))


class Index:
    def __init__(self, encoder, host="cpu"):
        self.encoder, self.host = encoder.half(), host

    def fetch(self, feats):
        return feats.float().cpu()  # expect: TL307

    @torch.inference_mode()
    def build(self, pages):
        chunks = [self.encoder(page) for page in pages]
        return self.fetch(torch.cat(chunks))


class IndexFixed(Index):
    def fetch(self, feats):
        return feats.cpu().float()  # ok: TL307


class IndexNarrow(Index):
    """Half on the device, half on the host: the search widens row by row."""

    def fetch(self, feats):
        return feats.to(self.host)  # ok: TL307

    def nearest(self, feats, query):
        gaps = [(row.float() - query).norm() for row in feats]
        return int(torch.stack(gaps).argmin())


class IndexCodes(Index):
    def fetch(self, feats):
        return (feats * 16).round().to(torch.int8).cpu()  # ok: TL307


def demonstrate():
    torch.manual_seed(0)
    pages = [torch.randn(2, 3) for _ in range(2)]
    encoder = Encoder()
    plain, fixed = Index(encoder).build(pages), IndexFixed(encoder).build(pages)
    assert torch.equal(plain, fixed), "the result is the same"
    feats = encoder(pages[0])
    assert feats.float().nbytes == 2 * feats.nbytes, "what crosses the bus"
    narrow = IndexNarrow(encoder)
    rows = narrow.build(pages)
    assert rows.dtype is torch.float16 and narrow.nearest(rows, fixed[3]) == 3
    assert IndexCodes(encoder).build(pages).dtype is torch.int8
