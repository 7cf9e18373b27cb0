"""A vector quantiser scatters ones into a table of assignments that it allocates on the default device at every call.

source: vector-quantiser layers without device= ("Expected all tensors to be on the same device"); HolyBayes/pytorch_ard#1 kind
rules: [TL204]
"""
import torch
from torch import nn


class Quantiser(nn.Module):
    def __init__(self, codes: int = 6, dim: int = 3):
        super().__init__()
        self.codes = codes
        self.book = nn.Embedding(codes, dim)

    def assign(self, nearest):
        raise NotImplementedError

    def usage(self, hits):
        share = hits.mean(0)
        return torch.exp(-(share * (share + 1e-10).log()).sum())

    def forward(self, z):
        flat = z.reshape(-1, z.shape[-1])
        far = torch.cdist(flat, self.book.weight)
        hits = self.assign(far.argmin(1, keepdim=True))
        q = (hits @ self.book.weight).view_as(z)
        return z + (q - z).detach(), self.usage(hits)


class TableQuantiser(Quantiser):
    def assign(self, nearest):
        table = torch.zeros(nearest.shape[0], self.codes)  # expect: TL204
        return table.scatter_(1, nearest, 1)


class NoisyQuantiser(Quantiser):
    """Draws codes in proportion to a temperature that is a one-element vector."""

    def assign(self, nearest):
        hot = nn.functional.one_hot(nearest[:, 0], self.codes).float()
        warm = torch.tensor([0.9])  # expect: TL204
        return hot * warm + (1 - warm) / self.codes


class PlacedQuantiser(Quantiser):
    def assign(self, nearest):
        table = torch.zeros(nearest.shape[0], self.codes, device=nearest.device)  # ok: TL204
        return table.scatter_(1, nearest, 1)


class LikeQuantiser(Quantiser):
    def assign(self, nearest):
        table = self.book.weight.new_zeros(nearest.shape[0], self.codes)  # ok: TL204
        warm = torch.tensor(0.9)  # ok: TL204
        return table.scatter_(1, nearest, 1) * warm


class MovedQuantiser(Quantiser):
    def assign(self, nearest):
        table = torch.zeros(nearest.shape[0], self.codes)  # ok: TL204
        table = table.to(nearest.device)
        return table.scatter_(1, nearest, 1)


def demonstrate():
    for cls, works in (
        (TableQuantiser, False), (NoisyQuantiser, False), (PlacedQuantiser, True), (LikeQuantiser, True),
        (MovedQuantiser, True),
    ):
        out, usage = cls()(torch.randn(2, 4, 3))
        assert out.shape == (2, 4, 3) and usage.isfinite()  # one device: nothing to see
        try:
            assert cls().to("meta")(torch.randn(2, 4, 3, device="meta"))[0].is_meta
            ok = True
        except RuntimeError as err:
            assert "device" in str(err), err
            ok = False
        assert ok is works, cls
