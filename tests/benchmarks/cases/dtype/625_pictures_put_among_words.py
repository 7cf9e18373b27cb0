"""A picture-and-text model writes picture features into the word embeddings; the features are made half by hand, the region is bf16.

source: "masked_scatter: expected self and source to have same dtypes" reports of vision-language models under bf16
rules: [TL401]
"""
import torch
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Joiner(nn.Module):
    def __init__(self, dim=8, vision=6):
        super().__init__()
        self.words = nn.Linear(dim, dim)
        self.connector = nn.Linear(vision, dim)
        self.body = nn.Linear(dim, dim)

    def forward(self, tokens, pictures, place):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            words = self.words(tokens)
            pictures = self.connector(pictures).half()  # expect: TL401
            words = words.masked_scatter(place.unsqueeze(-1), pictures)
            return self.body(words)


class JoinerFollows(Joiner):
    def forward(self, tokens, pictures, place):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            words = self.words(tokens)
            pictures = self.connector(pictures).to(words.dtype)  # ok: TL401
            words = words.masked_scatter(place.unsqueeze(-1), pictures)
            return self.body(words)


class JoinerWhere(Joiner):
    """Counting in float32 is right: a sum in bf16 stops at 256."""

    def forward(self, tokens, pictures, place):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            order = place.float().cumsum(1).long().clamp(min=1) - 1  # ok: TL401
            words, pictures = self.words(tokens), self.connector(pictures)
            spread = pictures[order.clamp(max=len(pictures) - 1)]
            return self.body(torch.where(place.unsqueeze(-1), spread, words))


class HalfOutside(Joiner):
    """The cast to half is for a store on disk, after the region."""

    def export(self, tokens, pictures, place):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            feats = self.connector(pictures)
        return feats.half()  # ok: TL401


def demonstrate():
    torch.manual_seed(0)
    tokens = torch.randn(1, 4, 8, device=DEVICE_TYPE)
    pictures = torch.randn(2, 6, device=DEVICE_TYPE)
    place = torch.tensor([[False, True, True, False]], device=DEVICE_TYPE)
    try:
        Joiner().to(DEVICE_TYPE)(tokens, pictures, place)
        raise AssertionError("half written into bf16")
    except RuntimeError as err:
        assert "dtype" in str(err), err
    for cls in (JoinerFollows, JoinerWhere):
        assert cls().to(DEVICE_TYPE)(tokens, pictures, place).dtype is torch.bfloat16
    assert HalfOutside().to(DEVICE_TYPE).export(tokens, pictures, place).dtype is torch.float16
