"""A text encoder fills in segment ids and a mask when the caller gives none, and makes both on the default device.

source: lm-sys/FastChat#2288 and many "Expected all tensors to be on the same device" reports on BERT-like code
rules: [TL204]
"""
from typing import Optional

import torch
from torch import Tensor, nn


class Embeddings(nn.Module):
    def __init__(self, vocab: int = 20, dim: int = 8, longest: int = 16):
        super().__init__()
        self.words = nn.Embedding(vocab, dim)
        self.segments = nn.Embedding(2, dim)
        self.places = nn.Embedding(longest, dim)

    def forward(self, ids: Tensor, segment_ids: Optional[Tensor] = None, mask: Optional[Tensor] = None) -> Tensor:
        if segment_ids is None:
            segment_ids = torch.zeros(ids.shape, dtype=torch.long)  # expect: TL204
        if mask is None:
            mask = torch.ones(ids.shape)  # expect: TL204
        place_ids = torch.arange(ids.shape[1]).unsqueeze(0)  # expect: TL204
        out = self.words(ids) + self.segments(segment_ids) + self.places(place_ids)
        return out * mask.unsqueeze(-1)


class EmbeddingsFixed(Embeddings):
    def forward(self, ids: Tensor, segment_ids: Optional[Tensor] = None, mask: Optional[Tensor] = None) -> Tensor:
        if segment_ids is None:
            segment_ids = torch.zeros_like(ids)  # ok: TL204
        if mask is None:
            mask = torch.ones(ids.shape, device=ids.device)  # ok: TL204
        place_ids = torch.arange(ids.shape[1], device=self.words.weight.device).unsqueeze(0)  # ok: TL204
        out = self.words(ids) + self.segments(segment_ids) + self.places(place_ids)
        return out * mask.unsqueeze(-1)


class EmbeddingsMovedLater(Embeddings):
    def forward(self, ids: Tensor, segment_ids: Optional[Tensor] = None, mask: Optional[Tensor] = None) -> Tensor:
        if segment_ids is None:
            segment_ids = torch.zeros(ids.shape, dtype=torch.long)  # ok: TL204
        segment_ids = segment_ids.to(ids.device)
        # a plain subscript takes CPU indices on any device
        places = self.places.weight[torch.arange(ids.shape[1])]  # ok: TL204
        return self.words(ids) + self.segments(segment_ids) + places


def demonstrate():
    ids = torch.zeros(2, 5, dtype=torch.long)
    assert torch.equal(Embeddings()(ids) * 0, EmbeddingsFixed()(ids) * 0)
    ids = ids.to("meta")

    def devices(model, **given):
        """Devices on which the ids of the three tables stand (a real device refuses ids of another one)."""
        seen = []
        for table in (model.words, model.segments, model.places):
            table.register_forward_pre_hook(lambda _, args: seen.append(args[0].device.type))
        out = model(ids, **given)
        assert out.is_meta
        return seen

    ones = torch.ones(2, 5, device="meta")
    assert devices(Embeddings().to("meta"), mask=ones) == ["meta", "cpu", "cpu"]
    assert devices(EmbeddingsFixed().to("meta")) == ["meta"] * 3
    assert devices(EmbeddingsMovedLater().to("meta")) == ["meta"] * 2
    try:
        Embeddings().to("meta")(ids)
        raise AssertionError("a CPU mask met embeddings elsewhere")
    except RuntimeError as err:
        assert "device" in str(err), err
