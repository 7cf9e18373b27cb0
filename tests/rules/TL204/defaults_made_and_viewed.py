"""What stands in for an argument that was not given is made on the CPU; a view of it lies there too."""
from typing import Optional

import torch
from torch import Tensor, nn


class Words(nn.Module):
    def __init__(self, words: int = 5, dim: int = 3):
        super().__init__()
        self.words = nn.Embedding(words, dim)

    def forward(self, ids: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        if mask is None:
            mask = torch.ones(ids.shape)  # expect: TL204
        return self.words(ids) * mask.unsqueeze(-1)


class WordsSliced(Words):
    def forward(self, ids: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        if mask is None:
            mask = torch.ones(ids.shape, dtype=torch.bool)  # expect: TL204
        return self.words(ids) * mask[:, :, None].float()


class WordsLike(Words):
    def forward(self, ids: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        if mask is None:
            mask = torch.ones_like(ids)  # ok: TL204
        return self.words(ids) * mask.unsqueeze(-1)


class WordsMoved(Words):
    def forward(self, ids: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        if mask is None:
            mask = torch.ones(ids.shape)  # ok: TL204
        return self.words(ids) * mask.to(ids.device).unsqueeze(-1)


class WordsCounted(Words):
    def forward(self, ids: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        if mask is None:
            mask = torch.ones(ids.shape)  # ok: TL204
        return self.words(ids) * mask.unsqueeze(-1).shape[0]


def demonstrate():
    ids = torch.zeros(2, 3, dtype=torch.long, device="meta")
    for right in (WordsLike, WordsMoved, WordsCounted):
        assert right().to("meta")(ids).device.type == "meta"
    for wrong in (Words, WordsSliced):
        try:
            wrong().to("meta")(ids)
        except RuntimeError as error:
            assert "device" in str(error)
            continue
        raise AssertionError("a mask of the CPU met values of meta")
