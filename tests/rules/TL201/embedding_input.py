"""An Embedding takes ids: a floating one raises, and the weights it gives back are floating by right."""
import torch
import torch.nn.functional as F
from torch import nn


class Lookup(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.embed = nn.Embedding(8, dim)
        self.emb_conv = nn.Conv1d(dim, dim, 1)

    def forward(self, batch: int):
        start = torch.zeros(batch, 1)  # expect: TL201  # expect: TL204
        return self.embed(start)

    def by_function(self, batch: int):
        return F.embedding(torch.zeros(batch, 1), self.embed.weight)  # expect: TL201  # expect: TL204

    def by_local_layer(self, batch: int):
        embed = nn.Embedding(8, 4)
        return embed(torch.zeros(batch, 1))  # expect: TL201

    def with_ids(self, batch: int):
        start = torch.zeros(batch, 1, dtype=torch.long)  # ok: TL201  # expect: TL204
        vectors = self.embed(start)  # ok: TL201
        wide = torch.zeros(batch, 4, 1)  # ok: TL201  the name speaks of an embedding, the layer is a convolution  # expect: TL204
        return vectors, self.emb_conv(wide)


def demonstrate():
    module = Lookup()
    for call in (module, module.by_function, module.by_local_layer):
        try:
            call(2)
            raise AssertionError("floating ids were accepted")
        except RuntimeError as error:
            assert "indices" in str(error)
    assert module.with_ids(2)[0].shape == (2, 1, 4)
