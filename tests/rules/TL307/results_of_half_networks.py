"""A network that was made half answers in half: what it gives is widened after the transfer, not before."""

import torch
from torch import nn


class Index:
    def __init__(self, encoder):
        self.encoder = encoder.half()

    def built(self, pages):
        return self.fetched(torch.cat([self.encoder(page) for page in pages]))

    def fetched(self, found):
        return found.float().cpu()  # note: TL307


class NarrowIndex(Index):
    def fetched(self, found):
        return found.cpu().float()  # ok: TL307


class PlainIndex(Index):
    def __init__(self, encoder):
        self.encoder = encoder.float()

    def fetched(self, found):
        return found.float().cpu()  # ok: TL307  nothing is widened


class UnknownIndex(Index):
    def __init__(self, encoder):
        self.encoder = encoder

    def fetched(self, found):
        return found.float().cpu()  # ok: TL307  not known


def here(decoder: nn.Module, codes, device):
    decoder.to(torch.bfloat16)
    return decoder(codes).float().to(device)  # note: TL307


def demonstrate():
    class Cast(nn.Module):
        def forward(self, x):
            return x.half()

    page = torch.ones(1, 2)
    for kind in (Index, NarrowIndex, PlainIndex, UnknownIndex):
        assert torch.equal(kind(Cast()).built([page]), page)
    assert page.half().float().nbytes == 2 * page.half().nbytes
    here(nn.Linear(2, 2), page.bfloat16(), "cpu")
