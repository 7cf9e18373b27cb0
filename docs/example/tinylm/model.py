"""The model and its loss."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from .layers import Rotary, ScaledLinear


class LanguageModel(nn.Module):
    """Embeds words, turns them by position, mixes features."""

    def __init__(self, words: int, width: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        self.rotary = Rotary(width)
        self.mix = ScaledLinear(width)
        self.register_buffer("words_seen", torch.zeros((), dtype=torch.long))

    def forward(self, words: Tensor) -> Tensor:
        if self.training:
            self.words_seen += words.numel()
        return self.mix(self.rotary(self.embedding(words)))


def loss(model: LanguageModel, words: Tensor) -> Tensor:
    """The mean cross entropy of the next word, with the scores meant to be float32."""
    with torch.autocast(words.device.type, dtype=torch.bfloat16):
        hidden = model(words[:, :-1])
        scores = hidden.float() @ model.embedding.weight.T
    return functional.cross_entropy(scores.flatten(0, 1), words[:, 1:].flatten())
